#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int listen_by_tcp(Stage *stage) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    stage->tcp = socket(AF_INET, SOCK_STREAM, 0);
    stage->listener.sin_family = AF_INET;
    stage->listener.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct sockaddr *address = (struct sockaddr *)&stage->listener;
    socklen_t length = sizeof stage->listener;
    if (listener < 0 || stage->tcp < 0 || bind(listener, address, length) != 0) return errno;
    if (listen(listener, 1) != 0 || getsockname(listener, address, &length) != 0) return errno;
    return 0;
}

static int listen_abstractly(Stage *stage) {
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    stage->abstract = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un *address = &stage->abstract_listener;
    address->sun_family = AF_UNIX;
    // A NUL in front, and no file anywhere.
    int count = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "hostile-%d", getpid());
    stage->abstract_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)count);
    if (listener < 0 || stage->abstract < 0) return errno;
    if (bind(listener, (struct sockaddr *)address, stage->abstract_length) != 0) return errno;
    return listen(listener, 1) == 0 ? 0 : errno;
}

// The child ends with its parent: nobody else holds the other end of the pipe. (The kernel's signal
// for the death of a parent does not leave the parent's sandbox.)
static int start_child(Stage *stage) {
    int ends[2];
    if (pipe(ends) != 0) return errno;
    stage->child = fork();
    if (stage->child < 0) return errno;
    if (stage->child == 0) {
        close(ends[1]);
        char byte;
        while (read(ends[0], &byte, sizeof byte) < 0 && errno == EINTR) {}
        _exit(0);
    }
    close(ends[0]);
    return 0;
}

// A kernel without that door ends whoever knocks there.
static int try_interrupt(Stage *stage) {
#if defined(__x86_64__)
    pid_t child = fork();
    if (child < 0) return errno;
    if (child == 0) {
        // 20 is getpid.
        long result = 20;
        __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
        _exit(result == getpid() ? 0 : 1);
    }
    int status = 0;
    if (waitpid(child, &status, 0) < 0) return errno;
    stage->has_interrupt = WIFEXITED(status) && WEXITSTATUS(status) == 0;
#else
    (void)stage;
#endif
    return 0;
}

int stage_set(Stage *stage, const char *folder) {
    char *file = NULL;
    char *nobody = NULL;
    if (asprintf(&file, "%s/file", folder) < 0 || asprintf(&nobody, "%s/nobody", folder) < 0) {
        return ENOMEM;
    }
    stage->file = file;
    stage->nobody = nobody;
    stage->writable = open(file, O_CREAT | O_RDWR, 0700);
    stage->readable = open(file, O_RDONLY);
    if (stage->writable < 0 || stage->readable < 0) return errno;
    if (write(stage->writable, "bytes", 5) != 5) return errno;

    // Where it may be done at all, nothing that is mounted here is mounted elsewhere.
    unshare(CLONE_NEWNS);
    int pair[2];
    int other[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) != 0) return errno;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, other) != 0) return errno;
    stage->socket = pair[0];
    stage->stranger = other[0];
    if (send(pair[1], "x", 1, 0) != 1 || send(other[1], "x", 1, 0) != 1) return errno;

    int error = listen_by_tcp(stage);
    if (error == 0) error = listen_abstractly(stage);
    if (error == 0) error = try_interrupt(stage);
    return error == 0 ? start_child(stage) : error;
}
