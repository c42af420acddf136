// Private to CTagReader: the declarations that its sources share.

#ifndef TAG_PICTURE_H
#define TAG_PICTURE_H

#include "CTagReader.h"

// --- A file, read through a buffer of our own (picture_file.c) ---

#define TAG_FILE_BUFFER 65536

typedef struct TagFile {
    int descriptor;
    uint64_t limit;    // bytes that may be read
    uint64_t offset;   // of the next byte to fetch from the descriptor
    size_t position;   // of the next byte to hand out, in `bytes`
    size_t available;  // bytes held in `bytes`
    uint8_t bytes[TAG_FILE_BUFFER];
} TagFile;

typedef enum TagFileStatus {
    TAG_FILE_OK,
    TAG_FILE_ENDED,    // the file is shorter than requested
    TAG_FILE_TOO_LONG, // the limit is reached
    TAG_FILE_FAILED,   // see errno
} TagFileStatus;

void tag_file_open(TagFile *file, int descriptor, uint64_t limit);

// The length of the whole file; 0 if it cannot be known in advance.
TagFileStatus tag_file_length(const TagFile *file, uint64_t *length);

// Copies exactly `count` bytes.
TagFileStatus tag_file_read(TagFile *file, uint8_t *bytes, size_t count);

// Gives the next bytes of the file, as many as are at hand, without consuming them.
TagFileStatus tag_file_peek(TagFile *file, const uint8_t **bytes, size_t *count);

// Gives the same bytes and consumes them. They are valid until the next call.
TagFileStatus tag_file_take(TagFile *file, const uint8_t **bytes, size_t *count);

// Copies what comes next to the end of the file, and `before` bytes that came last, without consuming any. Returns
// NULL if it cannot be had, which then shows again where it is read.
uint8_t *tag_file_rest(const TagFile *file, size_t before, size_t *count);

// Records why no more of the file could be had. `format` names what the file is.
void tag_file_fail(const TagFile *file, TagFileStatus status, const char *format,
                   TagReaderResult *result);

// --- The kind of a file by its first bytes (picture_format.c) ---

typedef enum TagFormat {
    TAG_FORMAT_OTHER,
    TAG_FORMAT_PNG,
    TAG_FORMAT_JPEG,
} TagFormat;

TagFormat tag_format_of(const uint8_t *bytes, size_t count);

// Whether this is a PNG whose signature was changed by a transfer in text mode.
int tag_format_is_mangled_png(const uint8_t *bytes, size_t count);

// A description of other bytes, which completes "the file is …".
const char *tag_format_describe(const uint8_t *bytes, size_t count);

// --- One row of samples to luminance (luminance_rows.c) ---

// Rec. 601 luma in 256ths: 0.299 R, 0.587 G, 0.114 B. The greatest sum is 65,408, so 16 bits hold it.
#define TAG_LUMA(r, g, b) ((uint8_t)((uint16_t)(77 * (r) + 150 * (g) + 29 * (b) + 128) >> 8))

// The layout and meaning of the samples of a row.
typedef struct TagRowFormat {
    uint8_t bits;     // of a sample: 1, 2, 4, 8 or 16
    uint8_t channels; // 1 grey or palette, 2 grey and alpha, 3 RGB, 4 RGB and alpha
    uint8_t indexed;  // a sample of up to 8 bits is looked up in the two tables
    uint8_t keyed;    // a pixel equal to `key` is transparent
    uint16_t key[3];
    uint8_t luminance[256];
    uint8_t alpha[256];
} TagRowFormat;

// Whether rows of this format can hold pixels that are not opaque.
int tag_row_format_has_alpha(const TagRowFormat *format);

// Whether samples already are luminance.
int tag_row_format_is_luminance(const TagRowFormat *format);

// Converts `count` pixels. If the format has alpha, it is written to `alpha`, and the result tells
// whether any pixel is not opaque. The luminance is not multiplied by it.
int tag_row_convert(const TagRowFormat *format, const uint8_t *samples, size_t count,
                    uint8_t *luminance, uint8_t *alpha);

// value * alpha / 255, rounded.
static inline uint8_t tag_scaled(uint8_t value, uint8_t alpha) {
    uint32_t product = (uint32_t)value * alpha + 128;
    return (uint8_t)((product + (product >> 8)) >> 8);
}

// --- Smaller scales of a picture (scales.c) ---

#define TAG_MOST_LEVELS 7

// 8 bits per pixel, rows without padding.
typedef struct TagPlane {
    uint8_t *pixels;
    uint32_t width;
    uint32_t height;
} TagPlane;

// The brightness at a position between pixels, in pixels from the top left corner; outside, that of the edge.
static inline float tag_plane_sample(const TagPlane *plane, float x, float y) {
    x -= 0.5f;
    y -= 0.5f;
    float right = (float)(plane->width - 1), bottom = (float)(plane->height - 1);
    x = x > 0 ? (x < right ? x : right) : 0; // also for NaN
    y = y > 0 ? (y < bottom ? y : bottom) : 0;
    uint32_t column = (uint32_t)x, row = (uint32_t)y;
    uint32_t next = column + 1 < plane->width ? 1 : 0;
    const uint8_t *above = plane->pixels + (size_t)row * plane->width + column;
    const uint8_t *below = row + 1 < plane->height ? above + plane->width : above;
    float fx = x - (float)column, fy = y - (float)row;
    float upper = (float)above[0] + ((float)above[next] - (float)above[0]) * fx;
    float lower = (float)below[0] + ((float)below[next] - (float)below[0]) * fx;
    return upper + (lower - upper) * fy;
}

// Level 0 is the picture itself; each further level has half the width and height, rounded down.
typedef struct TagScales {
    uint32_t count;
    TagPlane level[TAG_MOST_LEVELS];
    uint8_t *memory; // of all levels but the first
} TagScales;

// --- The rows of a PNG in one piece (png_whole.c) ---

// Unpacks the rows whose data begins where `file` is, behind the header of the first IDAT chunk, and consumes
// nothing: `count` rows of `row_bytes`, each behind the byte that names its filter. Returns NULL if anything up to the
// end of the picture is unusual or damaged, or there is no memory.
uint8_t *tag_png_unpack_rows(const TagFile *file, size_t row_bytes, uint32_t count);

#define TAG_PNG_GROUP 4

// Undoes the filters of up to TAG_PNG_GROUP such rows, in pixels of `size` bytes, 1 to 4. `lines` are the row before
// and these rows; each has room for three bytes more.
void tag_png_unfilter(const uint8_t *rows, uint32_t count, size_t pixels, size_t size,
                      uint8_t *const lines[TAG_PNG_GROUP + 1]);

// --- A picture as luminance (png_luminance.c, jpeg_luminance.c, picture_planes.c) ---

// More pixels than this overflow zbar's arithmetic, even if the caller allows more.
#define TAG_MOST_PIXELS UINT64_C(0x7FFFFFFF)

// A picture of 8 bits per pixel, rows without padding.
//
// With transparency, `luminance` first holds the picture on a black ground. It can be changed to a
// white one and back in place, because they differ by 255 - alpha.
typedef struct TagPicture {
    uint32_t width;
    uint32_t height;
    uint8_t *luminance;
    uint8_t *alpha; // NULL if every pixel is opaque
    TagScales scales;
    int is_doubtful; // 1: the file may be damaged; if nothing is found, it is taken to be
} TagPicture;

// Memory for something as large as a picture, freed by free(). Returns NULL if there is none.
void *tag_large_allocate(size_t count);

// Makes room for a picture of this size, which is recorded in `result`. Returns 0 if that is over the
// limit, or there is no memory; `result` then says so. The caller frees the picture in any case.
int tag_picture_begin(TagPicture *picture, uint32_t width, uint32_t height,
                      const TagReaderLimits *limits, TagReaderResult *result);

// Prepares the scales of a picture with allocated luminance, without filling them. Returns 0 if
// there is no memory.
int tag_scales_allocate(TagPicture *picture);

// Computes the rows of the scales that row `y` of level 0 completes; rows come from top to bottom.
void tag_scales_row_done(TagScales *scales, uint32_t y);

// Makes a picture of twice the size, with its scales. Returns 0 if there is no memory. The caller frees
// it in any case.
int tag_picture_double(const TagPicture *picture, TagPicture *doubled);

// Fills all scales from level 0.
void tag_scales_fill(TagScales *scales);

// Unpacks the PNG in `file`. On failure `result` holds status and message, and the picture is empty.
// The size is recorded in `result` as soon as it is known.
void tag_png_unpack(TagFile *file, const TagReaderLimits *limits, TagPicture *picture,
                    TagReaderResult *result);

// The same for a JPEG.
void tag_jpeg_unpack(TagFile *file, const TagReaderLimits *limits, TagPicture *picture,
                     TagReaderResult *result);

// Lets libjpeg-turbo open what it would otherwise open at its first picture.
void tag_jpeg_warm_up(void);

void tag_picture_free(TagPicture *picture);

// Stores one converted row: pixel i goes to column `first` + i * `step` of row `y`. `alpha` is NULL
// for an opaque row. Returns 0 if there is no memory for the alpha plane.
int tag_picture_keep_row(TagPicture *picture, uint32_t y, uint32_t first, uint32_t step,
                         size_t count, uint8_t *luminance, const uint8_t *alpha);

void tag_picture_from_black_to_white(TagPicture *picture);
void tag_picture_from_white_to_black(TagPicture *picture);

// --- Symbols (scan.c, symbols.c) ---

// A position in whole pixels; one far outside, or NaN, becomes one far outside.
TagReaderPoint tag_point(float x, float y);

// Adds a copy of one symbol, unless the same payload is already at the same place. Returns 0 if
// there is no memory.
int tag_symbols_add(TagReaderResult *result, const TagReaderSymbol *symbol);

// Sorts the symbols by position.
void tag_symbols_sort(TagReaderResult *result);

// --- Failure (tag_reader.c) ---

// Records why a picture could not be read; only the first failure counts.
__attribute__((format(printf, 3, 4)))
void tag_fail(TagReaderResult *result, TagReaderStatus status, const char *format, ...);

#endif
