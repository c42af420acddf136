/// A PNG writer. It is here, and not in Swift, because libpng reports an error by `longjmp`, which
/// must not cross a Swift frame.

#ifndef C_TAG_DRAWING_H
#define C_TAG_DRAWING_H

#if !__has_include(<png.h>)
#error "png.h is missing: install libpng-dev"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A picture in the form in which PNG stores it.
typedef struct tag_png_picture {
    uint32_t width;
    uint32_t height;
    /// Colour type and bits a sample, as the PNG specification numbers them.
    int colour_type;
    int bit_depth;
    /// Adam7 when true.
    bool interlaced;
    /// Writes several times faster, and a larger file: for large pictures with much noise.
    bool quick;
    /// `height` rows of `row_bytes` each: samples below 8 bits packed from the high bits down,
    /// samples of 16 bits with the high byte first.
    const uint8_t *rows;
    size_t row_bytes;
    /// Red, green, blue, alpha for each entry; only for colour type 3.
    /// A tRNS chunk is written when an entry is not opaque.
    const uint8_t *palette;
    int palette_count;
    /// The one colour that is transparent (tRNS); only for colour types 0 and 2.
    bool has_key;
    uint16_t key_grey;
    uint16_t key_red;
    uint16_t key_green;
    uint16_t key_blue;
} tag_png_picture;

/// A file in memory, to be given back to `tag_png_file_free`.
typedef struct tag_png_file {
    uint8_t *bytes;
    size_t count;
    /// Why there is no file; empty on success.
    char message[128];
} tag_png_file;

/// Writes a picture into memory. `bytes` is NULL, and `message` tells why, when libpng refuses it.
tag_png_file tag_png_write(const tag_png_picture *picture);

/// Frees what `tag_png_write` returned.
void tag_png_file_free(tag_png_file *file);

#endif
