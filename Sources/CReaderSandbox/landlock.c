// Landlock: the process gives up all rights to files for which it holds no descriptor.
//
// The kernel's headers may be older than the kernel, so its numbers are written out here.

#include "CReaderSandbox.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// The same on every processor.
#define CREATE_RULESET 444
#define RESTRICT_SELF 446

// Asks for the version instead of making a ruleset.
#define ASK_FOR_VERSION 1u

// The rights that a ruleset denies unless a rule allows them; there are no rules. An older kernel
// accepts the longer struct if the parts that it does not know are zero.
typedef struct Ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
} Ruleset;

// The lowest `count` bits.
#define BITS(count) ((UINT64_C(1) << (count)) - 1)

static Ruleset everything(int version) {
    // To execute, write, read, list, remove (2), and make one of seven kinds of file.
    Ruleset ruleset = {.files = BITS(13)};
    if (version >= 2) ruleset.files = BITS(14); // to move or link between folders
    if (version >= 3) ruleset.files = BITS(15); // to truncate
    if (version >= 4) ruleset.network = BITS(2); // to bind and to connect by TCP
    if (version >= 5) ruleset.files = BITS(16); // commands to devices
    if (version >= 6) ruleset.scopes = BITS(2); // abstract sockets and signals
    return ruleset;
}

int sandbox_landlock_offered(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_FOR_VERSION);
    return version < 0 ? -errno : (int)version;
}

int sandbox_deny_files(uint32_t *version) {
    *version = 0;
    int offered = sandbox_landlock_offered();
    if (offered < 0) return -offered;
    Ruleset ruleset = everything(offered);
    int descriptor = (int)syscall(CREATE_RULESET, &ruleset, sizeof ruleset, 0);
    if (descriptor < 0) return errno;
    int error = syscall(RESTRICT_SELF, descriptor, 0) == 0 ? 0 : errno;
    close(descriptor);
    if (error != 0) return error;
    *version = (uint32_t)offered;
    if (*version > SANDBOX_LANDLOCK_VERSION) *version = SANDBOX_LANDLOCK_VERSION;
    return 0;
}
