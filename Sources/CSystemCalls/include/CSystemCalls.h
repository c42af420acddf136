// CSystemCalls: calls of the system that SystemCalls makes and cannot make itself.
//
// Why this is C: these are GNU's and Linux's own, and Swift's module of the C library leaves them out.

#ifndef CSYSTEMCALLS_H
#define CSYSTEMCALLS_H

#include <stddef.h>

// Makes a file in memory that holds these bytes and can never be changed, and that is read from its
// beginning. Returns its descriptor, which is closed when a program is started, or -errno.
int system_memory_file(const void *bytes, size_t count);

// A descriptor that can be waited for once it is raised (close-on-exec, does not block), or -errno.
int system_open_wake_signal(void);

// Raises and lowers such a descriptor. Neither can fail while it is open.
void system_raise_wake_signal(int descriptor);
void system_lower_wake_signal(int descriptor);

#endif
