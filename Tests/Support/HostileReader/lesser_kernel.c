#include "lesser_kernel.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

#define LANDLOCK_CREATE_RULESET 444
#if defined(__x86_64__)
#define PRCTL 157
#else
#define PRCTL 167
#endif

// Refuses a system call, or only where its first argument is `argument` (-1: whatever it is).
static int refuse(uint32_t number, int64_t argument, int error) {
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        // Without an argument to look at, both ways lead to the refusal.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)argument, 0, argument < 0 ? 0 : 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {
        .len = sizeof instructions / sizeof instructions[0],
        .filter = instructions,
    };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}

int lesser_kernel_without(const char *feature) {
    if (strcmp(feature, "landlock") == 0) return refuse(LANDLOCK_CREATE_RULESET, -1, ENOSYS);
    if (strcmp(feature, "landlock-at-boot") == 0) {
        return refuse(LANDLOCK_CREATE_RULESET, -1, EOPNOTSUPP);
    }
    if (strcmp(feature, "filter") == 0) return refuse(PRCTL, PR_SET_SECCOMP, EINVAL);
    return EINVAL;
}
