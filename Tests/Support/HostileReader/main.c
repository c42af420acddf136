// hostile-reader: tries to leave the reader's sandbox, for tests.
//
//   hostile-reader try FOLDER ATTEMPT [LAYER…]   inside the layers named; ends with 0 where it was let
//                                                through, with the errno where it was refused, or is
//                                                ended. A layer is limits, landlock or filter.
//   hostile-reader run FOLDER NECESSITY          inside all of them, as the reader is.
//   hostile-reader without FEATURE PROGRAM …     becomes a program on a kernel that lacks something.
//   hostile-reader lie|mute [ARGUMENT…]               reads pictures in place of the reader, with its arguments;
//                                                see liar.h.

#include "CReaderSandbox.h"
#include "lesser_kernel.h"
#include "liar.h"
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sysexits.h>
#include <unistd.h>

// No errno is as high.
#define UNUSABLE 200

static int complaints = STDERR_FILENO;

static int complain(const char *what, int error) {
    dprintf(complaints, "hostile-reader: %s: %s\n", what, strerror(error));
    return UNUSABLE;
}

static int close_layer(const char *layer, const Stage *stage) {
    uint32_t version;
    if (strcmp(layer, "limits") == 0) return sandbox_set_limits(0);
    if (strcmp(layer, "landlock") == 0) return sandbox_deny_files(&version);
    if (strcmp(layer, "filter") == 0) return sandbox_filter_system_calls(stage->socket);
    return EINVAL;
}

static int make(const Attempt *attempt, const char *folder, char **layers, int count) {
    if (attempt == NULL) return complain("no such attempt", EINVAL);
    Stage stage = {0};
    int error = stage_set(&stage, folder);
    if (error != 0) return complain("the stage", error);

    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // As the reader's: where last words go unheard.
    int nowhere = open("/dev/null", O_WRONLY);
    complaints = dup(STDERR_FILENO);
    if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0) return complain("/dev/null", errno);
    for (int i = 0; i < count; i++) {
        error = close_layer(layers[i], &stage);
        if (error != 0) return complain(layers[i], error);
    }
    return attempt->make(&stage);
}

int main(int argc, char **argv) {
    if (argc >= 4 && strcmp(argv[1], "try") == 0) {
        return make(attempt_find(argv[3]), argv[2], argv + 4, argc - 4);
    }
    if (argc == 4 && strcmp(argv[1], "run") == 0) {
        // The stage holds more descriptors than the limits leave for Landlock's.
        char *layers[] = {"landlock", "limits", "filter"};
        return make(necessity_find(argv[3]), argv[2], layers, 3);
    }
    if (argc >= 4 && strcmp(argv[1], "without") == 0) {
        int error = lesser_kernel_without(argv[2]);
        if (error == 0) execv(argv[3], argv + 3);
        return complain(argv[3], error != 0 ? error : errno);
    }
    if (argc >= 2 && (strcmp(argv[1], "lie") == 0 || strcmp(argv[1], "mute") == 0)) {
        return liar_run(argc - 1, argv + 1);
    }
    fprintf(stderr, "usage: hostile-reader try FOLDER ATTEMPT [LAYER…] | run FOLDER NECESSITY | "
                    "without FEATURE PROGRAM … | lie|mute [ARGUMENT…]\n");
    return EX_USAGE;
}
