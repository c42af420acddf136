#include "CFaultInjection.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic int chosen;
static _Atomic int calls;
static int first_failure;
static int failures;
static int failure;
static const char *_Atomic wanted;

void fault_injection_start(
    enum FaultInjectionCall call, const char *name, int first, int count, int error) {
    atomic_store(&wanted, name);
    first_failure = first;
    failures = count;
    failure = error;
    atomic_store(&calls, 0);
    atomic_store(&chosen, call);
}

int fault_injection_stop(void) {
    atomic_store(&chosen, FaultInjectionNone);
    return atomic_load(&calls);
}

static int is_chosen(enum FaultInjectionCall call) {
    int group = atomic_load(&chosen);
    if (group == FaultInjectionChange)
        return call != FaultInjectionOpen && call != FaultInjectionRead;
    return group == (int)call || group == FaultInjectionAny;
}

static int fails_path(enum FaultInjectionCall call, const char *path) {
    if (!is_chosen(call) || !path || !strstr(path, atomic_load(&wanted))) return 0;
    int number = atomic_fetch_add(&calls, 1) + 1;
    if (number < first_failure || number - first_failure >= failures) return 0;
    if (failure == FAULT_INJECTION_KILL) kill(getpid(), SIGKILL);
    errno = failure;
    return 1;
}

static int fails(enum FaultInjectionCall call, int descriptor) {
    if (!is_chosen(call)) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails_path(call, path);
}

// The same for a name in an open folder.
static int fails_at(enum FaultInjectionCall call, int folder, const char *name) {
    if (!is_chosen(call)) return 0;
    char link[64], path[8192];
    ssize_t length = 0;
    if (folder != AT_FDCWD && name[0] != '/') {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        length = readlink(link, path, 4095);
        if (length < 0) return 0;
        path[length++] = '/';
    }
    snprintf(path + length, sizeof path - (size_t)length, "%s", name);
    return fails_path(call, path);
}

// The next definition of a function: that of the C library. Threads may look for it at the same time.
#define NEXT(name)                                                                                 \
    static _Atomic(__typeof__(&name)) next;                                                        \
    if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int fsync(int descriptor) {
    NEXT(fsync);
    return fails(FaultInjectionSync, descriptor) ? -1 : next(descriptor);
}

int fdatasync(int descriptor) {
    NEXT(fdatasync);
    return fails(FaultInjectionSync, descriptor) ? -1 : next(descriptor);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    NEXT(write);
    return fails(FaultInjectionWrite, descriptor) ? -1 : next(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    NEXT(pwrite);
    return fails(FaultInjectionWrite, descriptor) ? -1 : next(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    NEXT(pwrite64);
    return fails(FaultInjectionWrite, descriptor) ? -1 : next(descriptor, bytes, count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    NEXT(pread64);
    return fails(FaultInjectionRead, descriptor) ? -1 : next(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t length) {
    NEXT(ftruncate);
    return fails(FaultInjectionTruncate, descriptor) ? -1 : next(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
    NEXT(ftruncate64);
    return fails(FaultInjectionTruncate, descriptor) ? -1 : next(descriptor, length);
}

int unlink(const char *path) {
    NEXT(unlink);
    return fails_path(FaultInjectionUnlink, path) ? -1 : next(path);
}

int unlinkat(int folder, const char *path, int flags) {
    NEXT(unlinkat);
    return fails_at(FaultInjectionUnlink, folder, path) ? -1 : next(folder, path, flags);
}

int open64(const char *path, int flags, ...) {
    NEXT(open64);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails_path(FaultInjectionOpen, path) ? -1 : next(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    NEXT(open);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails_path(FaultInjectionOpen, path) ? -1 : next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    NEXT(openat);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails_at(FaultInjectionOpen, folder, path) ? -1 : next(folder, path, flags, mode);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    NEXT(pread);
    return fails(FaultInjectionRead, descriptor) ? -1 : next(descriptor, bytes, count, offset);
}

int rename(const char *old_path, const char *new_path) {
    NEXT(rename);
    return fails_path(FaultInjectionRename, new_path) ? -1 : next(old_path, new_path);
}

int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path,
              unsigned int flags) {
    NEXT(renameat2);
    if (fails_at(FaultInjectionRename, new_folder, new_path)) return -1;
    return next(old_folder, old_path, new_folder, new_path, flags);
}

int renameat(int old_folder, const char *old_path, int new_folder, const char *new_path) {
    NEXT(renameat);
    if (fails_at(FaultInjectionRename, new_folder, new_path)) return -1;
    return next(old_folder, old_path, new_folder, new_path);
}

// A file system that cannot rename without replacing may not be able to link either.
int linkat(int old_folder, const char *old_path, int new_folder, const char *new_path, int flags) {
    NEXT(linkat);
    if (failure == EINVAL && fails_at(FaultInjectionRename, new_folder, new_path)) return -1;
    return next(old_folder, old_path, new_folder, new_path, flags);
}
