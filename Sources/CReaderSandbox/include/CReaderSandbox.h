// CReaderSandbox: what the reader process denies itself, for the time when a picture has taken it over.
//
// Three layers, each of which holds where another is missing: limits of the kernel; Landlock, which
// denies files, sockets and signals; and a filter that ends the process at any system call that reading
// a picture does not take. They are put on in this order, after whatever has to be opened is open, and
// by a process of one thread: nothing takes them off again.
//
// Why this is C: they are set by numbers and structs of the kernel that Swift does not see, in a
// process that has no use for Swift.

#ifndef CREADERSANDBOX_H
#define CREADERSANDBOX_H

#include <stdint.h>

// Lowers what this process may have: no new privileges, no inspection, no core, no files, no
// children; at most `memory_bytes` of address space unless that is 0. Returns 0, or the errno.
int sandbox_set_limits(uint64_t memory_bytes);

// Grants `seconds` of processor time from now; beyond it the kernel sends SIGXCPU, which ends the
// process. 0 grants whatever is needed. Returns 0, or the errno.
int sandbox_grant_processor_time(uint32_t seconds);

// The version of Landlock that this kernel offers; or -errno: -ENOSYS where it was built without,
// -EOPNOTSUPP where it was started without.
int sandbox_landlock_offered(void);

// Denies every file that is not open yet and, as far as this kernel's Landlock can, every connection
// and signal to another process. `*version` becomes Landlock's version as far as it is used here: what
// each of them denies is said at SANDBOX_LANDLOCK_VERSION. Returns 0; or the errno, with version 0.
//
// The process must have given up new privileges, as sandbox_set_limits does.
int sandbox_deny_files(uint32_t *version);

// The version that denies all: 1 files, 2 also moving them between folders by other rules, 3 also
// truncating, 4 also TCP, 5 also commands to devices, 6 also abstract sockets and signals.
#define SANDBOX_LANDLOCK_VERSION 6u

// From here on, a system call that reading a picture from an open descriptor and answering on `socket`
// does not take ends the process with SIGSYS. Returns 0; or the errno: EINVAL where the kernel was
// built without filters, ENOTSUP where the numbers of this processor's system calls are not known here.
//
// The process must have given up new privileges, as sandbox_set_limits does.
int sandbox_filter_system_calls(int socket);

// Whether this is a sanitizer's build: it maps terabytes of address space, and opens files when it has
// something to say, so it cannot be held to an address space, and should be spared the two layers above.
int sandbox_is_sanitized(void);

#endif
