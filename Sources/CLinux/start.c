// Starts a program.

#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

// Gives the program its descriptors and no others, even if this process forgot close-on-exec somewhere.
static int set_actions(posix_spawn_file_actions_t *actions, const int *descriptors, int count) {
    int error = 0;
    for (int number = 0; number < count && error == 0; number++) {
        if (descriptors[number] == SYSTEM_NO_FILE) {
            error = posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0);
        } else {
            error = posix_spawn_file_actions_adddup2(actions, descriptors[number], number);
        }
    }
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(actions, count);
    return error;
}

// Sets the signals as at boot, even if this process ignores some or the calling thread blocks some.
static int set_attributes(posix_spawnattr_t *attributes, SystemGroup group) {
    sigset_t every;
    sigset_t none;
    sigfillset(&every);
    sigemptyset(&none);
    int error = posix_spawnattr_setsigdefault(attributes, &every);
    if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) {
        short own = group == SYSTEM_OWN_SESSION ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
        error = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | own);
    }
    return error;
}

static int spawn(const SystemProgram *program, const int *descriptors, int32_t *identifier) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    error = set_actions(&actions, descriptors, program->descriptor_count);
    if (error == 0) error = set_attributes(&attributes, program->group);
    if (error == 0) {
        error = posix_spawn(
            identifier, program->executable, &actions, &attributes, program->arguments,
            program->environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int system_start(const SystemProgram *program, int32_t *identifier) {
    int count = program->descriptor_count;
    if (count < 0 || count > SYSTEM_MOST_DESCRIPTORS) return EINVAL;
    int descriptors[SYSTEM_MOST_DESCRIPTORS];
    int error = 0;
    for (int index = 0; index < count; index++) {
        int descriptor = program->descriptors[index];
        // Moves a low descriptor out of the way: a dup2 for the program would overwrite it before its turn.
        if (descriptor >= 0 && descriptor < count && error == 0) {
            descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, count);
            if (descriptor < 0) {
                error = errno;
                descriptor = program->descriptors[index];
            }
        }
        descriptors[index] = descriptor;
    }
    if (error == 0) error = spawn(program, descriptors, identifier);
    for (int index = 0; index < count; index++) {
        if (descriptors[index] != program->descriptors[index]) close(descriptors[index]);
    }
    return error;
}
