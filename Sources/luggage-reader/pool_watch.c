// The kernel's signal for the death of a parent would come too early: it is sent when the thread that
// started this process ends, and the pool's threads come and go while the pool stays. The socket knows
// better: the kernel closes the pool's end of it when the pool ends, however that comes about.
//
// What the kernel tells of the socket is not only that. A pool that has put a request into the socket
// may be held up before it says so, and this process be at work on it by then: such news is passed over.

#include "pool_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <unistd.h>

static int watched = -1;

static void end_with_pool(int socket) {
    char byte;
    struct iovec piece = {.iov_base = &byte, .iov_len = sizeof byte};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT) == 0) _exit(EX_OK);
}

static void on_news(int signal) {
    (void)signal;
    int number = errno;
    end_with_pool(watched);
    errno = number;
}

int pool_watch_prepare(int socket) {
    watched = socket;
    struct sigaction action = {.sa_handler = on_news, .sa_flags = SA_RESTART};
    if (sigaction(SIGIO, &action, NULL) != 0) return errno;
    return fcntl(socket, F_SETOWN, getpid()) == 0 ? 0 : errno;
}

void pool_watch_begin(int socket) {
    fcntl(socket, F_SETFL, O_ASYNC);
    // An end that came before that is not told any more.
    end_with_pool(socket);
}

void pool_watch_end(int socket) {
    fcntl(socket, F_SETFL, 0);
}
