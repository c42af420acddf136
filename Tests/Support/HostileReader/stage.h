// What a taken-over process would like to use, made before the sandbox is closed.

#ifndef HOSTILE_READER_STAGE_H
#define HOSTILE_READER_STAGE_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

typedef struct Stage {
    const char *file;   // an existing one
    const char *nobody; // a path beside it, where nothing is
    int readable;       // the file, open for reading
    int writable;       // the file, open for writing
    int socket;         // the one that the sandbox knows
    int stranger;       // another that is connected
    int tcp;            // not connected yet
    int abstract;       // not connected yet
    struct sockaddr_in listener;
    struct sockaddr_un abstract_listener;
    socklen_t abstract_length;
    pid_t child;        // sleeps outside the sandbox
    int has_interrupt;  // whether this kernel takes the system calls of 32-bit programs
} Stage;

// Returns 0, or the errno.
int stage_set(Stage *stage, const char *folder);

typedef struct Attempt {
    const char *name;
    // Returns 0 where the attempt was let through, else the errno with which it was refused.
    int (*make)(const Stage *stage);
} Attempt;

// By name, or NULL.
const Attempt *attempt_find(const char *name);     // leaving the sandbox
const Attempt *necessity_find(const char *name);   // what must go on inside it

#endif
