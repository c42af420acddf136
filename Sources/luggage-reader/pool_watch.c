// The kernel's signal for the death of a parent would come too early: it is sent when the thread that
// started this process ends, and the pool's threads come and go while the pool stays. The socket knows
// better: the kernel closes the pool's end of it when the pool ends, however that comes about.

#include "pool_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <unistd.h>

int pool_watch_prepare(int socket) {
    // What happens on the socket is told to this process, and ends it.
    return fcntl(socket, F_SETOWN, getpid()) == 0 ? 0 : errno;
}

void pool_watch_begin(int socket) {
    fcntl(socket, F_SETFL, O_ASYNC);
    // An end that came before that is not told any more.
    char byte;
    struct iovec piece = {.iov_base = &byte, .iov_len = sizeof byte};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT) == 0) _exit(EX_OK);
}

void pool_watch_end(int socket) {
    fcntl(socket, F_SETFL, 0);
}
