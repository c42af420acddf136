// Recognises a file by its first bytes, so that a HEIC is called a HEIC and not a broken PNG.

#include "tag_picture.h"

#include <string.h>

static const uint8_t png_signature[] = {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};

// The first marker, and the beginning of the next one.
static const uint8_t jpeg_signature[] = {0xFF, 0xD8, 0xFF};

typedef struct Magic {
    uint8_t offset;
    uint8_t count;
    const char *bytes;
    const char *description;
} Magic;

// The brands of ISO media files follow the word "ftyp".
static const Magic magics[] = {
    {0, 4, "GIF8", "a GIF picture, not a PNG or JPEG"},
    {8, 4, "WEBP", "a WebP picture, not a PNG or JPEG"},
    {4, 8, "ftypavif", "an AVIF picture, not a PNG or JPEG"},
    {4, 8, "ftypheic", "a HEIC picture, not a PNG or JPEG"},
    {4, 8, "ftypheix", "a HEIC picture, not a PNG or JPEG"},
    {4, 8, "ftypmif1", "a HEIF picture, not a PNG or JPEG"},
    {4, 4, "ftyp", "a video or other media file, not a PNG or JPEG"},
    {0, 5, "%PDF-", "a PDF document, not a PNG or JPEG"},
    {0, 4, "II*\0", "a TIFF picture, not a PNG or JPEG"},
    {0, 4, "MM\0*", "a TIFF picture, not a PNG or JPEG"},
    {0, 2, "BM", "a BMP picture, not a PNG or JPEG"},
    {0, 4, "\x8AMNG", "an MNG animation, not a PNG or JPEG"},
    {0, 4, "\x8BJNG", "a JNG picture, not a PNG or JPEG"},
    {0, 2, "\xFF\x0A", "a JPEG XL picture, not a PNG or JPEG"},
    {4, 8, "JXL \r\n\x87\n", "a JPEG XL picture, not a PNG or JPEG"},
    {0, 4, "PK\x03\x04", "a ZIP archive or office document, not a PNG or JPEG"},
    {0, 2, "\x1F\x8B", "gzip-compressed, not a PNG or JPEG"},
    {0, 4, "<svg", "an SVG drawing, not a PNG or JPEG"},
    {0, 5, "<?xml", "an XML document, not a PNG or JPEG"},
};

TagFormat tag_format_of(const uint8_t *bytes, size_t count) {
    if (count >= sizeof png_signature && memcmp(bytes, png_signature, sizeof png_signature) == 0) {
        return TAG_FORMAT_PNG;
    }
    if (count >= sizeof jpeg_signature
        && memcmp(bytes, jpeg_signature, sizeof jpeg_signature) == 0) {
        return TAG_FORMAT_JPEG;
    }
    return TAG_FORMAT_OTHER;
}

int tag_format_is_mangled_png(const uint8_t *bytes, size_t count) {
    return count >= sizeof png_signature && memcmp(bytes + 1, png_signature + 1, 3) == 0
        && (bytes[0] == 0x89 || bytes[0] == 0x09);
}

const char *tag_format_describe(const uint8_t *bytes, size_t count) {
    if (count == 0) return "empty";
    if (count < sizeof png_signature && memcmp(bytes, png_signature, count) == 0) {
        return "only the first bytes of a PNG";
    }
    if (count < sizeof jpeg_signature && memcmp(bytes, jpeg_signature, count) == 0) {
        return "only the first bytes of a JPEG";
    }
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
        const Magic *magic = &magics[i];
        if (count >= (size_t)magic->offset + magic->count
            && memcmp(bytes + magic->offset, magic->bytes, magic->count) == 0) {
            return magic->description;
        }
    }
    return "neither a PNG nor a JPEG";
}
