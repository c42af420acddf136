// Tells the identity and the file system of folders.

#include "folders.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

// Newer than the C library's header; older kernels ignore it.
#ifndef STATX_MNT_ID_UNIQUE
#define STATX_MNT_ID_UNIQUE 0x00004000U
#endif

int folder_watch_identify(const char *path, FolderWatchIdentity *identity) {
    struct statx status;
    unsigned int wanted = STATX_TYPE | STATX_INO | STATX_MNT_ID | STATX_MNT_ID_UNIQUE;
    // The cache of a network file system's client is good enough, and does not wait for a server.
    if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, wanted, &status) != 0) return errno;
    if (!S_ISDIR(status.stx_mode)) return ENOTDIR;
    identity->device = makedev(status.stx_dev_major, status.stx_dev_minor);
    identity->inode = status.stx_ino;
    int tells_mount = (status.stx_mask & (STATX_MNT_ID | STATX_MNT_ID_UNIQUE)) != 0;
    identity->mount = tells_mount ? status.stx_mnt_id : 0;
    return 0;
}

int folder_watch_file_system(const char *path, uint32_t *magic) {
    struct statfs status;
    int result;
    do {
        result = statfs(path, &status);
    } while (result != 0 && errno == EINTR);
    if (result != 0) return errno;
    // Magic numbers have 32 bits; the field that holds them is signed and wider.
    *magic = (uint32_t)status.f_type;
    return 0;
}
