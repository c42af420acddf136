// Scans an unchanged picture with zbar.
//
// zbar converts text of some declared character sets (ECI) and gives that of others as it is, and does
// not tell which. So only text is taken that means the same in all of them.
//
// Each scan uses a new scanner: a used one leaks, and its results depend on earlier ones.

#include "tag_engine.h"

#if !__has_include(<zbar.h>)
#error "zbar's headers are missing: install the Debian package libzbar-dev"
#endif
#include <zbar.h>

#include <stdlib.h>

// Y800: one byte of luminance per pixel.
#define LUMINANCE_FORMAT                                                                           \
    ((unsigned long)'Y' | (unsigned long)'8' << 8 | (unsigned long)'0' << 16                       \
     | (unsigned long)'0' << 24)

// Whether bytes are ASCII, without the control characters by which some sets announce others or
// which UTF-16 puts between letters.
static int is_unmistakable(const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = (uint8_t)bytes[i];
        if (byte == 0 || byte == 0x1B || byte >= 0x80) return 0;
    }
    return 1;
}

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

// Adds the parts of a structured append, one by one: zbar does not check whether they belong together.
//
// zbar joins all parts into one text with a NUL for each gap, and lists the parts as components,
// with type ZBAR_PARTIAL for a gap. The start that it gives for a part after a gap is wrong (that
// of the gap is right), and each length is one byte short unless a gap follows. So the lengths are
// computed from the starts here.
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
            if (begin <= start && start <= stop && stop <= end
                && is_unmistakable(start, (size_t)(stop - start))) {
                TagReaderSymbol described =
                    describe(part, start, (size_t)(stop - start), 1);
                if (!tag_symbols_add(result, &described)) return 0;
            }
        }
        part = next;
    }
    return 1;
}

static int add_symbol(TagReaderResult *result, const zbar_symbol_t *symbol) {
    zbar_symbol_type_t type = zbar_symbol_get_type(symbol);
    if (type != ZBAR_QRCODE && type != ZBAR_PARTIAL) return 1;
    if (zbar_symbol_first_component(symbol) != NULL) return add_parts(result, symbol);
    const char *bytes = zbar_symbol_get_data(symbol);
    size_t count = zbar_symbol_get_data_length(symbol);
    if (bytes == NULL || !is_unmistakable(bytes, count)) return 1;
    TagReaderSymbol described = describe(symbol, bytes, count, type == ZBAR_PARTIAL);
    return tag_symbols_add(result, &described);
}

// zbar does not check every allocation and would crash. This requests the memory that it will need
// and frees it untouched, which costs nothing and turns most such crashes into an error.
static int memory_suffices(size_t pixels) {
    void *memory = malloc(2 * pixels + (8u << 20));
    int suffices = memory != NULL;
    free(memory);
    return suffices;
}

static int set_up_scanner(zbar_image_scanner_t *scanner) {
    return zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0) == 0
        && zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1) == 0
        // Payloads byte for byte; otherwise zbar guesses a character set and converts.
        && zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1) == 0
        && zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_X_DENSITY, 1) == 0
        && zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_Y_DENSITY, 1) == 0;
}

// Scans and adds the symbols. Returns 0 after a failure.
static int scan(zbar_image_scanner_t *scanner, zbar_image_t *image, const TagPlane *plane,
                TagReaderResult *result) {
    zbar_image_set_format(image, LUMINANCE_FORMAT);
    zbar_image_set_size(image, plane->width, plane->height);
    // Without a clean-up function, zbar does not free the plane.
    zbar_image_set_data(image, plane->pixels, (size_t)plane->width * plane->height, NULL);
    if (!set_up_scanner(scanner)) {
        tag_fail(result, TAG_READER_DECODER_FAILED, "the decoder could not be set up");
        return 0;
    }
    if (zbar_scan_image(scanner, image) < 0) {
        tag_fail(result, TAG_READER_DECODER_FAILED, "the decoder refused the picture");
        return 0;
    }
    for (const zbar_symbol_t *symbol = zbar_image_first_symbol(image); symbol != NULL;
         symbol = zbar_symbol_next(symbol)) {
        if (!add_symbol(result, symbol)) {
            tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory ran out while symbols were kept");
            return 0;
        }
    }
    return 1;
}

int tag_scan(const TagPlane *plane, uint32_t level, TagReaderResult *result) {
    size_t first = result->symbol_count;
    int scanned = 0;
    zbar_image_scanner_t *scanner = NULL;
    zbar_image_t *image = NULL;
    if (memory_suffices((size_t)plane->width * plane->height)) {
        scanner = zbar_image_scanner_create();
        image = zbar_image_create();
    }
    if (scanner == NULL || image == NULL) {
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory for the decoder cannot be had");
    } else {
        scanned = scan(scanner, image, plane, result);
    }
    if (image != NULL) zbar_image_destroy(image);
    if (scanner != NULL) zbar_image_scanner_destroy(scanner);
    for (size_t i = first; i < result->symbol_count; i++) {
        for (uint32_t k = 0; k < result->symbols[i].corner_count; k++) {
            TagReaderPoint *corner = &result->symbols[i].corners[k];
            corner->x *= 1 << level;
            corner->y *= 1 << level;
        }
    }
    return scanned;
}
