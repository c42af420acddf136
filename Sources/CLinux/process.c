// Gives a descriptor of a process, and names of signals.

#include "calls.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int system_open_process(pid_t identifier) {
    // The C library has a function for this only since 2.36. The descriptor is close-on-exec.
    long descriptor = syscall(SYS_pidfd_open, identifier, 0);
    return descriptor < 0 ? -errno : (int)descriptor;
}

const char *system_signal_name(int signal) {
    return sigabbrev_np(signal);
}
