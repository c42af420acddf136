// A descriptor by which one thread wakes another.

#include "CFolderWatch.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

int folder_watch_open_signal(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

void folder_watch_raise(int descriptor) {
    uint64_t one = 1;
    // The only failure is that it is raised as high as it goes.
    ssize_t count = write(descriptor, &one, sizeof one);
    (void)count;
}

void folder_watch_lower(int descriptor) {
    uint64_t height;
    // The only failure is that it is not raised.
    ssize_t count = read(descriptor, &height, sizeof height);
    (void)count;
}
