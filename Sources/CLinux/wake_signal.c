// A descriptor with which one thread wakes another.

#include "calls.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

int system_open_wake_signal(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

void system_raise_wake_signal(int descriptor) {
    uint64_t one = 1;
    // This fails only if the counter is at its maximum.
    ssize_t count = write(descriptor, &one, sizeof one);
    (void)count;
}

void system_lower_wake_signal(int descriptor) {
    uint64_t height;
    // This fails only if the signal is not raised.
    ssize_t count = read(descriptor, &height, sizeof height);
    (void)count;
}
