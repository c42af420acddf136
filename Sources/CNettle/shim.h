#if !__has_include(<nettle/sha2.h>)
#error "nettle/sha2.h is missing: install nettle-dev"
#endif

#include <nettle/sha2.h>
