// CReaderProtocol: what the reader pool and a reader process say to each other.
//
// Over one AF_UNIX SOCK_SEQPACKET pair, each message one packet:
//   reader -> pool   ReaderGreeting, once, before there is any picture
//   pool -> reader   ReaderRequest, with the picture's descriptor as SCM_RIGHTS
//   reader -> pool   ReaderReply, then `symbol_count` packets of ReaderSymbolHeader + payload bytes;
//                    then, where the picture was read and it is wanted, the explanation:
//                    ReaderExplanationHeader, all ReaderFinder in a packet, all ReaderCandidate in a
//                    packet (neither where there are none), and the luminance of the shown picture in
//                    packets of READER_MAX_LUMINANCE bytes but for the last
//
// Both ends are built from one package, so the structs are the machine's own layout. The pool treats
// every reply as untrusted: the reader has parsed hostile input.
//
// Why this is C: the control-message macros that pass descriptors do not exist in Swift, nor do some
// functions of GNU's; and one declaration of the wire format must serve both ends.

#ifndef CREADERPROTOCOL_H
#define CREADERPROTOCOL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Changes with every change of the structs below; a reader of another build is refused.
#define READER_PROTOCOL_VERSION 0x4C520004u

// The descriptor on which a reader process, or a model of such, finds its end of the socket pair.
#define READER_PROTOCOL_DESCRIPTOR 3

#define READER_MAX_CORNERS 4

// The longest payload, in bytes: a structured append joins 16 symbols of up to 7089 digits.
#define READER_MAX_PAYLOAD 113424

// The most that an explanation holds.
#define READER_MAX_FINDERS 192
#define READER_MAX_CANDIDATES 64
#define READER_MAX_SHOWN_PIXELS 2000000
#define READER_MAX_SHOWN_SIDE 4096
#define READER_MAX_LUMINANCE 65536

// What the process could not deny itself, in the errno with which the kernel refused; 0 where it could.
typedef struct ReaderGreeting {
    uint32_t version;
    uint32_t landlock_version; // as CReaderSandbox counts them; 0 where there is none
    int32_t landlock_error;
    int32_t filter_error;      // of the filter of system calls
    uint32_t is_sanitized;     // 1: a sanitizer's build, which has only the limits that it can bear
} ReaderGreeting;

typedef struct ReaderRequest {
    uint32_t version;
    uint32_t sequence;          // echoed in every packet of the reply
    uint64_t pixels;            // limits, as in TagReaderLimits
    uint64_t file_bytes;
    uint32_t symbols;
    uint32_t processor_seconds; // processor time for this picture; beyond it the kernel ends the process
    uint32_t effort;            // a TagReaderEffort
    uint32_t explains;          // 1: the explanation is wanted too
} ReaderRequest;

typedef struct ReaderReply {
    uint32_t version;
    uint32_t sequence;
    int32_t status;       // TagReaderStatus
    int32_t error_number;
    uint32_t width;
    uint32_t height;
    uint32_t symbol_count;
    uint32_t reserved;
    uint64_t nanoseconds; // wall-clock time that reading took inside the process
    char message[192];    // UTF-8, terminated
} ReaderReply;

typedef struct ReaderPoint {
    int32_t x;
    int32_t y;
} ReaderPoint;

typedef struct ReaderSymbolHeader {
    uint32_t sequence;
    uint32_t index;      // 0, 1, … in order
    uint32_t byte_count; // payload bytes that follow in the same packet
    uint32_t is_partial;
    uint32_t corner_count;
    uint32_t reserved;
    ReaderPoint corners[READER_MAX_CORNERS];
} ReaderSymbolHeader;

// As in TagReaderExplanation, and so are the two below.
typedef struct ReaderExplanationHeader {
    uint32_t sequence;
    uint32_t finder_count;
    uint32_t candidate_count;
    uint32_t plain_scans;
    uint32_t shown_width;
    uint32_t shown_height;
    uint32_t shown_step;
    uint32_t reserved;
} ReaderExplanationHeader;

typedef struct ReaderFinder {
    ReaderPoint centre;
    float module;
} ReaderFinder;

typedef struct ReaderCandidate {
    ReaderPoint outline[4];
    float module;
    float agreement;
    uint32_t dimension;
    uint32_t is_light;
    uint32_t tried;
    uint32_t succeeded; // a TagHypothesis
} ReaderCandidate;

// Sends one packet, with `descriptor` attached unless it is -1. Returns 0, or the errno.
int reader_send(int socket, const void *bytes, size_t count, int descriptor);

// Receives one packet of at most `capacity` bytes. Returns its length; 0 at the peer's end; or -errno.
// A packet longer than `capacity` is -EMSGSIZE. `*descriptor` becomes the attached descriptor
// (close-on-exec, owned by the caller) or -1; `descriptor` may be NULL, then any attached is closed.
ssize_t reader_receive(int socket, void *bytes, size_t capacity, int *descriptor);

// Starts a reader process that is held to `memory_bytes` of address space: without environment,
// with no streams but /dev/null, in a process group of its own, and with no descriptor but its end
// of a socket pair. `*socket` becomes the other end, which does not block. With `is_model` it reads no
// picture, but makes copies of itself that do. Returns 0, or the errno.
int reader_start(const char *executable, uint64_t memory_bytes, int is_model, pid_t *identifier,
                 int *socket);

// --- Copies of a model ---

enum { READER_ORDER_COPY = 1, READER_ORDER_END = 2 };

// To a model: to make a copy, which has the attached socket as its end, or to end the copy that there
// is. Making one ends the one before.
typedef struct ReaderOrder {
    uint32_t version;
    uint32_t kind;
} ReaderOrder;

typedef struct ReaderOrderReply {
    uint32_t version;
    int32_t error;      // the errno where no copy could be made
    int32_t identifier; // the copy's
    int32_t status;     // of the copy that was ended, as waitpid gives it
} ReaderOrderReply;

// The model's work. Returns 0 in a copy, whose socket is the protocol's descriptor from then on; in the
// model the errno, once the pool has gone or spoken nonsense.
int reader_serve_copies(int control);

// Has a model make a copy. `*socket` becomes the pool's end of a new socket pair, which does not block;
// the copy is the model's child, and ends with it. Returns 0, or the errno.
int reader_copy(int control, int milliseconds, pid_t *identifier, int *socket);

// Has a model end its copy, whatever that does, and collect it; a copy that ended by itself has the
// status that it had. Returns 0, or the errno.
int reader_end_copy(int control, int milliseconds, int *status);

// How many processors this process may run on; at least 1.
int reader_processor_count(void);

#endif
