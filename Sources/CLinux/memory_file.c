// Makes a file in memory, so that bytes can be passed to another process like any other file.

#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static int fill(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes += written;
        count -= (size_t)written;
    }
    if (lseek(descriptor, 0, SEEK_SET) != 0) return errno;
    // The process that gets the descriptor must not be able to change the bytes.
    int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    return fcntl(descriptor, F_ADD_SEALS, seals) == 0 ? 0 : errno;
}

int system_memory_file(const void *bytes, size_t count) {
    int file = memfd_create("luggage", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -errno;
    int error = fill(file, bytes, count);
    if (error == 0) return file;
    close(file);
    return -error;
}
