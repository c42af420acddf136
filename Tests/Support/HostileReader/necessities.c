// What must go on inside the sandbox, for the reader or so that its faults can be told apart.

#include "stage.h"

#include "CReaderSandbox.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int receive(const Stage *stage) {
    char byte;
    struct iovec piece = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    return recvmsg(stage->socket, &message, 0) == 1 ? 0 : errno;
}

static int read_open_file(const Stage *stage) {
    char bytes[5];
    struct stat status;
    if (syscall(SYS_fstat, stage->readable, &status) != 0) return errno;
    return pread(stage->readable, bytes, sizeof bytes, 0) == sizeof bytes ? 0 : errno;
}

static int ascending(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

// More than the C library sorts on its stack, so that it asks how much memory there is.
static int sort(const Stage *stage) {
    (void)stage;
    size_t count = 1 << 20;
    int *numbers = malloc(count * sizeof *numbers);
    if (numbers == NULL) return ENOMEM;
    for (size_t i = 0; i < count; i++) numbers[i] = (int)(count - i);
    qsort(numbers, count, sizeof *numbers, ascending);
    int error = numbers[0] == 1 ? 0 : EINVAL;
    free(numbers);
    return error;
}

// Every way in which the C library's memory comes and goes: in small pieces, mapped, grown. What is
// volatile here and below, the compiler cannot leave out as used by nobody.
static int use_memory(const Stage *stage) {
    (void)stage;
    enum { COUNT = 64 };
    void *volatile pieces[COUNT];
    for (size_t i = 0; i < COUNT; i++) pieces[i] = calloc(1, (size_t)1 << (i % 24));
    for (size_t i = 0; i < COUNT; i++) {
        void *volatile grown = realloc(pieces[i], (size_t)1 << (i % 26));
        if (grown == NULL) return ENOMEM;
        free(grown);
    }
    return 0;
}

static int exhaust_memory(const Stage *stage) {
    (void)stage;
    volatile size_t count = SIZE_MAX / 4;
    void *volatile all = malloc(count);
    return all == NULL ? 0 : EINVAL;
}

static int tell_time(const Stage *stage) {
    (void)stage;
    struct timespec now;
    // The system call itself, which is taken where the machine's clock needs it.
    return syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) == 0 && time(NULL) > 0 ? 0 : errno;
}

static int grant_time(const Stage *stage) {
    (void)stage;
    return sandbox_grant_processor_time(10);
}

static int exceed_time(const Stage *stage) {
    (void)stage;
    int error = sandbox_grant_processor_time(1);
    if (error != 0) return error;
    for (volatile unsigned turns = 0;; turns++) {}
}

static int end(const Stage *stage) {
    (void)stage;
    exit(0);
}

static int be_aborted(const Stage *stage) {
    (void)stage;
    abort();
}

static int fail_assertion(const Stage *stage) {
    assert(stage == NULL);
    abort();
}

extern void __stack_chk_fail(void) __attribute__((noreturn));

static int smash_stack(const Stage *stage) {
    (void)stage;
    __stack_chk_fail();
}

static int free_twice(const Stage *stage) {
    (void)stage;
    // Too large to be set aside for reuse, where a second time goes unnoticed at first.
    char *volatile piece = malloc(4096);
    void *volatile barrier = malloc(4096);
    free(piece);
    free(piece);
    return barrier == NULL ? ENOMEM : 0;
}

static int fall(const Stage *stage) {
    (void)stage;
    char *volatile nowhere = NULL;
    *nowhere = 1;
    return 0;
}

static const Attempt necessities[] = {
    {"receive", receive},
    {"read-open-file", read_open_file},
    {"sort", sort},
    {"use-memory", use_memory},
    {"exhaust-memory", exhaust_memory},
    {"tell-time", tell_time},
    {"grant-time", grant_time},
    {"exceed-time", exceed_time},
    {"end", end},
    {"be-aborted", be_aborted},
    {"fail-assertion", fail_assertion},
    {"smash-stack", smash_stack},
    {"free-twice", free_twice},
    {"fall", fall},
};

const Attempt *necessity_find(const char *name) {
    for (size_t i = 0; i < sizeof necessities / sizeof necessities[0]; i++) {
        if (strcmp(necessities[i].name, name) == 0) return &necessities[i];
    }
    return NULL;
}
