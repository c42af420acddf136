// Unpacks a PNG row by row into a luminance plane.
//
// libpng exits with longjmp. So everything that must be freed afterwards is in Unpacking, behind a
// pointer that never changes, and the frame that calls setjmp changes no local variable.

#include "tag_picture.h"

#if !__has_include(<png.h>)
#error "libpng's headers are missing: install the Debian package libpng-dev"
#endif
#include <png.h>

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct Unpacking {
    png_structp png;
    png_infop info;
    TagFile *file;
    TagPicture *picture;
    TagReaderResult *result;
    TagRowFormat format;
    uint8_t *rows;      // all of them, if they could be unpacked in one piece
    uint8_t *samples;   // one row from libpng, or a group of them and the one before
    uint8_t *luminance; // one row, converted
    uint8_t *alpha;
    int out_of_memory; // there was no memory for libpng
} Unpacking;

// --- What libpng calls ---

static void on_error(png_structp png, png_const_charp message) {
    Unpacking *unpacking = png_get_error_ptr(png);
    if (unpacking->out_of_memory) {
        tag_fail(unpacking->result, TAG_READER_OUT_OF_MEMORY, "memory ran out while unpacking");
    } else {
        tag_fail(unpacking->result, TAG_READER_DAMAGED, "the PNG is damaged: %s", message);
    }
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static png_voidp on_allocate(png_structp png, png_alloc_size_t count) {
    Unpacking *unpacking = png_get_mem_ptr(png);
    void *memory = malloc(count);
    if (memory == NULL) unpacking->out_of_memory = 1;
    return memory;
}

static void on_free(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

static void on_read(png_structp png, png_bytep bytes, size_t count) {
    Unpacking *unpacking = png_get_io_ptr(png);
    TagFileStatus status = tag_file_read(unpacking->file, bytes, count);
    if (status == TAG_FILE_OK) return;
    tag_file_fail(unpacking->file, status, "PNG", unpacking->result);
    png_longjmp(png, 1);
}

// --- What the samples mean ---

// Grey samples of up to 8 bits and palette indices become tables; other samples are converted directly.
static void learn_format(Unpacking *unpacking) {
    png_structp png = unpacking->png;
    png_infop info = unpacking->info;
    TagRowFormat *format = &unpacking->format;
    int color_type = png_get_color_type(png, info);
    png_bytep alphas = NULL;
    png_color_16p key = NULL;
    int alpha_count = 0;
    int has_trns = png_get_tRNS(png, info, &alphas, &alpha_count, &key) != 0;

    memset(format, 0, sizeof *format);
    format->bits = png_get_bit_depth(png, info);
    format->channels = png_get_channels(png, info);
    memset(format->alpha, 255, sizeof format->alpha);

    if (color_type == PNG_COLOR_TYPE_PALETTE) {
        png_colorp colors = NULL;
        int color_count = 0;
        format->indexed = 1;
        png_get_PLTE(png, info, &colors, &color_count);
        for (int i = 0; i < color_count && i < 256; i++) {
            format->luminance[i] = TAG_LUMA(colors[i].red, colors[i].green, colors[i].blue);
        }
        for (int i = 0; has_trns && alphas != NULL && i < alpha_count && i < 256; i++) {
            format->alpha[i] = alphas[i];
        }
        return;
    }
    if (color_type == PNG_COLOR_TYPE_GRAY
        && (format->bits < 8 || (has_trns && format->bits == 8))) {
        unsigned most = (1u << format->bits) - 1;
        format->indexed = 1;
        for (unsigned i = 0; i <= most; i++) format->luminance[i] = (uint8_t)(i * 255 / most);
        if (has_trns && key != NULL) format->alpha[key->gray & most] = 0;
        return;
    }
    if (!has_trns || key == NULL) return;
    format->keyed = 1;
    if (color_type == PNG_COLOR_TYPE_GRAY) {
        format->key[0] = key->gray;
    } else {
        format->key[0] = key->red;
        format->key[1] = key->green;
        format->key[2] = key->blue;
    }
    for (int i = 0; format->bits == 8 && i < 3; i++) format->key[i] &= 255;
}

// --- The steps of reading the file; these run under setjmp ---

static void *allocate(Unpacking *unpacking, size_t count) {
    void *memory = malloc(count);
    if (memory == NULL) {
        tag_fail(unpacking->result, TAG_READER_OUT_OF_MEMORY, "%zu bytes of memory cannot be had",
                 count);
        png_longjmp(unpacking->png, 1);
    }
    return memory;
}

// Stores one row of `count` pixels. Without interlacing, it is converted directly into its place.
static void keep_row(Unpacking *unpacking, const uint8_t *samples, uint32_t y, uint32_t first, uint32_t step,
                     size_t count) {
    TagPicture *picture = unpacking->picture;
    uint8_t *luminance = step == 1 ? picture->luminance + (size_t)y * picture->width
                                   : unpacking->luminance;
    int transparent = tag_row_convert(&unpacking->format, samples, count, luminance, unpacking->alpha);
    if (!tag_picture_keep_row(picture, y, first, step, count, luminance,
                              transparent ? unpacking->alpha : NULL)) {
        tag_fail(unpacking->result, TAG_READER_OUT_OF_MEMORY,
                 "memory for transparency cannot be had");
        png_longjmp(unpacking->png, 1);
    }
}

// Reads one row of `count` pixels and stores them.
static void read_row(Unpacking *unpacking, uint32_t y, uint32_t first, uint32_t step, size_t count) {
    TagPicture *picture = unpacking->picture;
    if (step == 1 && tag_row_format_is_luminance(&unpacking->format)) {
        png_read_row(unpacking->png, picture->luminance + (size_t)y * picture->width, NULL);
        return;
    }
    png_read_row(unpacking->png, unpacking->samples, NULL);
    keep_row(unpacking, unpacking->samples, y, first, step, count);
}

// Room behind a line: see tag_png_unfilter.
#define LINE_MORE 3

// Unpacks all rows in one piece. Returns 0 if that is impossible, or not known to end as it does row by row.
static int unpack_whole(Unpacking *unpacking, size_t row_bytes) {
    TagPicture *picture = unpacking->picture;
    const TagRowFormat *format = &unpacking->format;
    if (format->bits != 8 || png_get_color_type(unpacking->png, unpacking->info) == PNG_COLOR_TYPE_PALETTE) {
        return 0;
    }
    unpacking->rows = tag_png_unpack_rows(unpacking->file, row_bytes, picture->height);
    if (unpacking->rows == NULL) return 0;
    uint8_t *lines[TAG_PNG_GROUP + 1];
    for (int i = 0; i <= TAG_PNG_GROUP; i++) lines[i] = unpacking->samples + (size_t)i * (row_bytes + LINE_MORE);
    memset(lines[0], 0, row_bytes + LINE_MORE); // above the first row
    for (uint32_t y = 0; y < picture->height; y += TAG_PNG_GROUP) {
        uint32_t left = picture->height - y, count = left < TAG_PNG_GROUP ? left : TAG_PNG_GROUP;
        tag_png_unfilter(unpacking->rows + y * (row_bytes + 1), count, picture->width, format->channels, lines);
        for (uint32_t i = 0; i < count; i++) {
            keep_row(unpacking, lines[i + 1], y + i, 0, 1, picture->width);
            tag_scales_row_done(&picture->scales, y + i);
        }
        uint8_t *last = lines[TAG_PNG_GROUP];
        lines[TAG_PNG_GROUP] = lines[0];
        lines[0] = last;
    }
    return 1;
}

static void unpack(Unpacking *unpacking, const TagReaderLimits *limits) {
    png_structp png = unpacking->png;
    TagPicture *picture = unpacking->picture;

    png_set_read_fn(png, unpacking, on_read);
    // Every chunk has a checksum, which is verified. zlib's second checksum, over the same data
    // unpacked, would cost a twentieth of the time and find nothing more.
    png_set_option(png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    // Our own limit comes with a message; libpng's must not act first.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // All chunks but IHDR, PLTE, tRNS, IDAT and IEND are skipped: no text is ever inflated.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_chunk_cache_max(png, 1);
    // This limit would reject long chunks even if they are skipped, such as large profiles. No
    // chunk is held whole, so the limit on the file's length is enough.
    png_set_chunk_malloc_max(png, PNG_UINT_31_MAX);
    png_read_info(png, unpacking->info);
    uint32_t width = png_get_image_width(png, unpacking->info);
    uint32_t height = png_get_image_height(png, unpacking->info);
    if (!tag_picture_begin(picture, width, height, limits, unpacking->result)) png_longjmp(png, 1);
    learn_format(unpacking);
    size_t row_bytes = png_get_rowbytes(png, unpacking->info);
    int is_interlaced = png_get_interlace_type(png, unpacking->info) != PNG_INTERLACE_NONE;
    unpacking->samples = allocate(unpacking, (TAG_PNG_GROUP + 1) * (row_bytes + LINE_MORE));
    unpacking->luminance = allocate(unpacking, width);
    unpacking->alpha = allocate(unpacking, width);

    if (!is_interlaced && unpack_whole(unpacking, row_bytes)) return;
    if (!is_interlaced) {
        // The smaller scales are computed while the rows are still in the cache.
        for (uint32_t y = 0; y < height; y++) {
            read_row(unpacking, y, 0, 1, width);
            tag_scales_row_done(&picture->scales, y);
        }
    } else {
        // Adam7: seven smaller pictures, each a grid of pixels of the whole.
        for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
            uint32_t columns = PNG_PASS_COLS(width, pass);
            uint32_t rows = columns == 0 ? 0 : PNG_PASS_ROWS(height, pass);
            uint32_t step = UINT32_C(1) << PNG_PASS_COL_SHIFT(pass);
            for (uint32_t row = 0; row < rows; row++) {
                read_row(unpacking, PNG_ROW_FROM_PASS_ROW(row, pass), PNG_PASS_START_COL(pass),
                         step, columns);
            }
        }
        tag_scales_fill(&picture->scales);
    }
    // Read to the end, so that a truncated file is never taken for a complete one.
    png_read_end(png, NULL);
}

void tag_png_unpack(TagFile *file, const TagReaderLimits *limits, TagPicture *picture,
                    TagReaderResult *result) {
    memset(picture, 0, sizeof *picture);
    Unpacking *const unpacking = calloc(1, sizeof *unpacking);
    if (unpacking == NULL) {
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory ran out before unpacking");
        return;
    }
    unpacking->file = file;
    unpacking->picture = picture;
    unpacking->result = result;
    unpacking->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, unpacking, on_error,
                                              on_warning, unpacking, on_allocate, on_free);
    if (unpacking->png != NULL) unpacking->info = png_create_info_struct(unpacking->png);
    if (unpacking->info == NULL) {
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory ran out before unpacking");
    } else if (setjmp(png_jmpbuf(unpacking->png)) == 0) {
        unpack(unpacking, limits);
    }
    png_destroy_read_struct(&unpacking->png, &unpacking->info, NULL);
    if (result->status != TAG_READER_OK) tag_picture_free(picture);
    free(unpacking->rows);
    free(unpacking->samples);
    free(unpacking->luminance);
    free(unpacking->alpha);
    free(unpacking);
}
