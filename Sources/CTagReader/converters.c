// Opens in advance what the libraries would open at their first picture or symbol.

#include "tag_picture.h"

#include <iconv.h>
#include <stddef.h>

// All sets that libzbar names, four for every symbol, the rest for extended channel interpretations;
// then the others of character_sets.c.
static const char *const character_sets[] = {
    "UTF-8", "ISO8859-1", "SJIS", "BIG-5", "CP437",
    "ISO8859-2", "ISO8859-3", "ISO8859-4", "ISO8859-5", "ISO8859-6", "ISO8859-7", "ISO8859-8",
    "ISO8859-9", "ISO8859-10", "ISO8859-11", "ISO8859-13", "ISO8859-14", "ISO8859-15",
    "ISO8859-16", "GB18030", "EUC-KR",
};

#define CHARACTER_SET_COUNT (sizeof character_sets / sizeof character_sets[0])

// Never closed: the C library would unload an unused converter.
static iconv_t kept[CHARACTER_SET_COUNT];

void tag_reader_warm_up(void) {
    for (size_t i = 0; i < CHARACTER_SET_COUNT; i++) {
        kept[i] = iconv_open("UTF-8", character_sets[i]);
    }
    tag_jpeg_warm_up();
}
