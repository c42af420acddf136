// Opens character sets for libzbar, in place of the C library's function.
//
// libzbar opens the set that a symbol declares, for which the C library would load a file: not in the sandbox. Of what
// libzbar converts, only ASCII is taken (see scan.c), which is the same in all sets of one byte a character; so the
// converter from ASCII, which needs no file, does for them. The rest was loaded in advance (see converters.c).

#include <dlfcn.h>
#include <iconv.h>
#include <string.h>

typedef iconv_t Opening(const char *to, const char *from);

iconv_t iconv_open(const char *to, const char *from) {
    Opening *open_in_library = (Opening *)dlsym(RTLD_NEXT, "iconv_open");
    int is_single = strncmp(from, "ISO8859-", 8) == 0 || strcmp(from, "CP437") == 0;
    return open_in_library(to, is_single ? "ASCII" : from);
}
