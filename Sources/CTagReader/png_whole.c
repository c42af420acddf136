// Unpacks the rows of a PNG in one piece, in a third of the time that libpng takes for them one by one.
//
// Only files that are sound throughout are unpacked here. Of all others libpng judges, as if this had not been
// tried, so that there is one judgement, and one wording, of what is damaged.

#include "tag_picture.h"

#if !__has_include(<libdeflate.h>)
#error "libdeflate's headers are missing: install the Debian package libdeflate-dev"
#endif
#include <libdeflate.h>

#include <stdlib.h>
#include <string.h>

// Pictures that unpack to more are left to libpng, which needs memory only for two rows.
#define MOST_UNPACKED (96u << 20)

#define TYPE_BYTES 4
#define CHUNK_HEADER 8 // bytes: the length of the data, and a type
#define CHUNK_FRAME 12 // with the checksum that follows the data

static uint32_t number_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int is_type(const uint8_t *type, const char *name) {
    return memcmp(type, name, TYPE_BYTES) == 0;
}

// Whether a chunk after the rows means nothing: text and the like. The first letter is then a small one.
static int is_skipped(const uint8_t *type) {
    for (int i = 0; i < TYPE_BYTES; i++) {
        uint8_t small = type[i] | 0x20;
        if (small < 'a' || small > 'z') return 0;
    }
    return (type[0] & 0x20) != 0 && !is_type(type, "tRNS");
}

// Moves the data of all IDAT chunks together, to the beginning. Returns its length; 0 if anything up to the end of
// the picture is damaged or unusual.
static size_t join_data(uint8_t *chunks, size_t count) {
    size_t joined = 0, at = 0;
    int is_after = 0; // the rows
    while (count - at >= CHUNK_FRAME) {
        const uint8_t *type = chunks + at + CHUNK_HEADER - TYPE_BYTES, *data = type + TYPE_BYTES;
        size_t length = number_at(chunks + at);
        if (length > count - at - CHUNK_FRAME) return 0;
        if (libdeflate_crc32(0, type, TYPE_BYTES + length) != number_at(data + length)) return 0;
        if (is_type(type, "IEND")) return length == 0 ? joined : 0;
        if (is_type(type, "IDAT") && !is_after) {
            memmove(chunks + joined, data, length);
            joined += length;
        } else if (is_skipped(type)) {
            is_after = 1;
        } else {
            return 0;
        }
        at += CHUNK_FRAME + length;
    }
    return 0;
}

#define STREAM_HEADER 2 // bytes
#define STREAM_CHECKSUM 4

// Whether a zlib stream begins as it should. Of a window that is too small for the distances in the stream, libpng
// judges.
static int is_sound_header(const uint8_t *header, size_t unpacked) {
    size_t window = (size_t)256 << (header[0] >> 4);
    return (header[0] & 15) == 8 && header[0] >> 4 <= 7 && (header[1] & 0x20) == 0
        && (header[0] << 8 | header[1]) % 31 == 0 && (window == 32768 || window >= unpacked);
}

// Unpacks a zlib stream to exactly `count` bytes. Its checksum is not compared: see tag_png_unpack.
static int inflate_all(const uint8_t *stream, size_t length, uint8_t *unpacked, size_t count) {
    if (length < STREAM_HEADER + STREAM_CHECKSUM || !is_sound_header(stream, count)) return 0;
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (decompressor == NULL) return 0;
    size_t packed = length - STREAM_HEADER - STREAM_CHECKSUM, used = 0;
    enum libdeflate_result result = libdeflate_deflate_decompress_ex(
        decompressor, stream + STREAM_HEADER, packed, unpacked, count, &used, NULL);
    libdeflate_free_decompressor(decompressor);
    return result == LIBDEFLATE_SUCCESS && used == packed;
}

#define MOST_FILTER 4

static int are_filtered_rows(const uint8_t *rows, size_t row_bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i * (row_bytes + 1)] > MOST_FILTER) return 0;
    }
    return 1;
}

uint8_t *tag_png_unpack_rows(const TagFile *file, size_t row_bytes, uint32_t count) {
    if (row_bytes >= MOST_UNPACKED / count) return NULL;
    size_t unpacked = (row_bytes + 1) * count, length = 0;
    uint8_t *chunks = tag_file_rest(file, CHUNK_HEADER, &length);
    // Every pixel is read as four bytes, also the last one.
    uint8_t *rows = chunks == NULL ? NULL : tag_large_allocate(unpacked + 3);
    int is_sound = rows != NULL && inflate_all(chunks, join_data(chunks, length), rows, unpacked)
        && are_filtered_rows(rows, row_bytes, count);
    free(chunks);
    if (is_sound) return rows;
    free(rows);
    return NULL;
}

// --- Filters ---

// Every pixel depends on the one on its left, for which the processor would wait. So the filters of four rows are
// undone at once, each one pixel behind the row above it.
#define LAG 2 // pixels
_Static_assert(TAG_PNG_GROUP == 4, "a group fills the vectors");

// Of a pixel in each row of a group.
typedef uint8_t Samples __attribute__((vector_size(16)));
typedef uint32_t Pixels __attribute__((vector_size(16)));

// All bits of the rows that have a filter.
typedef struct Filters {
    Samples sub, up, average, paeth;
} Filters;

static inline Samples choose(Samples condition, Samples one, Samples other) {
    return (condition & one) | (~condition & other);
}

// How far `one` is above `other`; 0 if it is not.
static inline Samples above_by(Samples one, Samples other) {
    return choose((Samples)(one > other), one, other) - other;
}

// What the pixels are expected to be. With PNG's filter of Paeth, that of the three which is nearest to left + above -
// corner: if two are, they are equal. The processor waits for each step from `left` to here, so they are few.
static inline Samples expected(const Filters *filters, Samples left, Samples above, Samples corner) {
    Samples is_less = (Samples)(left < above);
    Samples low = choose(is_less, left, above), high = choose(is_less, above, left);
    Samples over = above_by(high, corner), under = above_by(corner, low);
    Samples is_high = (Samples)(above_by(over, under) >= under);
    Samples is_low = (Samples)(above_by(under, over) >= over);
    Samples average = (left & above) + ((left ^ above) >> 1);
    Samples others = (left & filters->sub) | (above & filters->up) | (average & filters->average);
    return (is_high & high & filters->paeth) | (is_low & low & filters->paeth)
        | (~(is_high | is_low) & corner & filters->paeth) | others;
}

typedef struct Group {
    const uint8_t *rows; // as they are filtered
    size_t stride; // from a row to the next
    size_t pixels; // in a row
    uint32_t count; // of rows
    uint8_t *lines[TAG_PNG_GROUP + 1]; // the row before, and these as they are in the picture
    Filters filters;
    Samples before, left, corner; // of the pixels
} Group;

static Samples rows_with(const Group *group, uint8_t filter) {
    Pixels rows = {0};
    for (uint32_t i = 0; i < group->count; i++) {
        rows[i] = group->rows[i * group->stride] == filter ? UINT32_MAX : 0;
    }
    return (Samples)rows;
}

static inline int has_pixel(const Group *group, size_t x, uint32_t row) {
    return row < group->count && x >= LAG * row && x - LAG * row < group->pixels;
}

// Undoes a pixel in each row: `x` in the first, the one before in the next. `is_whole` if the picture has all four.
__attribute__((always_inline)) static inline void undo(Group *group, size_t x, size_t size, int is_whole) {
    Pixels from = {0}, before = (Pixels)group->before;
    Pixels above = {0, before[0], before[1], before[2]};
    uint32_t word;
    if (is_whole || x < group->pixels) {
        memcpy(&word, group->lines[0] + x * size, sizeof word);
        above[0] = word;
    }
    for (uint32_t i = 0; i < TAG_PNG_GROUP; i++) {
        if (!is_whole && !has_pixel(group, x, i)) continue;
        memcpy(&word, group->rows + i * group->stride + 1 + (x - LAG * i) * size, sizeof word);
        from[i] = word;
    }
    Samples here = (Samples)from + expected(&group->filters, group->left, (Samples)above, group->corner);
    Pixels pixels = (Pixels)here;
    for (uint32_t i = 0; i < TAG_PNG_GROUP; i++) {
        word = pixels[i];
        if (is_whole || has_pixel(group, x, i)) {
            memcpy(group->lines[i + 1] + (x - LAG * i) * size, &word, sizeof word);
        } else {
            pixels[i] = 0; // as if before the first pixel, which alone matters
        }
    }
    group->before = group->left;
    group->left = (Samples)pixels;
    group->corner = (Samples)above;
}

// In line with a constant size, so that each has a loop of its own.
__attribute__((always_inline)) static inline void undo_all(const Group *given, size_t size) {
    Group group = *given; // not changed by what is written to lines
    size_t x = 0, all = LAG * (TAG_PNG_GROUP - 1), end = group.pixels + all;
    if (group.count == TAG_PNG_GROUP) {
        for (; x < all; x++) undo(&group, x, size, 0);
        for (; x < group.pixels; x++) undo(&group, x, size, 1);
    }
    for (; x < end; x++) undo(&group, x, size, 0);
}

void tag_png_unfilter(const uint8_t *rows, uint32_t count, size_t pixels, size_t size,
                      uint8_t *const lines[TAG_PNG_GROUP + 1]) {
    Group group = {.rows = rows, .stride = pixels * size + 1, .pixels = pixels, .count = count};
    memcpy(group.lines, lines, sizeof group.lines);
    group.filters = (Filters){
        rows_with(&group, 1), rows_with(&group, 2), rows_with(&group, 3), rows_with(&group, 4),
    };
    switch (size) {
    case 1: undo_all(&group, 1); break;
    case 2: undo_all(&group, 2); break;
    case 3: undo_all(&group, 3); break;
    default: undo_all(&group, 4);
    }
}
