// Sends and receives packets, with a descriptor attached if there is one.

#include "CReaderProtocol.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// Room for one descriptor. If a peer attaches more, the kernel closes the rest.
typedef union Control {
    struct cmsghdr header; // for alignment
    char bytes[CMSG_SPACE(sizeof(int))];
} Control;

int reader_send(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    Control control;
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof descriptor);
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

// Returns the attached descriptor of a message, or -1.
static int attached_descriptor(struct msghdr *message) {
    int descriptor = -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
         header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
            && header->cmsg_len >= CMSG_LEN(sizeof descriptor)) {
            memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
        }
    }
    return descriptor;
}

ssize_t reader_receive(int socket, void *bytes, size_t capacity, int *descriptor) {
    struct iovec piece = {.iov_base = bytes, .iov_len = capacity};
    Control control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_iov = &piece,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    if (descriptor != NULL) *descriptor = -1;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;

    int attached = attached_descriptor(&message);
    int is_too_long = (message.msg_flags & MSG_TRUNC) != 0;
    if (attached >= 0 && (descriptor == NULL || is_too_long)) {
        close(attached);
    } else if (descriptor != NULL) {
        *descriptor = attached;
    }
    return is_too_long ? -EMSGSIZE : received;
}
