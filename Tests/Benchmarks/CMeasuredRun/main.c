/// Runs a command and tells what it cost: `CMeasuredRun SECONDS COMMAND ARGUMENT…`.
///
/// The command's output goes where the output goes; its errors go nowhere. One line on standard
/// error then tells its nanoseconds from start to end, the peak resident memory in KiB of the
/// largest of its processes, its wait status, and the nanoseconds of processor time of all of them.
///
/// This is a program of its own because the kernel counts the memory of the process that starts a
/// command to that command: it has to be a small one. A command that takes longer than SECONDS is
/// ended by SIGALRM.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long processor_nanoseconds(const struct rusage *usage) {
    return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000LL
        + (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000LL;
}

static void become(unsigned seconds, char **command) {
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0) {
        _exit(126);
    }
    alarm(seconds);
    execvp(command[0], command);
    _exit(127);
}

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: CMeasuredRun SECONDS COMMAND ARGUMENT...\n");
        return 64;
    }
    long long started = nanoseconds();
    pid_t child = fork();
    if (child == 0) {
        become((unsigned)strtoul(arguments[1], NULL, 10), arguments + 2);
    }
    int status = 0;
    struct rusage usage = {0};
    pid_t ended = child;
    while (child > 0 && (ended = wait4(child, &status, 0, &usage)) < 0 && errno == EINTR) {
    }
    if (child < 0 || ended < 0) {
        fprintf(stderr, "cannot run %s: %s\n", arguments[2], strerror(errno));
        return 71;
    }
    fprintf(stderr, "%lld %ld %d %lld\n", nanoseconds() - started, usage.ru_maxrss, status,
            processor_nanoseconds(&usage));
    return 0;
}
