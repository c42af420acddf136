// Makes copies of a process that has read no picture, each for one picture.
//
// Making a copy takes a tenth of the time of starting a program: its libraries are loaded and its
// character sets open. It shares only read-only memory with the model, and not the model's socket.
// So even an exploited copy can answer only for its own picture.

#include "CReaderProtocol.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// A copy ends with its model: otherwise a copy that pretends to work would stay for ever.
static int become_copy(pid_t model, int socket) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return errno;
    if (getppid() != model) return ESRCH;
    if (dup2(socket, READER_PROTOCOL_DESCRIPTOR) < 0) return errno;
    close(socket);
    return 0;
}

static int end_child(pid_t *child) {
    int status = 0;
    if (*child > 0) {
        kill(*child, SIGKILL);
        while (waitpid(*child, &status, 0) < 0 && errno == EINTR) {}
    }
    *child = 0;
    return status;
}

int reader_serve_copies(int control) {
    pid_t model = getpid(), child = 0;
    for (;;) {
        ReaderOrder order;
        int socket = -1;
        ssize_t count = reader_receive(control, &order, sizeof order, &socket);
        if (count != (ssize_t)sizeof order || order.version != READER_PROTOCOL_VERSION) {
            end_child(&child);
            return count == 0 ? ECONNRESET : EPROTO;
        }
        ReaderOrderReply reply = {.version = READER_PROTOCOL_VERSION};
        // One copy at a time: a copy that does not end is killed before the next one begins.
        reply.status = end_child(&child);
        if (order.kind == READER_ORDER_COPY && socket >= 0) {
            child = fork();
            if (child == 0) return become_copy(model, socket);
            reply.error = child < 0 ? errno : 0;
            reply.identifier = child < 0 ? 0 : child;
        }
        if (socket >= 0) close(socket);
        if (reader_send(control, &reply, sizeof reply, -1) != 0) {
            end_child(&child);
            return ECONNRESET;
        }
    }
}
