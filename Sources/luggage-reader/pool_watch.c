// The kernel's signal for the death of a parent would come too early: it is sent when the thread
// that started this process ends, and the pool's threads come and go while the pool stays. The
// socket is reliable: the kernel closes the pool's end when the pool ends, in any way.
//
// The socket's signal has other causes too. It may report a request on which this process is
// already at work, if the pool was delayed before it could signal: such signals are ignored.

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
    // The end of the pool before that caused no signal.
    end_with_pool(socket);
}

void pool_watch_end(int socket) {
    fcntl(socket, F_SETFL, 0);
}
