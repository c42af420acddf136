// Opens a pipe that no child process inherits by accident.

#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int system_open_pipe(int *reading, int *writing) {
    int ends[2];
    // One call marks both ends: between two calls another thread might start a program.
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}
