// Gives a descriptor of a process, names of signals, the number of processors, and back memory.

#include "calls.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
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

int system_processor_count(void) {
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) != 0) return 1;
    int count = CPU_COUNT(&processors);
    return count < 1 ? 1 : count;
}

void system_keep_little_memory(void) {
    // Threads share one heap, and what one of them frees is of use to all.
    mallopt(M_ARENA_MAX, 1);
    // The C library raises both by itself with what is freed, and then keeps that much.
    mallopt(M_MMAP_THRESHOLD, 64 << 10);
    mallopt(M_TRIM_THRESHOLD, 64 << 10);
}

void system_return_free_memory(void) { malloc_trim(0); }
