// Starts a reader process.

#include "CReaderProtocol.h"

#include <CLinux.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int start(const char *executable, uint64_t memory_bytes, int is_model, int socket,
                 pid_t *identifier) {
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, memory_bytes);
    char *arguments[] = {(char *)executable, "--memory-bytes", number,
                         is_model ? "--copies" : NULL, NULL};
    char *environment[] = {NULL};
    int descriptors[] = {
        SYSTEM_NO_FILE, SYSTEM_NO_FILE, SYSTEM_NO_FILE, [READER_PROTOCOL_DESCRIPTOR] = socket,
    };
    SystemProgram program = {
        .executable = executable,
        .arguments = arguments,
        .environment = environment,
        .descriptors = descriptors,
        .descriptor_count = sizeof descriptors / sizeof descriptors[0],
        // The terminal's interrupt must reach only the pool, which decides about the pictures in work.
        .group = SYSTEM_OWN_GROUP,
    };
    return system_start(&program, identifier);
}

int reader_start(const char *executable, uint64_t memory_bytes, int is_model, pid_t *identifier,
                 int *socket) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return errno;
    int error = fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
    if (error == 0) error = start(executable, memory_bytes, is_model, pair[1], identifier);
    close(pair[1]);
    if (error == 0) {
        *socket = pair[0];
    } else {
        close(pair[0]);
    }
    return error;
}
