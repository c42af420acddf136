/// Writers of PNG and JPEG, and a reader of small JPEG pictures. They are here, and not in Swift, because libpng and libjpeg report an error
/// by `longjmp`, which must not cross a Swift frame.

#ifndef C_TAG_DRAWING_H
#define C_TAG_DRAWING_H

#if !__has_include(<png.h>)
#error "png.h is missing: install libpng-dev"
#endif
#if !__has_include(<jpeglib.h>)
#error "jpeglib.h is missing: install libjpeg62-turbo-dev"
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

/// What JPEG makes of a picture, which it can store in many ways.
typedef struct tag_jpeg_picture {
    uint32_t width;
    uint32_t height;
    /// Of a pixel, a byte each: 1 grey, 3 RGB, 4 CMYK, as Adobe's programs write it (255 is no ink).
    int channels;
    /// `height` rows without padding.
    const uint8_t *rows;
    /// 1 to 100.
    int quality;
    /// Stores the channels as they are, not as luminance and two colours.
    bool is_direct;
    /// For one pixel of colour, how many of luminance there are in a row, and in how many rows.
    int luminance_columns;
    int luminance_rows;
    /// In scans from coarse to fine.
    bool is_progressive;
    /// With a scan for each component.
    bool is_separate;
    bool is_arithmetic;
    /// Blocks of 8 x 8 or more pixels between two restart markers; 0 for no such markers.
    int restart_interval;
} tag_jpeg_picture;

/// A file in memory, to be given back to `tag_picture_file_free`.
typedef struct tag_picture_file {
    uint8_t *bytes;
    size_t count;
    /// Why there is no file; empty on success.
    char message[128];
} tag_picture_file;

/// Writes a picture into memory. `bytes` is NULL, and `message` tells why, when libpng refuses it.
tag_picture_file tag_png_write(const tag_png_picture *picture);

/// The same with libjpeg.
tag_picture_file tag_jpeg_write(const tag_jpeg_picture *picture);

/// Frees what a writer returned.
void tag_picture_file_free(tag_picture_file *file);

/// A small picture as cairo takes it: blue, green, red and a byte of nothing for each pixel.
typedef struct tag_small_picture {
    uint32_t width;
    uint32_t height;
    /// `height` rows without padding, to be given to `free`; NULL where there is no picture.
    uint8_t *pixels;
} tag_small_picture;

/// Reads a JPEG file at the smallest size that libjpeg makes of it at once, an eighth of it or more, and
/// whose longer side has `side` pixels. What is missing at the end of the file is grey.
tag_small_picture tag_jpeg_read_small(const uint8_t *file, size_t count, uint32_t side);

#endif
