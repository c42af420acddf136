// Limits that every kernel supports.

#include "CReaderSandbox.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

// Standard streams, the socket, one picture, and a free one that the kernel needs to pass it on.
#define MOST_DESCRIPTORS 8

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

int sandbox_is_sanitized(void) {
    return IS_SANITIZED;
}

static int set_limit(__rlimit_resource_t resource, rlim_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    // A lower limit stays: this code must not raise it.
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < most) most = limit.rlim_max;
    limit.rlim_cur = most;
    limit.rlim_max = most;
    return setrlimit(resource, &limit);
}

static int lower(uint64_t memory_bytes) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
    if (set_limit(RLIMIT_CORE, 0) != 0) return -1;
    if (set_limit(RLIMIT_FSIZE, 0) != 0) return -1;
    if (set_limit(RLIMIT_NPROC, 0) != 0) return -1;
    if (set_limit(RLIMIT_NOFILE, MOST_DESCRIPTORS) != 0) return -1;
    if (memory_bytes != 0 && !IS_SANITIZED && set_limit(RLIMIT_AS, (rlim_t)memory_bytes) != 0) {
        return -1;
    }
    // Holds no folder, so that the pool's working directory can be unmounted.
    return chdir("/");
}

static void set_signals(void) {
    // A fault must end the process directly. Libraries, such as Swift's runtime, may have installed
    // handlers that would write reports and start other programs. A sanitizer's handlers are
    // wanted.
    for (int number = 1; number < NSIG && !IS_SANITIZED; number++) signal(number, SIG_DFL);
    // The terminal's interrupt is for the pool, which decides about the picture in work.
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    // A write beyond the file size limit of 0 fails, which is enough.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

int sandbox_set_limits(uint64_t memory_bytes) {
    set_signals();
    return lower(memory_bytes) == 0 ? 0 : errno;
}

int sandbox_grant_processor_time(uint32_t seconds) {
    struct rlimit limit;
    struct rusage usage;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || getrusage(RUSAGE_SELF, &usage) != 0) return errno;
    limit.rlim_cur = limit.rlim_max;
    if (seconds != 0) {
        // The time used so far, rounded up because the kernel counts whole seconds.
        rlim_t used = (rlim_t)usage.ru_utime.tv_sec + (rlim_t)usage.ru_stime.tv_sec;
        rlim_t most = used + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec + 999999) / 1000000
            + seconds;
        if (limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max) limit.rlim_cur = most;
    }
    return setrlimit(RLIMIT_CPU, &limit) == 0 ? 0 : errno;
}
