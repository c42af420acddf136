// Scans a luminance plane with zbar.
//
// A fresh scanner for each scan: a used one leaks, and what it finds depends on what it found before.

#include "tag_picture.h"

#if !__has_include(<zbar.h>)
#error "zbar's headers are missing: install the Debian package libzbar-dev"
#endif
#include <zbar.h>

#include <stdlib.h>
#include <string.h>

// Y800: one byte of luminance a pixel.
#define LUMINANCE_FORMAT \
    ((unsigned long)'Y' | (unsigned long)'8' << 8 | (unsigned long)'0' << 16 | (unsigned long)'0' << 24)

static TagReaderSymbol describe(const zbar_symbol_t *symbol, const char *bytes, size_t count,
                                int is_partial) {
    TagReaderSymbol described = {
        .bytes = (const uint8_t *)bytes,
        .count = count,
        .is_partial = is_partial,
    };
    unsigned corners = zbar_symbol_get_loc_size(symbol);
    for (unsigned i = 0; i < corners && i < TAG_READER_MAX_CORNERS; i++) {
        described.corners[i].x = zbar_symbol_get_loc_x(symbol, i);
        described.corners[i].y = zbar_symbol_get_loc_y(symbol, i);
        described.corner_count += 1;
    }
    return described;
}

// Adds the parts of an incomplete structured append that are in the picture, one by one.
//
// zbar joins all parts into one text with a NUL for each gap, and lists the parts as components, a
// component of type ZBAR_PARTIAL for a gap. The start that it gives for a part after a gap is wrong
// (it is the gap's that is right), and each length misses a byte unless a gap follows; so lengths
// are worked out from the starts here.
static int add_parts(TagReaderResult *result, const zbar_symbol_t *whole) {
    const char *begin = zbar_symbol_get_data(whole);
    const char *end = begin + zbar_symbol_get_data_length(whole);
    const char *after_gap = NULL;
    const zbar_symbol_t *part = zbar_symbol_first_component(whole);
    while (part != NULL) {
        const zbar_symbol_t *next = zbar_symbol_next(part);
        if (zbar_symbol_get_type(part) == ZBAR_PARTIAL) {
            after_gap = zbar_symbol_get_data(part);
        } else {
            const char *start = after_gap != NULL ? after_gap : zbar_symbol_get_data(part);
            const char *stop = end;
            if (next != NULL) {
                stop = zbar_symbol_get_data(next);
                int gap_follows = zbar_symbol_get_type(next) == ZBAR_PARTIAL;
                if (gap_follows && zbar_symbol_next(next) != NULL) stop -= 1; // the gap's NUL
            }
            after_gap = NULL;
            if (begin <= start && start <= stop && stop <= end) {
                TagReaderSymbol described = describe(part, start, (size_t)(stop - start), 1);
                if (!tag_symbols_add(result, &described)) return 0;
            }
        }
        part = next;
    }
    return 1;
}

static int add_symbol(TagReaderResult *result, const zbar_symbol_t *symbol) {
    zbar_symbol_type_t type = zbar_symbol_get_type(symbol);
    if (type == ZBAR_PARTIAL && zbar_symbol_first_component(symbol) != NULL) {
        return add_parts(result, symbol);
    }
    if (type != ZBAR_QRCODE && type != ZBAR_PARTIAL) return 1;
    const char *bytes = zbar_symbol_get_data(symbol);
    if (bytes == NULL) return 1;
    TagReaderSymbol described =
        describe(symbol, bytes, zbar_symbol_get_data_length(symbol), type == ZBAR_PARTIAL);
    return tag_symbols_add(result, &described);
}

// zbar does not check every allocation of its own and would crash. What it will need is asked for
// here and given back untouched, which costs nothing and turns most such crashes into an answer.
static int memory_suffices(size_t pixels) {
    void *memory = malloc(2 * pixels + (8u << 20));
    int suffices = memory != NULL;
    free(memory);
    return suffices;
}

static int set_up(zbar_image_scanner_t *scanner) {
    return zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0) == 0
        && zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1) == 0
        // Payloads byte for byte; otherwise zbar guesses at a character set and converts.
        && zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1) == 0
        && zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_X_DENSITY, 1) == 0
        && zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_Y_DENSITY, 1) == 0;
}

static void scan(zbar_image_scanner_t *scanner, zbar_image_t *image, const TagPicture *picture,
                 TagReaderResult *result) {
    size_t pixels = (size_t)picture->width * picture->height;
    zbar_image_set_format(image, LUMINANCE_FORMAT);
    zbar_image_set_size(image, picture->width, picture->height);
    // Without a clean-up function the plane stays ours.
    zbar_image_set_data(image, picture->luminance, pixels, NULL);
    if (!set_up(scanner)) {
        tag_fail(result, TAG_READER_DECODER_FAILED, "the decoder could not be set up");
        return;
    }
    if (zbar_scan_image(scanner, image) < 0) {
        tag_fail(result, TAG_READER_DECODER_FAILED, "the decoder refused the picture");
        return;
    }
    for (const zbar_symbol_t *symbol = zbar_image_first_symbol(image); symbol != NULL;
         symbol = zbar_symbol_next(symbol)) {
        if (!add_symbol(result, symbol)) {
            tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory ran out while symbols were kept");
            return;
        }
    }
}

int tag_scan(const TagPicture *picture, TagReaderResult *result) {
    if (!memory_suffices((size_t)picture->width * picture->height)) {
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
        return 0;
    }
    zbar_image_scanner_t *scanner = zbar_image_scanner_create();
    zbar_image_t *image = zbar_image_create();
    if (scanner == NULL || image == NULL) {
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory for the decoder cannot be had");
    } else {
        scan(scanner, image, picture, result);
    }
    if (image != NULL) zbar_image_destroy(image);
    if (scanner != NULL) zbar_image_scanner_destroy(scanner);
    return result->status == TAG_READER_OK;
}
