// CReaderSandbox: restrictions that the reader process puts on itself, in case a picture exploits it.
//
// There are three layers, each of which holds if another is missing: limits of the kernel;
// Landlock, which denies files, sockets and signals; and a filter that ends the process at any
// system call that reading a picture does not need. The process sets them in this order, after
// everything is open that it needs, and while it has a single thread. Nothing can remove them.
//
// Why this is C: they are set with numbers and structs of the kernel that Swift does not see, in a
// process that does not need Swift.

#ifndef CREADERSANDBOX_H
#define CREADERSANDBOX_H

#include <stdint.h>

// Restricts this process: no new privileges, no inspection, no core dump, no files, no children,
// and at most `memory_bytes` of address space unless that is 0. Returns 0, or the errno.
int sandbox_set_limits(uint64_t memory_bytes);

// Grants `seconds` of processor time from now; after that the kernel sends SIGXCPU, which ends the
// process. 0 grants unlimited time. Returns 0, or the errno.
int sandbox_grant_processor_time(uint32_t seconds);

// The version of Landlock that this kernel offers; or -errno: -ENOSYS if it was built without
// Landlock, -EOPNOTSUPP if it was started without it.
int sandbox_landlock_offered(void);

// Denies every file that is not yet open and, as far as this kernel's Landlock can, every
// connection and signal to another process. `*version` becomes the version of Landlock that is
// used; see SANDBOX_LANDLOCK_VERSION for what each version denies. Returns 0; or the errno, with
// version 0.
//
// The process must have given up new privileges, as sandbox_set_limits does.
int sandbox_deny_files(uint32_t *version);

// The version that denies everything: 1 files, 2 also moving them between folders by other rules, 3
// also truncating, 4 also TCP, 5 also commands to devices, 6 also abstract sockets and signals.
#define SANDBOX_LANDLOCK_VERSION 6u

// After this call, the kernel ends the process with SIGSYS at any system call that is not needed to
// read a picture from an open descriptor and to answer on `socket`. Returns 0; or the errno: EINVAL
// if the kernel was built without filters, ENOTSUP if the system call numbers of this processor are
// not known here.
//
// The process must have given up new privileges, as sandbox_set_limits does.
int sandbox_filter_system_calls(int socket);

// Whether this is a sanitizer's build. Such a build maps terabytes of address space, and opens
// files to report errors, so its address space cannot be limited, and it should not get the two
// other layers.
int sandbox_is_sanitized(void);

#endif
