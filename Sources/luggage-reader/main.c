// luggage-reader: reads pictures for `luggage`, in a separate process.
//
// It parses hostile input with C libraries, so it holds nothing of value: no environment, and no
// files but the picture in work. It can only answer its pool, and ends with it.

#include "CReaderProtocol.h"
#include "CReaderSandbox.h"
#include "CTagReader.h"
#include "answer.h"
#include "pool_watch.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <unistd.h>

static int is_packet_socket(int descriptor) {
    int type = 0;
    socklen_t count = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &count) == 0
        && type == SOCK_SEQPACKET;
}

static int fail(int code, const char *what) {
    fprintf(stderr, "luggage-reader: %s\n", what);
    return code;
}

// Parses a positive number of bytes; 0 if it is invalid.
static uint64_t byte_count(const char *word) {
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || errno != 0 || *end != '\0') return 0;
    return number;
}

// Sets up the rest of the sandbox, as far as this kernel can.
static ReaderGreeting close_sandbox(void) {
    ReaderGreeting greeting = {.version = READER_PROTOCOL_VERSION};
    if (sandbox_is_sanitized()) {
        greeting.is_sanitized = 1;
        return greeting;
    }
    greeting.landlock_error = sandbox_deny_files(&greeting.landlock_version);
    greeting.filter_error = sandbox_filter_system_calls(READER_PROTOCOL_DESCRIPTOR);
    return greeting;
}

// Keeps freed memory of one picture for the next, up to that of some ten megapixels: fresh pages
// cost a photograph a tenth of its time.
static void keep_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
}

int main(int argc, char **argv) {
    uint64_t memory_bytes = 0;
    int is_model = argc == 4 && strcmp(argv[3], "--copies") == 0;
    if ((argc == 3 || is_model) && strcmp(argv[1], "--memory-bytes") == 0) {
        memory_bytes = byte_count(argv[2]);
        if (memory_bytes == 0) return fail(EX_USAGE, "--memory-bytes wants a number of bytes");
    } else if (argc != 1) {
        return fail(EX_USAGE, "this program is started by luggage and takes no commands; run "
                              "'luggage --help' instead");
    }
    if (!is_packet_socket(READER_PROTOCOL_DESCRIPTOR)) {
        return fail(EX_USAGE, "this program is started by luggage, which passes it a socket; run "
                              "'luggage scan' to read pictures");
    }

    keep_memory();
    tag_reader_warm_up();
    // Each copy continues from here as if it had just been started.
    if (is_model && reader_serve_copies(READER_PROTOCOL_DESCRIPTOR) != 0) _exit(EX_OK);
    int error = sandbox_set_limits(memory_bytes);
    // After the limits, which reset all signal handlers.
    if (error == 0) error = pool_watch_prepare(READER_PROTOCOL_DESCRIPTOR);
    if (error != 0) return fail(EX_OSERR, strerror(error));

    // Sent before there is a picture, so the pool can trust it.
    ReaderGreeting greeting = close_sandbox();
    if (reader_send(READER_PROTOCOL_DESCRIPTOR, &greeting, sizeof greeting, -1) != 0) {
        return EX_PROTOCOL;
    }
    int outcome;
    do {
        outcome = answer_one(READER_PROTOCOL_DESCRIPTOR);
    } while (outcome > 0);
    int status = outcome == 0 ? EX_OK : EX_PROTOCOL;
    // An orderly exit runs library code, such as writing profiles, that the sandbox forbids. A
    // sanitizer needs it to look for leaks.
    if (!sandbox_is_sanitized()) _exit(status);
    return status;
}
