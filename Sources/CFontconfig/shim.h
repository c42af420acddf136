#if !__has_include(<fontconfig/fontconfig.h>)
#error "fontconfig/fontconfig.h is missing: install libfontconfig-dev"
#endif

#include <fontconfig/fontconfig.h>
