// Opens in advance what the libraries would open at their first picture or symbol.

#include "tag_picture.h"

#include <iconv.h>
#include <stddef.h>

// The sets of character_sets.c that are not tables; libzbar opens two of them, and UTF-8, for every symbol.
static const char *const character_sets[] = {"UTF-8", "SJIS", "BIG-5", "GB18030", "EUC-KR"};

#define CHARACTER_SET_COUNT (sizeof character_sets / sizeof character_sets[0])

// Never closed: the C library would unload an unused converter.
static iconv_t kept[CHARACTER_SET_COUNT];

void tag_reader_warm_up(void) {
    for (size_t i = 0; i < CHARACTER_SET_COUNT; i++) {
        kept[i] = iconv_open("UTF-8", character_sets[i]);
    }
    tag_jpeg_warm_up();
}
