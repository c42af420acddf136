// CTagReader: a picture in, the exact bytes of every QR symbol in it out.
//
// Why this is C: libpng reports errors by longjmp, which must not cross Swift frames, and its row
// loop and the conversion to luminance want to be one vectorisable pass over plain memory.
//
// Calls share no state and may run in as many threads as there are pictures. Nothing is ever written
// to standard output or standard error. Every input is untrusted: whatever the bytes are, a call
// returns with a status; memory and work are bounded by the limits.

#ifndef CTAGREADER_H
#define CTAGREADER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// How a picture could be read. The numbers are part of the protocol between the reader process and
// its pool: never renumber.
typedef enum TagReaderStatus {
    TAG_READER_OK = 0,               // read to its end; there may be no symbol in it all the same
    TAG_READER_NOT_AN_IMAGE = 1,     // the bytes do not begin like a PNG
    TAG_READER_DAMAGED = 2,          // a PNG whose structure, checksum or compressed data is broken
    TAG_READER_TOO_MANY_PIXELS = 3,  // width x height is over the limit
    TAG_READER_TOO_MANY_BYTES = 4,   // the file is longer than the limit
    TAG_READER_TOO_MANY_SYMBOLS = 5, // more symbols than the limit: none is given
    TAG_READER_OUT_OF_MEMORY = 6,    // memory could not be had
    TAG_READER_INPUT_FAILED = 7,     // the descriptor could not be read; `error_number` says why
    TAG_READER_DECODER_FAILED = 8,   // zbar could not be set up or refused the picture
} TagReaderStatus;

// What one picture may cost. A limit that is exceeded is a status of its own, never "no symbol".
typedef struct TagReaderLimits {
    uint64_t pixels;     // width x height; also bounds each side
    uint64_t file_bytes; // length of the PNG file
    uint32_t symbols;    // symbols in one picture
} TagReaderLimits;

// A position in the picture, in pixels from the top left corner.
typedef struct TagReaderPoint {
    int32_t x;
    int32_t y;
} TagReaderPoint;

#define TAG_READER_MAX_CORNERS 4

// The parts of a structured append are joined to one symbol where all of them are in the picture;
// otherwise each part is a symbol of its own.
typedef struct TagReaderSymbol {
    const uint8_t *bytes; // the payload, exactly as encoded; not terminated, may hold NUL
    size_t count;         // its length in bytes
    uint32_t corner_count; // 0 to TAG_READER_MAX_CORNERS
    TagReaderPoint corners[TAG_READER_MAX_CORNERS];
    int is_partial; // 1: a part of a structured append, whose other parts are elsewhere
} TagReaderSymbol;

// Everything learnt from one picture. Owned by the caller: free it with tag_reader_result_free.
typedef struct TagReaderResult {
    TagReaderStatus status;
    int error_number;   // errno of TAG_READER_INPUT_FAILED, else 0
    char message[192];  // what went wrong, for a person; empty when the status is OK
    uint32_t width;     // in pixels; 0 where the header could not be read
    uint32_t height;
    size_t symbol_count;
    TagReaderSymbol *symbols; // by their outlines: top to bottom, then left to right
} TagReaderResult;

// Reads the PNG behind `descriptor`, from its first byte and whatever its file offset is (the offset
// is neither used nor moved), and every QR symbol in it. The descriptor stays open.
//
// `result` is written whole, also on failure; it needs freeing on every path.
void tag_reader_read(int descriptor, const TagReaderLimits *limits, TagReaderResult *result);

// Frees what a result holds and clears it. A cleared result may be freed again.
void tag_reader_result_free(TagReaderResult *result);

// Opens the character-set converters that libzbar would otherwise open at its first symbol, so that
// a process can close the file system to itself afterwards. Call once at start; always succeeds.
void tag_reader_warm_up(void);

#ifdef __cplusplus
}
#endif

#endif
