#include "CFiling.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

int filing_open(int folder, const char *name) {
    int descriptor;
    do {
        descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor < 0 ? -errno : descriptor;
}

int filing_move(int old_folder, const char *old_name, int new_folder, const char *new_name) {
    if (renameat2(old_folder, old_name, new_folder, new_name, RENAME_NOREPLACE) == 0) return 0;
    // Some network and FUSE file systems know no flags.
    if (errno != EINVAL && errno != ENOSYS) return errno;
    if (linkat(old_folder, old_name, new_folder, new_name, 0) != 0) return errno;
    return unlinkat(old_folder, old_name, 0) == 0 ? 0 : errno;
}

int filing_lock(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return 0;
    return errno == EACCES ? EAGAIN : errno;
}

int filing_is_locked(int descriptor) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return -errno;
    return lock.l_type != F_UNLCK;
}

uint32_t filing_checksum(uint32_t checksum, const void *bytes, size_t count) {
    return (uint32_t)crc32_z(checksum, bytes, count);
}
