// CReaderProtocol: the protocol between the reader pool and a reader process.
//
// Both use one AF_UNIX SOCK_SEQPACKET pair; each message is one packet:
//   reader -> pool   ReaderGreeting, once, before there is any picture
//   pool -> reader   ReaderRequest, with the picture's descriptor as SCM_RIGHTS
//   reader -> pool   ReaderReply, then `symbol_count` packets of ReaderSymbolHeader + payload bytes;
//                    then, if the picture was read and the explanation was requested:
//                    ReaderExplanationHeader, all ReaderFinder in one packet, all ReaderCandidate in
//                    one packet (neither if there are none), and the luminance of the shown picture
//                    in packets of READER_MAX_LUMINANCE bytes, the last one shorter
//
// Both ends are built from one package, so the structs use the machine's own layout. The pool
// treats every reply as untrusted, because the reader has parsed hostile input.
//
// Why this is C: Swift lacks the control-message macros that pass descriptors, and some GNU
// functions; and one declaration of the wire format must serve both ends.

#ifndef CREADERPROTOCOL_H
#define CREADERPROTOCOL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Changes with every change of the structs below; the pool rejects a reader of another build.
#define READER_PROTOCOL_VERSION 0x4C520006u

// The descriptor on which a reader process, or a model, finds its end of the socket pair.
#define READER_PROTOCOL_DESCRIPTOR 3

#define READER_MAX_CORNERS 4
#define READER_MAX_UNREAD 8

// The longest payload, in bytes: a structured append joins 16 symbols of up to 7089 digits.
#define READER_MAX_PAYLOAD 113424

// The limits of an explanation.
#define READER_MAX_FINDERS 192
#define READER_MAX_CANDIDATES 64
#define READER_MAX_SHOWN_PIXELS 2000000
#define READER_MAX_SHOWN_SIDE 4096
#define READER_MAX_LUMINANCE 65536

// The protections that the process could not set up, each as the kernel's errno; 0 on success.
typedef struct ReaderGreeting {
    uint32_t version;
    uint32_t landlock_version; // as CReaderSandbox counts them; 0 if there is none
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
    uint32_t explains;          // 1: the explanation is requested too
} ReaderRequest;

typedef struct ReaderPoint {
    int32_t x;
    int32_t y;
} ReaderPoint;

// The same as in TagReaderUnread.
typedef struct ReaderUnread {
    ReaderPoint corners[READER_MAX_CORNERS];
} ReaderUnread;

typedef struct ReaderReply {
    uint32_t version;
    uint32_t sequence;
    int32_t status;       // TagReaderStatus
    int32_t error_number;
    uint32_t width;
    uint32_t height;
    uint32_t symbol_count;
    uint32_t unread_count; // at most READER_MAX_UNREAD; 0 if the picture was not read
    uint64_t nanoseconds;  // wall-clock time of reading inside the process
    char message[192];     // UTF-8, terminated
    ReaderUnread unread[READER_MAX_UNREAD];
} ReaderReply;

typedef struct ReaderSymbolHeader {
    uint32_t sequence;
    uint32_t index;      // 0, 1, … in order
    uint32_t byte_count; // payload bytes that follow in the same packet
    uint32_t is_partial;
    uint32_t corner_count;
    uint32_t refusal;       // a TagReaderRefusal; if not 0, there is no payload
    uint32_t character_set; // the ECI that was refused, else 0
    uint32_t reserved;
    ReaderPoint corners[READER_MAX_CORNERS];
} ReaderSymbolHeader;

// The same as in TagReaderExplanation, also for the two structs below.
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

// Receives one packet of at most `capacity` bytes. Returns its length, or 0 if the peer has closed,
// or -errno. A packet longer than `capacity` gives -EMSGSIZE. `*descriptor` becomes the attached
// descriptor (close-on-exec, owned by the caller) or -1. If `descriptor` is NULL, any attached
// descriptor is closed.
ssize_t reader_receive(int socket, void *bytes, size_t capacity, int *descriptor);

// --- Copies of a model ---

enum { READER_ORDER_COPY = 1, READER_ORDER_END = 2 };

// Tells a model to make a copy, whose end is the attached socket, or to end the present copy in any
// state. Making one ends the one before. A copy that ended by itself keeps its status.
typedef struct ReaderOrder {
    uint32_t version;
    uint32_t kind;
} ReaderOrder;

typedef struct ReaderOrderReply {
    uint32_t version;
    int32_t error;      // the errno if no copy could be made
    int32_t identifier; // the copy's
    int32_t status;     // of the ended copy, as waitpid gives it
} ReaderOrderReply;

// The work of a model. In a copy it returns 0, and the copy's socket is then the protocol's
// descriptor. In the model it returns the errno, after the pool has gone or sent an invalid order.
int reader_serve_copies(int control);

#endif
