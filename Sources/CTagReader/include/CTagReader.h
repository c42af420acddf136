// CTagReader: reads a picture and returns the payload of every QR symbol in it.
//
// Why this is C: libpng and libjpeg report errors with longjmp, which must not cross Swift frames; and
// their row loop and the conversion to luminance should be one vectorisable pass over plain memory.
//
// Calls share no state, so any number of threads may call at the same time. Nothing is written to
// standard output or standard error. Every input is untrusted: for any bytes, a call returns with a
// status, and the limits bound its memory and work.

#ifndef CTAGREADER_H
#define CTAGREADER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The result of reading a picture. The numbers are part of the protocol between the reader process
// and its pool: never renumber.
typedef enum TagReaderStatus {
    TAG_READER_OK = 0,               // read completely; there may still be no symbol in it
    TAG_READER_NOT_AN_IMAGE = 1,     // neither a PNG nor a JPEG, or a JPEG of a rare kind
    TAG_READER_DAMAGED = 2,          // its structure, a checksum or compressed data is broken
    TAG_READER_TOO_MANY_PIXELS = 3,  // width x height is over the limit
    TAG_READER_TOO_MANY_BYTES = 4,   // the file is longer than the limit
    TAG_READER_TOO_MANY_SYMBOLS = 5, // more symbols than the limit: none is returned
    TAG_READER_OUT_OF_MEMORY = 6,    // there was no memory
    TAG_READER_INPUT_FAILED = 7,     // the descriptor could not be read; see `error_number`
    TAG_READER_DECODER_FAILED = 8,   // zbar could not be set up or rejected the picture
} TagReaderStatus;

// How much work to spend on a picture. The numbers are part of the protocol: never renumber. Work
// is counted in pixels, never in time: the same picture always gets the same answer.
typedef enum TagReaderEffort {
    TAG_READER_NORMAL = 0,
    TAG_READER_FAST = 1,     // the most likely ways only
    TAG_READER_THOROUGH = 2, // all ways
} TagReaderEffort;

// The limits for one picture. Exceeding a limit has its own status, never "no symbol".
typedef struct TagReaderLimits {
    uint64_t pixels;     // width x height; also bounds each side
    uint64_t file_bytes; // length of the file
    uint32_t symbols;    // symbols in one picture
    uint32_t effort;     // a TagReaderEffort; anything else counts as normal
} TagReaderLimits;

// A position in the picture as it is stored, in pixels from the top left corner.
typedef struct TagReaderPoint {
    int32_t x;
    int32_t y;
} TagReaderPoint;

#define TAG_READER_MAX_CORNERS 4

// Why the text of a symbol is not told, although the symbol was read. The numbers are part of the
// protocol: never renumber.
typedef enum TagReaderRefusal {
    TAG_READER_TOLD = 0,
    TAG_READER_UNKNOWN_SET = 1,  // the declared character set is not assigned, or not known here
    TAG_READER_INVALID_TEXT = 2, // there are bytes that are no text in the declared set
    TAG_READER_AMBIGUOUS_TEXT = 3, // it can be understood in two ways
} TagReaderRefusal;

// The parts of a structured append are joined to one symbol if all of them are in the picture;
// otherwise each part is a symbol of its own.
typedef struct TagReaderSymbol {
    // The payload: text of a declared character set (ECI) and of Kanji mode in UTF-8, all other
    // bytes as encoded. Not terminated, may hold NUL.
    const uint8_t *bytes;
    size_t count;         // its length in bytes
    TagReaderRefusal refusal; // if not TAG_READER_TOLD, there is no payload
    uint32_t character_set;   // the ECI that was refused, else 0
    uint32_t corner_count; // 0 to TAG_READER_MAX_CORNERS
    TagReaderPoint corners[TAG_READER_MAX_CORNERS];
    int is_partial; // 1: a part of a structured append, whose other parts are elsewhere
} TagReaderSymbol;

#define TAG_READER_MOST_UNREAD 8

// A place that looks like a symbol and could not be read: its corners, clockwise.
typedef struct TagReaderUnread {
    TagReaderPoint corners[TAG_READER_MAX_CORNERS];
} TagReaderUnread;

// The reading of one picture. Owned by the caller: free it with tag_reader_result_free.
typedef struct TagReaderResult {
    TagReaderStatus status;
    int error_number;   // errno of TAG_READER_INPUT_FAILED, else 0
    char message[192];  // the error for the user; empty if the status is OK
    uint32_t width;     // in pixels; 0 if the header could not be read
    uint32_t height;
    size_t symbol_count;
    TagReaderSymbol *symbols; // by their outlines: top to bottom, then left to right
    uint32_t unread_count;    // at most TAG_READER_MOST_UNREAD
    TagReaderUnread unread[TAG_READER_MOST_UNREAD];
} TagReaderResult;

// --- Why a picture could or could not be read ---

// The ways of presenting a candidate to the decoder, in the order in which they are tried.
typedef enum TagHypothesis {
    TAG_HYPOTHESIS_NONE = 0,       // nothing was read here
    TAG_HYPOTHESIS_GRID = 1,       // rotation and perspective corrected by the finder patterns
    TAG_HYPOTHESIS_ALIGNMENT = 2,  // also corrected by an alignment pattern
    TAG_HYPOTHESIS_MESH = 3,       // curvature corrected by following the edges of modules
    TAG_HYPOTHESIS_THRESHOLD = 4,  // another window for the local threshold
    TAG_HYPOTHESIS_EQUALISED = 5,  // blur removed by a filter learnt from the known modules
    TAG_HYPOTHESIS_SHARPENED = 6,  // an unsharp mask of the size of a module
    TAG_HYPOTHESIS_TWO_FINDERS = 7, // one finder pattern missing
    TAG_HYPOTHESIS_PLAIN = 8,      // the unchanged picture
    TAG_HYPOTHESIS_DECONVOLVED = 9, // the modules that this blur would make look like the picture
    TAG_HYPOTHESIS_WORN = 10,      // lines or dots of the print are missing
} TagHypothesis;

// One place where a symbol may be.
typedef struct TagCandidate {
    TagReaderPoint outline[4]; // of the symbol as estimated, clockwise from the corner
    float module;              // length of a module, in pixels
    uint32_t dimension;        // modules on each side; 0 if unknown
    uint32_t light;            // 1: light modules on a dark ground
    uint32_t tried;            // hypotheses tried
    uint32_t succeeded;        // a TagHypothesis
    float agreement; // 0 to 1: the best share of correct modules, of those of known colour
} TagCandidate;

#define TAG_READER_MOST_CANDIDATES 64
#define TAG_READER_MOST_SHOWN_FINDERS 192
#define TAG_READER_MOST_SHOWN_PIXELS 2000000
#define TAG_READER_MOST_SHOWN_SIDE 4096

// The picture with the detail needed to show where things are: each pixel is the mean of `step` by
// `step` pixels of the picture, or of fewer at the right and the bottom.
typedef struct TagShownPicture {
    uint32_t width;
    uint32_t height;
    uint32_t step;
    uint8_t *luminance;
} TagShownPicture;

// Everything that the reader looked at in one picture; empty if it was not read completely. Owned
// by the caller: free it with tag_reader_explanation_free.
typedef struct TagReaderExplanation {
    uint32_t finder_count; // finder patterns found
    TagReaderPoint finders[TAG_READER_MOST_SHOWN_FINDERS];
    float finder_modules[TAG_READER_MOST_SHOWN_FINDERS]; // length of a module, in pixels
    uint32_t candidate_count;
    TagCandidate candidates[TAG_READER_MOST_CANDIDATES]; // the first ones, in the order tried
    uint32_t plain_scans; // scans without a candidate
    uint64_t work;        // units spent
    TagShownPicture picture;
} TagReaderExplanation;

// Reads the PNG or JPEG behind `descriptor`, from its first byte on, and every QR symbol in it. The file
// offset is neither used nor moved. The descriptor stays open.
//
// `result` is completely written, also on failure; it must always be freed.
void tag_reader_read(int descriptor, const TagReaderLimits *limits, TagReaderResult *result);

// The same, with an explanation. `explanation` may be NULL; it is completely written, and must
// always be freed.
void tag_reader_read_explained(int descriptor, const TagReaderLimits *limits,
                               TagReaderResult *result, TagReaderExplanation *explanation);

// Reads the symbols of an unpacked picture: one byte of luminance per pixel, rows from top to
// bottom without padding. The pixels are copied.
void tag_reader_read_luminance(const uint8_t *pixels, uint32_t width, uint32_t height,
                               const TagReaderLimits *limits, TagReaderResult *result,
                               TagReaderExplanation *explanation);

// Frees what a result holds and clears it. A cleared result may be freed again.
void tag_reader_result_free(TagReaderResult *result);

// Frees what an explanation holds and clears it. A cleared explanation may be freed again.
void tag_reader_explanation_free(TagReaderExplanation *explanation);

// Opens the character-set converters that would otherwise be opened at the first symbol, and what
// libjpeg-turbo would open at its first picture, so that a process can then give up access to the file
// system, if it opens character sets of one byte for libzbar as `luggage-reader` does. Call once at start;
// always succeeds.
void tag_reader_warm_up(void);

#ifdef __cplusplus
}
#endif

#endif
