#if !__has_include(<qrencode.h>)
#error "qrencode.h is missing: install libqrencode-dev"
#endif

#include <qrencode.h>
