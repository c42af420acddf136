// Starts a reader process.

#include "CReaderProtocol.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

// The descriptors: nothing but the socket, whatever this process forgot to mark close-on-exec.
static int set_actions(posix_spawn_file_actions_t *actions, int socket) {
    // The socket first: its own number may be one that is overwritten next.
    int error = posix_spawn_file_actions_adddup2(actions, socket, READER_PROTOCOL_DESCRIPTOR);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO && error == 0; stream++) {
        error = posix_spawn_file_actions_addopen(actions, stream, "/dev/null", O_RDWR, 0);
    }
    if (error == 0) {
        error = posix_spawn_file_actions_addclosefrom_np(actions, READER_PROTOCOL_DESCRIPTOR + 1);
    }
    return error;
}

// Signals as at boot, whatever this process ignores or blocks; and a process group of its own, so
// that the terminal's interrupt reaches the pool alone, which knows what is to become of a picture.
static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t every;
    sigset_t none;
    sigfillset(&every);
    sigemptyset(&none);
    int error = posix_spawnattr_setsigdefault(attributes, &every);
    if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) {
        error = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    }
    return error;
}

static int spawn(const char *executable, uint64_t memory_bytes, int socket, pid_t *identifier) {
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, memory_bytes);
    char *arguments[] = {(char *)executable, "--memory-bytes", number, NULL};
    char *environment[] = {NULL};

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    error = set_actions(&actions, socket);
    if (error == 0) error = set_attributes(&attributes);
    if (error == 0) {
        error = posix_spawn(identifier, executable, &actions, &attributes, arguments, environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int reader_start(const char *executable, uint64_t memory_bytes, pid_t *identifier, int *socket) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return errno;
    int error = fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
    if (error == 0) error = spawn(executable, memory_bytes, pair[1], identifier);
    close(pair[1]);
    if (error == 0) {
        *socket = pair[0];
    } else {
        close(pair[0]);
    }
    return error;
}
