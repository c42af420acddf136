// What a reader that a picture has taken over would try.

#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int outcome(long result) {
    return result >= 0 ? 0 : errno;
}

// --- Files ---

static int open_file(const Stage *stage) {
    return outcome(open(stage->file, O_RDONLY));
}

static int list_folder(const Stage *stage) {
    (void)stage;
    return outcome(open("/", O_RDONLY | O_DIRECTORY));
}

static int create_file(const Stage *stage) {
    return outcome(open(stage->nobody, O_CREAT | O_WRONLY, 0600));
}

static int write_file(const Stage *stage) {
    return outcome(pwrite(stage->writable, "x", 1, 1 << 20));
}

static int write_open_file(const Stage *stage) {
    return outcome(write(stage->writable, "x", 1));
}

static int truncate_file(const Stage *stage) {
    return outcome(truncate(stage->file, 0));
}

static int remove_file(const Stage *stage) {
    return outcome(unlink(stage->file));
}

static int move_file(const Stage *stage) {
    return outcome(rename(stage->file, stage->nobody));
}

static int make_folder(const Stage *stage) {
    return outcome(mkdir(stage->nobody, 0700));
}

static int make_link(const Stage *stage) {
    return outcome(symlink(stage->file, stage->nobody));
}

static int examine_path(const Stage *stage) {
    struct stat status;
    return outcome(stat(stage->file, &status));
}

static int examine_beside(const Stage *stage) {
    struct stat status;
    return outcome(fstatat(stage->readable, "", &status, AT_EMPTY_PATH));
}

static int map_file(const Stage *stage) {
    void *address = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, stage->readable, 0);
    return address == MAP_FAILED ? errno : 0;
}

static int mount_folder(const Stage *stage) {
    (void)stage;
    return outcome(mount("none", "/", NULL, MS_REMOUNT | MS_BIND | MS_NODEV, NULL));
}

// --- Other processes ---

static int fork_process(const Stage *stage) {
    (void)stage;
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0) return errno;
    return outcome(waitpid(child, NULL, 0));
}

static int execute(const Stage *stage) {
    (void)stage;
    char *arguments[] = {"true", NULL};
    char *environment[] = {NULL};
    execve("/bin/true", arguments, environment);
    return errno;
}

static int signal_process(const Stage *stage) {
    return outcome(kill(stage->child, 0));
}

static int abort_process(const Stage *stage) {
    return outcome(syscall(SYS_tgkill, stage->child, stage->child, 0));
}

static int trace_process(const Stage *stage) {
    return outcome(ptrace(PTRACE_SEIZE, stage->child, NULL, NULL));
}

static int read_process(const Stage *stage) {
    // A child has what its parent has at the same address.
    char byte;
    struct iovec here = {.iov_base = &byte, .iov_len = 1};
    struct iovec there = {.iov_base = (void *)(uintptr_t)stage->file, .iov_len = 1};
    return outcome(process_vm_readv(stage->child, &here, 1, &there, 1, 0));
}

static int enter_namespace(const Stage *stage) {
    (void)stage;
    return outcome(unshare(CLONE_FS));
}

// --- Connections ---

static int make_socket(const Stage *stage) {
    (void)stage;
    return outcome(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int connect_by_tcp(const Stage *stage) {
    return outcome(connect(stage->tcp, (const struct sockaddr *)&stage->listener,
                           sizeof stage->listener));
}

static int connect_abstractly(const Stage *stage) {
    return outcome(connect(stage->abstract, (const struct sockaddr *)&stage->abstract_listener,
                           stage->abstract_length));
}

static int bind_by_tcp(const Stage *stage) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    return outcome(bind(stage->tcp, (struct sockaddr *)&address, sizeof address));
}

static int receive_from(int socket) {
    char byte;
    struct iovec piece = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    return outcome(recvmsg(socket, &message, 0));
}

static int receive_elsewhere(const Stage *stage) {
    return receive_from(stage->stranger);
}

static int send_elsewhere(const Stage *stage) {
    struct iovec piece = {.iov_base = "x", .iov_len = 1};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    return outcome(sendmsg(stage->stranger, &message, MSG_NOSIGNAL));
}

static int duplicate_socket(const Stage *stage) {
    return outcome(fcntl(stage->socket, F_DUPFD, 0));
}

static int command_device(const Stage *stage) {
    int count;
    return outcome(ioctl(stage->stranger, FIONREAD, &count));
}

// --- This process ---

static int map_code(const Stage *stage) {
    (void)stage;
    void *address = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? errno : 0;
}

static int protect_code(const Stage *stage) {
    (void)stage;
    void *address = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) return errno;
    return outcome(mprotect(address, 4096, PROT_READ | PROT_EXEC));
}

static int make_memory_file(const Stage *stage) {
    (void)stage;
    return outcome(memfd_create("hostile", MFD_CLOEXEC));
}

static int lift_limit(const Stage *stage) {
    (void)stage;
    struct rlimit limit = {.rlim_cur = 9, .rlim_max = 9};
    return outcome(setrlimit(RLIMIT_NOFILE, &limit));
}

static int lift_limit_elsewhere(const Stage *stage) {
    struct rlimit limit;
    return outcome(prlimit(stage->child, RLIMIT_CPU, NULL, &limit));
}

static int exhaust_descriptors(const Stage *stage) {
    for (int i = 0; i < 32; i++) {
        if (dup(stage->readable) < 0) return errno;
    }
    return 0;
}

static int handle_signal(const Stage *stage) {
    (void)stage;
    return signal(SIGTERM, SIG_IGN) == SIG_ERR ? errno : 0;
}

static int change_process(const Stage *stage) {
    (void)stage;
    return outcome(prctl(PR_SET_NAME, "innocent", 0, 0, 0));
}

// The same kernel by another door: numbers that mean something else there.
static int call_by_x32(const Stage *stage) {
    (void)stage;
    long result = syscall(0x40000000 | SYS_getpid);
    // Where the kernel does not know that door, the call is none, and is refused as such.
    return result < 0 && errno == ENOSYS ? 0 : outcome(result);
}

static int call_by_interrupt(const Stage *stage) {
    if (!stage->has_interrupt) return call_by_x32(stage);
#if defined(__x86_64__)
    // getpid there, and writev here.
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    return result < 0 ? (int)-result : 0;
#else
    return 0;
#endif
}

static const Attempt attempts[] = {
    {"open-file", open_file},
    {"list-folder", list_folder},
    {"create-file", create_file},
    {"write-file", write_file},
    {"write-open-file", write_open_file},
    {"truncate-file", truncate_file},
    {"remove-file", remove_file},
    {"move-file", move_file},
    {"make-folder", make_folder},
    {"make-link", make_link},
    {"examine-path", examine_path},
    {"examine-beside", examine_beside},
    {"map-file", map_file},
    {"mount", mount_folder},
    {"fork", fork_process},
    {"execute", execute},
    {"signal-process", signal_process},
    {"abort-process", abort_process},
    {"trace-process", trace_process},
    {"read-process", read_process},
    {"enter-namespace", enter_namespace},
    {"make-socket", make_socket},
    {"connect-by-tcp", connect_by_tcp},
    {"connect-abstractly", connect_abstractly},
    {"bind-by-tcp", bind_by_tcp},
    {"receive-elsewhere", receive_elsewhere},
    {"send-elsewhere", send_elsewhere},
    {"duplicate-socket", duplicate_socket},
    {"command-device", command_device},
    {"map-code", map_code},
    {"protect-code", protect_code},
    {"make-memory-file", make_memory_file},
    {"lift-limit", lift_limit},
    {"lift-limit-elsewhere", lift_limit_elsewhere},
    {"exhaust-descriptors", exhaust_descriptors},
    {"handle-signal", handle_signal},
    {"change-process", change_process},
    {"call-by-x32", call_by_x32},
    {"call-by-interrupt", call_by_interrupt},
};

const Attempt *attempt_find(const char *name) {
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        if (strcmp(attempts[i].name, name) == 0) return &attempts[i];
    }
    return NULL;
}
