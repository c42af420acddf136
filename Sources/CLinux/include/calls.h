// Files in memory, pipes, processes, and which file one is.

#ifndef CLINUX_CALLS_H
#define CLINUX_CALLS_H

#include <stddef.h>
#include <stdint.h>

// Makes a file in memory that holds these bytes and can never be changed, and that is read from its
// beginning. Returns its descriptor, which is closed when a program is started, or -errno.
int system_memory_file(const void *bytes, size_t count);

// A descriptor that can be waited for once it is raised (close-on-exec, does not block), or -errno.
int system_open_wake_signal(void);

// Raises and lowers such a descriptor. Neither can fail while it is open.
void system_raise_wake_signal(int descriptor);
void system_lower_wake_signal(int descriptor);

// Opens a pipe; both ends are close-on-exec. Returns 0, or the errno.
int system_open_pipe(int *reading, int *writing);

// The number on its file system of the file at a path in an open folder, or of an open file where the path
// is empty, and when it was made, in nanoseconds since 1970; 0 where the file system does not say. Returns
// 0, or the errno.
int system_file_birth(int folder, const char *path, uint64_t *number, int64_t *time);

// What a program that is started belongs to.
typedef enum SystemGroup {
    // A group of processes of its own, which no key of the terminal interrupts or halts.
    SYSTEM_OWN_GROUP,
    // A session of its own, which has no terminal, and so a group too.
    SYSTEM_OWN_SESSION,
} SystemGroup;

// In place of a descriptor: /dev/null.
#define SYSTEM_NO_FILE (-1)

#define SYSTEM_MOST_DESCRIPTORS 4

// A program to be started.
typedef struct SystemProgram {
    const char *executable;     // its path
    char *const *arguments;     // the first is its name; NULL after the last
    char *const *environment;   // NAME=VALUE; NULL after the last
    const int *descriptors;     // what it has as 0, 1, 2, …; it has no other
    int descriptor_count;       // at most SYSTEM_MOST_DESCRIPTORS
    SystemGroup group;
} SystemProgram;

// Starts a program, with its signals as at boot: none is ignored or blocked. Returns 0, or the errno.
int system_start(const SystemProgram *program, int32_t *identifier);

// A descriptor that can be waited for: it can be read from once that child has ended, which has not
// been collected yet (close-on-exec). Or -errno.
int system_open_process(int32_t identifier);

// The name of a signal without its SIG, or NULL where it has none. The name is never freed.
const char *system_signal_name(int signal);

#endif
