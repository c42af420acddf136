// Tells when a file was made.

#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

int system_file_birth(int folder, const char *path, uint64_t *number, int64_t *time) {
    struct statx status;
    if (statx(folder, path, AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &status) != 0) return errno;
    *number = status.stx_ino;
    int is_told = (status.stx_mask & STATX_BTIME) != 0;
    *time = is_told ? status.stx_btime.tv_sec * 1000000000LL + status.stx_btime.tv_nsec : 0;
    return 0;
}
