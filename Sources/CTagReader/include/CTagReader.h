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

// How much work a picture is worth. The numbers are part of the protocol: never renumber. The amount
// is counted in pixels visited and never in time: the same picture always gets the same answer.
typedef enum TagReaderEffort {
    TAG_READER_NORMAL = 0,
    TAG_READER_FAST = 1,     // the likeliest ways only
    TAG_READER_THOROUGH = 2, // every way there is
} TagReaderEffort;

// What one picture may cost. A limit that is exceeded is a status of its own, never "no symbol".
typedef struct TagReaderLimits {
    uint64_t pixels;     // width x height; also bounds each side
    uint64_t file_bytes; // length of the PNG file
    uint32_t symbols;    // symbols in one picture
    uint32_t effort;     // a TagReaderEffort; anything else counts as normal
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

// --- Why a picture did or did not read ---

// The ways in which a candidate is presented to the decoder, in the order in which they are tried.
typedef enum TagHypothesis {
    TAG_HYPOTHESIS_NONE = 0,       // nothing was read here
    TAG_HYPOTHESIS_GRID = 1,       // rotation and perspective undone by the finder patterns
    TAG_HYPOTHESIS_ALIGNMENT = 2,  // and by an alignment pattern
    TAG_HYPOTHESIS_MESH = 3,       // curvature undone by following the edges of modules
    TAG_HYPOTHESIS_THRESHOLD = 4,  // another window for the local threshold
    TAG_HYPOTHESIS_EQUALISED = 5,  // blur undone as learnt from the known modules
    TAG_HYPOTHESIS_SHARPENED = 6,  // an unsharp mask of the size of a module
    TAG_HYPOTHESIS_TWO_FINDERS = 7, // one finder pattern missing
    TAG_HYPOTHESIS_PLAIN = 8,      // the picture as it is
} TagHypothesis;

// One place where a symbol may be.
typedef struct TagCandidate {
    TagReaderPoint outline[4]; // of the symbol as estimated, clockwise from the corner
    float module;              // length of a module, in pixels
    uint32_t dimension;        // modules on each side; 0 where it could not be told
    uint32_t light;            // 1: light modules on a dark ground
    uint32_t tried;            // hypotheses tried
    uint32_t succeeded;        // a TagHypothesis
    float agreement; // 0 to 1: of the modules of known colour, how many came out right at best
} TagCandidate;

#define TAG_READER_MOST_CANDIDATES 64
#define TAG_READER_MOST_SHOWN_FINDERS 192
#define TAG_READER_MOST_SHOWN_PIXELS 2000000
#define TAG_READER_MOST_SHOWN_SIDE 4096

// The picture as far as it is needed to show where things are: each pixel is the mean of `step` by
// `step` of the picture's, or of what is left of them at the right and the bottom.
typedef struct TagShownPicture {
    uint32_t width;
    uint32_t height;
    uint32_t step;
    uint8_t *luminance;
} TagShownPicture;

// Everything that was looked at in one picture; empty where it could not be read to its end. Owned by
// the caller: free it with tag_reader_explanation_free.
typedef struct TagReaderExplanation {
    uint32_t finder_count; // finder patterns seen
    TagReaderPoint finders[TAG_READER_MOST_SHOWN_FINDERS];
    float finder_modules[TAG_READER_MOST_SHOWN_FINDERS]; // length of a module, in pixels
    uint32_t candidate_count;
    TagCandidate candidates[TAG_READER_MOST_CANDIDATES]; // the first ones, in the order tried
    uint32_t plain_scans; // scans without a candidate
    uint64_t work;        // units spent
    TagShownPicture picture;
} TagReaderExplanation;

// Reads the PNG behind `descriptor`, from its first byte and whatever its file offset is (the offset
// is neither used nor moved), and every QR symbol in it. The descriptor stays open.
//
// `result` is written whole, also on failure; it needs freeing on every path.
void tag_reader_read(int descriptor, const TagReaderLimits *limits, TagReaderResult *result);

// The same, and says what was looked at. `explanation` may be NULL; it is written whole, and needs
// freeing on every path.
void tag_reader_read_explained(int descriptor, const TagReaderLimits *limits,
                               TagReaderResult *result, TagReaderExplanation *explanation);

// Reads the symbols of a picture that is unpacked already: one byte of luminance a pixel, rows from
// top to bottom without padding. The pixels are copied.
void tag_reader_read_luminance(const uint8_t *pixels, uint32_t width, uint32_t height,
                               const TagReaderLimits *limits, TagReaderResult *result,
                               TagReaderExplanation *explanation);

// Frees what a result holds and clears it. A cleared result may be freed again.
void tag_reader_result_free(TagReaderResult *result);

// Frees what an explanation holds and clears it. A cleared explanation may be freed again.
void tag_reader_explanation_free(TagReaderExplanation *explanation);

// Opens the character-set converters that libzbar would otherwise open at its first symbol, so that
// a process can close the file system to itself afterwards. Call once at start; always succeeds.
void tag_reader_warm_up(void);

#ifdef __cplusplus
}
#endif

#endif
