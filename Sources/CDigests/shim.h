#if !__has_include(<nettle/sha2.h>)
#error "nettle/sha2.h is missing: install nettle-dev"
#endif
#if !__has_include(<zlib.h>)
#error "zlib.h is missing: install zlib1g-dev"
#endif

#include <nettle/sha2.h>
#include <zlib.h>
