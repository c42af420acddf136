// Debian keeps it in a folder that only `pg_config` or `pkg-config` would tell; others do not.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#error "libpq-fe.h is missing: install libpq-dev"
#endif
