#include "CTestNetworks.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

int test_network_accept(int listener) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int test_network_enter(const char *path) {
    int space = open(path, O_RDONLY | O_CLOEXEC);
    if (space < 0) return errno;
    int error = setns(space, CLONE_NEWNET) == 0 ? 0 : errno;
    close(space);
    return error;
}
