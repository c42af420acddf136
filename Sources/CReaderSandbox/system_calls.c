// The filter of system calls: it allows those that reading a picture needs, and no others.
//
// The list is short enough to be written out, and to be read. A library that compiles such lists
// would be more code in the process that must not be exploited.

#include "CReaderSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// A system call number has a meaning only for one processor: one kernel may support the calls of two.
#if defined(__x86_64__)
#define PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PROCESSOR AUDIT_ARCH_AARCH64
#else
#define PROCESSOR 0
#endif

// The condition on an argument. Only the lower half is tested, as the kernel does: these arguments
// have 32 bits, or no meaning beyond.
typedef enum Demand {
    NOTHING = 0,
    EQUAL,
    WITHOUT_BITS,
    WITH_BITS,
} Demand;

typedef struct Condition {
    Demand demand;
    uint32_t argument; // counted from 0
    uint32_t value;
} Condition;

#define MOST_CONDITIONS 2

typedef struct Rule {
    uint32_t number;
    Condition conditions[MOST_CONDITIONS];
} Rule;

// For each rule: the comparison with its call; for each condition two instructions and a refusal;
// consent.
#define MOST_INSTRUCTIONS 192

typedef struct Filter {
    struct sock_filter instructions[MOST_INSTRUCTIONS];
    unsigned short count;
} Filter;

static void add(Filter *filter, struct sock_filter instruction) {
    if (filter->count < MOST_INSTRUCTIONS) filter->instructions[filter->count] = instruction;
    filter->count++;
}

static void add_load(Filter *filter, size_t offset) {
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

// Skips `skip_if` instructions if the comparison is true, otherwise `skip_else`.
static void add_jump(Filter *filter, uint16_t comparison, uint32_t value, uint8_t skip_if,
                     uint8_t skip_else) {
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, skip_if, skip_else));
}

static void add_verdict(Filter *filter, uint32_t verdict) {
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict));
}

#define CONDITION_LENGTH 3

static size_t argument_offset(uint32_t argument) {
    size_t offset = offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    offset += sizeof(uint32_t);
#endif
    return offset;
}

// Continues with the next instruction if the condition is true.
static void add_condition(Filter *filter, const Condition *condition) {
    add_load(filter, argument_offset(condition->argument));
    switch (condition->demand) {
    case EQUAL: add_jump(filter, BPF_JEQ, condition->value, 1, 0); break;
    case WITH_BITS: add_jump(filter, BPF_JSET, condition->value, 1, 0); break;
    case WITHOUT_BITS: add_jump(filter, BPF_JSET, condition->value, 0, 1); break;
    case NOTHING: break;
    }
    add_verdict(filter, SECCOMP_RET_KILL_PROCESS);
}

static void add_rule(Filter *filter, const Rule *rule) {
    uint8_t length = 1;
    for (int i = 0; i < MOST_CONDITIONS; i++) {
        if (rule->conditions[i].demand != NOTHING) length += CONDITION_LENGTH;
    }
    add_jump(filter, BPF_JEQ, rule->number, 0, length);
    for (int i = 0; i < MOST_CONDITIONS; i++) {
        if (rule->conditions[i].demand != NOTHING) add_condition(filter, &rule->conditions[i]);
    }
    add_verdict(filter, SECCOMP_RET_ALLOW);
}

static void fill(Filter *filter, int socket) {
    const Condition on_socket = {EQUAL, 0, (uint32_t)socket};
    const Condition on_errors = {EQUAL, 0, STDERR_FILENO};
    const Condition to_itself = {EQUAL, 0, (uint32_t)getpid()};
    const Condition no_code = {WITHOUT_BITS, 2, PROT_EXEC};
    const Rule rules[] = {
        // The picture. Only fstat itself: the C library's replacement for it also takes a path.
        {SYS_pread64, {{NOTHING, 0, 0}}},
        {SYS_fstat, {{NOTHING, 0, 0}}},
        {SYS_close, {{NOTHING, 0, 0}}},
        // The pool: its requests, the answers, and whether it still exists.
        {SYS_recvmsg, {on_socket}},
        {SYS_sendmsg, {on_socket}},
        {SYS_fcntl, {on_socket, {EQUAL, 1, F_SETFL}}},
        {SYS_rt_sigreturn, {{NOTHING, 0, 0}}},
        // Memory, but not executable memory.
        {SYS_brk, {{NOTHING, 0, 0}}},
        {SYS_mmap, {no_code, {WITH_BITS, 3, MAP_ANONYMOUS}}},
        {SYS_mprotect, {no_code}},
        {SYS_munmap, {{NOTHING, 0, 0}}},
        {SYS_mremap, {{NOTHING, 0, 0}}},
        {SYS_madvise, {{NOTHING, 0, 0}}},
        {SYS_futex, {{NOTHING, 0, 0}}},
        // The amount of memory, on which the C library's qsort bases its choice.
        {SYS_sysinfo, {{NOTHING, 0, 0}}},
        // Clocks, if they need a system call; and processor time with its limit.
        {SYS_clock_gettime, {{NOTHING, 0, 0}}},
        {SYS_gettimeofday, {{NOTHING, 0, 0}}},
        {SYS_getrusage, {{NOTHING, 0, 0}}},
        {SYS_prlimit64, {{EQUAL, 0, 0}, {EQUAL, 1, RLIMIT_CPU}}},
        // The end of the process. Also the C library's last message and abort if it finds its
        // memory damaged, so that a fault of the decoder is not taken for an attempt to escape.
        {SYS_exit_group, {{NOTHING, 0, 0}}},
        {SYS_exit, {{NOTHING, 0, 0}}},
        {SYS_write, {on_errors}},
        {SYS_writev, {on_errors}},
        {SYS_rt_sigprocmask, {{NOTHING, 0, 0}}},
        {SYS_getpid, {{NOTHING, 0, 0}}},
        {SYS_gettid, {{NOTHING, 0, 0}}},
        {SYS_tgkill, {to_itself}},
    };
    add_load(filter, offsetof(struct seccomp_data, arch));
    add_jump(filter, BPF_JEQ, PROCESSOR, 1, 0);
    add_verdict(filter, SECCOMP_RET_KILL_PROCESS);
    add_load(filter, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) add_rule(filter, &rules[i]);
    add_verdict(filter, SECCOMP_RET_KILL_PROCESS);
}

int sandbox_filter_system_calls(int socket) {
    if (PROCESSOR == 0) return ENOTSUP;
    Filter filter = {.count = 0};
    fill(&filter, socket);
    if (filter.count > MOST_INSTRUCTIONS) return E2BIG;
    struct sock_fprog program = {.len = filter.count, .filter = filter.instructions};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}
