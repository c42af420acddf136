// What the reader process denies itself, for the time when a picture has taken it over.

#ifndef LUGGAGE_READER_LIMITS_H
#define LUGGAGE_READER_LIMITS_H

#include <stdint.h>

// Lowers what this process may have: no new privileges, no inspection, no core, no files, no
// children; at most `memory_bytes` of address space unless that is 0. Returns 0, or -1 with errno.
int limits_set(uint64_t memory_bytes);

// Grants `seconds` of processor time from now; beyond it the kernel sends SIGXCPU, which ends the
// process. 0 grants whatever is needed. Returns 0, or -1 with errno.
int limits_grant_processor_time(uint32_t seconds);

#endif
