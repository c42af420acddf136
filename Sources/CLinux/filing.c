#include "filing.h"

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

int filing_open(int folder, const char *name) {
    int descriptor;
    do {
        descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor < 0 ? -errno : descriptor;
}

// Whether two open folders are on the same mount, as far as the kernel tells.
static bool is_same_mount(int first, int second) {
    struct statx one, other;
    unsigned int wanted = STATX_TYPE | STATX_MNT_ID;
    // If the kernel does not tell, the move itself fails later.
    if (statx(first, "", AT_EMPTY_PATH, wanted, &one) != 0) return true;
    if (statx(second, "", AT_EMPTY_PATH, wanted, &other) != 0) return true;
    if (one.stx_dev_major != other.stx_dev_major) return false;
    if (one.stx_dev_minor != other.stx_dev_minor) return false;
    if (!(one.stx_mask & other.stx_mask & STATX_MNT_ID)) return true;
    return one.stx_mnt_id == other.stx_mnt_id;
}

int filing_open_folder(int folder, const char *name) {
    int descriptor;
    do {
        descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return -errno;
    if (is_same_mount(folder, descriptor)) return descriptor;
    close(descriptor);
    return -EXDEV;
}

int filing_move(int old_folder, const char *old_name, int new_folder, const char *new_name) {
    if (renameat2(old_folder, old_name, new_folder, new_name, RENAME_NOREPLACE) == 0) return 0;
    // Some network and FUSE file systems support no flags.
    if (errno != EINVAL && errno != ENOSYS) return errno;
    if (linkat(old_folder, old_name, new_folder, new_name, 0) != 0) return errno;
    return unlinkat(old_folder, old_name, 0) == 0 ? 0 : errno;
}

int filing_lock(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return 0;
    return errno == EACCES ? EAGAIN : errno;
}

void filing_unlock(int descriptor) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    fcntl(descriptor, F_OFD_SETLK, &lock);
}

int filing_is_locked(int descriptor) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return -errno;
    return lock.l_type != F_UNLCK;
}

int filing_hold(int descriptor) {
    int result;
    do {
        result = flock(descriptor, LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

int filing_clone(int from, int to) {
    return ioctl(to, FICLONE, from) == 0 ? 0 : errno;
}

// The layout of POSIX access control lists in extended attributes (linux/posix_acl_xattr.h).
struct entry {
    uint16_t tag, rights;
    uint32_t user;
};
struct list {
    uint32_t version;
    struct entry entries[5];
};
enum { ACL_VERSION = 2, OWNER = 1, USER = 2, GROUP = 4, MASK = 16, OTHER = 32 };
#define NOBODY UINT32_MAX

static int set_list(int descriptor, const char *name, const struct list *list, size_t count) {
    size_t size = offsetof(struct list, entries) + count * sizeof list->entries[0];
    return fsetxattr(descriptor, name, list, size, 0) == 0 ? 0 : errno;
}

int filing_set_rights(int descriptor, uint32_t rights) {
    const struct list list = {
        .version = htole32(ACL_VERSION),
        .entries = {
            {htole16(OWNER), htole16(rights >> 6 & 7), NOBODY},
            {htole16(GROUP), htole16(rights >> 3 & 7), NOBODY},
            {htole16(OTHER), htole16(rights & 7), NOBODY},
        },
    };
    // This fails if there is no such list, or if the file system supports none; then nothing is lost.
    fremovexattr(descriptor, "system.posix_acl_default");
    if (set_list(descriptor, "system.posix_acl_access", &list, 3) == 0) return 0;
    struct stat status;
    if (fstat(descriptor, &status) != 0) return errno;
    mode_t others = status.st_mode & (S_ISUID | S_ISGID | S_ISVTX);
    return fchmod(descriptor, others | (rights & 0777)) == 0 ? 0 : errno;
}

int filing_grant_new_files(int folder, uint32_t user) {
    struct stat status;
    if (fstat(folder, &status) != 0) return errno;
    const struct list list = {
        .version = htole32(ACL_VERSION),
        .entries = {
            {htole16(OWNER), htole16(7), NOBODY},
            {htole16(USER), htole16(7), htole32(user)},
            {htole16(GROUP), htole16(status.st_mode >> 3 & 5), NOBODY},
            {htole16(MASK), htole16(7), NOBODY},
            {htole16(OTHER), htole16(status.st_mode & 5), NOBODY},
        },
    };
    return set_list(folder, "system.posix_acl_default", &list, 5);
}

// Removes the files that one pass over a folder shows. Returns whether there were any.
static bool remove_entries(int folder) {
    // Uses the system call, because readdir in the C library allocates memory.
    _Alignas(struct dirent64) char entries[4096];
    bool is_any = false;
    ssize_t count;
    if (lseek(folder, 0, SEEK_SET) != 0) return false;
    while ((count = getdents64(folder, entries, sizeof entries)) > 0) {
        for (ssize_t place = 0; place < count;) {
            const struct dirent64 *entry = (const void *)(entries + place);
            // This fails for "." and "..", which are folders.
            if (unlinkat(folder, entry->d_name, 0) == 0) is_any = true;
            place += entry->d_reclen;
        }
    }
    return is_any;
}

int filing_remove(const char *path) {
    int before = errno;
    int number = unlink(path) == 0 ? 0 : errno;
    // For a folder, POSIX gives EPERM and Linux gives EISDIR.
    if (number == EISDIR || number == EPERM) {
        int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder >= 0) {
            // A folder that changes during a pass may not show all files at once.
            while (remove_entries(folder)) {}
            close(folder);
            number = rmdir(path) == 0 ? 0 : errno;
        }
    }
    errno = before;
    return number;
}
