#include "CTagDrawing.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef struct sink {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    char message[128];
} sink;

static void refuse(png_structp png, png_const_charp message) {
    sink *sink = png_get_error_ptr(png);
    strncpy(sink->message, message, sizeof sink->message - 1);
    png_longjmp(png, 1);
}

/// A warning means that the picture is not what the caller asked for: as good as an error here.
static void warn(png_structp png, png_const_charp message) { refuse(png, message); }

static void append(png_structp png, png_bytep bytes, size_t count) {
    sink *sink = png_get_io_ptr(png);
    if (count > sink->capacity - sink->count) {
        size_t capacity = 2 * sink->capacity + count;
        uint8_t *grown = realloc(sink->bytes, capacity);
        if (grown == NULL) {
            png_error(png, "out of memory");
        }
        sink->bytes = grown;
        sink->capacity = capacity;
    }
    memcpy(sink->bytes + sink->count, bytes, count);
    sink->count += count;
}

static void flush(png_structp png) { (void)png; }

static void set_palette(png_structp png, png_infop info, const tag_png_picture *picture) {
    png_color colours[PNG_MAX_PALETTE_LENGTH] = {0};
    png_byte alphas[PNG_MAX_PALETTE_LENGTH] = {0};
    if (picture->palette_count < 1 || picture->palette_count > PNG_MAX_PALETTE_LENGTH) {
        png_error(png, "a palette has 1 to 256 entries");
    }
    int translucent = 0;
    for (int entry = 0; entry < picture->palette_count; entry++) {
        const uint8_t *colour = picture->palette + 4 * (size_t)entry;
        colours[entry] = (png_color){colour[0], colour[1], colour[2]};
        alphas[entry] = colour[3];
        if (colour[3] < 255) {
            translucent = entry + 1;
        }
    }
    png_set_PLTE(png, info, colours, picture->palette_count);
    if (translucent > 0) {
        png_set_tRNS(png, info, alphas, translucent, NULL);
    }
}

static void write_picture(png_structp png, png_infop info, const tag_png_picture *picture) {
    png_set_IHDR(
        png, info, picture->width, picture->height, picture->bit_depth, picture->colour_type,
        picture->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    if (picture->colour_type == PNG_COLOR_TYPE_PALETTE) {
        set_palette(png, info, picture);
    }
    if (picture->has_key) {
        png_color_16 key = {
            .red = picture->key_red,
            .green = picture->key_green,
            .blue = picture->key_blue,
            .gray = picture->key_grey,
        };
        png_set_tRNS(png, info, NULL, 0, &key);
    }
    png_set_compression_level(png, picture->quick ? 2 : 9);
    if (picture->quick) {
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    }
    png_write_info(png, info);
    if (picture->row_bytes != png_get_rowbytes(png, info)) {
        png_error(png, "the rows have the wrong length");
    }
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t row = 0; row < picture->height; row++) {
            png_write_row(png, picture->rows + (size_t)row * picture->row_bytes);
        }
    }
    png_write_end(png, info);
}

tag_picture_file tag_png_write(const tag_png_picture *picture) {
    tag_picture_file file = {0};
    sink sink = {0};
    png_infop info = NULL;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, refuse, warn);
    if (png != NULL) {
        info = png_create_info_struct(png);
    }
    if (info == NULL) {
        strncpy(file.message, "out of memory", sizeof file.message - 1);
        png_destroy_write_struct(&png, NULL);
        return file;
    }
    png_set_write_fn(png, &sink, append, flush);
    // Nothing that is read after the jump is a local changed after this line.
    if (setjmp(png_jmpbuf(png)) == 0) {
        write_picture(png, info, picture);
        file.bytes = sink.bytes;
        file.count = sink.count;
        png_destroy_write_struct(&png, &info);
        return file;
    }
    png_destroy_write_struct(&png, &info);
    free(sink.bytes);
    memcpy(file.message, sink.message, sizeof file.message);
    return file;
}

void tag_picture_file_free(tag_picture_file *file) {
    free(file->bytes);
    file->bytes = NULL;
    file->count = 0;
}
