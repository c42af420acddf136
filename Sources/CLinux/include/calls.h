// Files in memory, pipes, processes, and the birth of files.

#ifndef CLINUX_CALLS_H
#define CLINUX_CALLS_H

#include <stddef.h>
#include <stdint.h>

// Makes a file in memory that holds these bytes and can never be changed; its offset is 0. Returns its
// close-on-exec descriptor, or -errno.
int system_memory_file(const void *bytes, size_t count);

// Opens a descriptor that can be polled and is readable while raised (close-on-exec, nonblocking).
// Returns it, or -errno.
int system_open_wake_signal(void);

// Raise and lower such a descriptor. Neither can fail while it is open.
void system_raise_wake_signal(int descriptor);
void system_lower_wake_signal(int descriptor);

// Opens a pipe; both ends are close-on-exec. Returns 0, or the errno.
int system_open_pipe(int *reading, int *writing);

// Tells the inode number of the file at a path in an open folder (or of an open file if the path is
// empty), and when it was made, in nanoseconds since 1970; 0 if the file system does not say. Returns 0,
// or the errno.
int system_file_birth(int folder, const char *path, uint64_t *number, int64_t *time);

// What a program becomes when it is started.
typedef enum SystemGroup {
    // The leader of a process group of its own: keys of the terminal do not interrupt or stop it.
    SYSTEM_OWN_GROUP,
    // The leader of a session of its own without a terminal, and so of a group too.
    SYSTEM_OWN_SESSION,
} SystemGroup;

// Stands for /dev/null instead of a descriptor.
#define SYSTEM_NO_FILE (-1)

#define SYSTEM_MOST_DESCRIPTORS 4

// A program to start.
typedef struct SystemProgram {
    const char *executable;     // its path
    char *const *arguments;     // the first is its name; NULL after the last
    char *const *environment;   // NAME=VALUE; NULL after the last
    const int *descriptors;     // what it has as 0, 1, 2, …; it has no other
    int descriptor_count;       // at most SYSTEM_MOST_DESCRIPTORS
    SystemGroup group;
} SystemProgram;

// Starts a program with its signals as at boot: none is ignored or blocked. Returns 0, or the errno.
int system_start(const SystemProgram *program, int32_t *identifier);

// Opens a descriptor that becomes readable when a child process ends; the child must not be reaped yet.
// Returns it (close-on-exec), or -errno.
int system_open_process(int32_t identifier);

// The name of a signal without its SIG, or NULL if it has none. The name is never freed.
const char *system_signal_name(int signal);

// The number of processors that this process may run on; at least 1.
int system_processor_count(void);

// Has this process keep little of the memory that it frees. Called before it has threads.
void system_keep_little_memory(void);

// Gives the system what is free on the heap.
void system_return_free_memory(void);

#endif
