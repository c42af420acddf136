// Scans luminance with zbar: an unchanged plane, or drawings of modules.
//
// Each scan uses a new scanner: a used one leaks, and its results depend on earlier ones.

#include "tag_engine.h"

#if !__has_include(<zbar.h>)
#error "zbar's headers are missing: install the Debian package libzbar-dev"
#endif
#include <zbar.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Y800: one byte of luminance per pixel.
#define LUMINANCE_FORMAT                                                                           \
    ((unsigned long)'Y' | (unsigned long)'8' << 8 | (unsigned long)'0' << 16                       \
     | (unsigned long)'0' << 24)

// The result of one scan, and the origin of the drawings of modules.
typedef struct Target {
    TagReaderResult *result;
    const TagDrawing *drawings; // NULL for an unchanged plane
    size_t drawing_count;
} Target;

static void put_corner(TagReaderSymbol *symbol, float x, float y) {
    symbol->corners[symbol->corner_count++] = tag_point(x, y);
}

// Replaces corners in a row of drawings by those in the picture: the outline of the drawing, or a
// box around all drawings of a structured append.
static void move_corners(const Target *target, TagReaderSymbol *symbol) {
    int32_t left = INT32_MAX, right = INT32_MIN;
    for (uint32_t i = 0; i < symbol->corner_count; i++) {
        int32_t x = symbol->corners[i].x;
        left = x < left ? x : left;
        right = x > right ? x : right;
    }
    float least_x = INFINITY, least_y = INFINITY, most_x = -INFINITY, most_y = -INFINITY;
    const TagDrawing *only = NULL;
    size_t count = 0;
    for (size_t i = 0; i < target->drawing_count; i++) {
        const TagDrawing *drawing = &target->drawings[i];
        if (symbol->corner_count > 0 && (drawing->right < left || drawing->left > right)) continue;
        only = drawing;
        count++;
        for (int k = 0; k < 4; k++) {
            least_x = fminf(least_x, drawing->outline[k].x);
            most_x = fmaxf(most_x, drawing->outline[k].x);
            least_y = fminf(least_y, drawing->outline[k].y);
            most_y = fmaxf(most_y, drawing->outline[k].y);
        }
    }
    symbol->corner_count = 0;
    if (count == 1) {
        // In zbar's order: top left, then anticlockwise.
        for (int k = 0; k < 4; k++) {
            TagPosition corner = only->outline[(4 - k) % 4];
            put_corner(symbol, corner.x, corner.y);
        }
    } else if (count > 1) {
        put_corner(symbol, least_x, least_y);
        put_corner(symbol, least_x, most_y);
        put_corner(symbol, most_x, most_y);
        put_corner(symbol, most_x, least_y);
    }
}

static TagReaderSymbol describe(const Target *target, const zbar_symbol_t *symbol,
                                const char *bytes, size_t count, int is_partial) {
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
    if (target->drawings != NULL) move_corners(target, &described);
    return described;
}

// Adds the present parts of an incomplete structured append, one by one.
//
// zbar joins all parts into one text with a NUL for each gap, and lists the parts as components,
// with type ZBAR_PARTIAL for a gap. The start that it gives for a part after a gap is wrong (that
// of the gap is right), and each length is one byte short unless a gap follows. So the lengths are
// computed from the starts here.
static int add_parts(const Target *target, const zbar_symbol_t *whole) {
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
                TagReaderSymbol described =
                    describe(target, part, start, (size_t)(stop - start), 1);
                if (!tag_symbols_add(target->result, &described)) return 0;
            }
        }
        part = next;
    }
    return 1;
}

static int add_symbol(const Target *target, const zbar_symbol_t *symbol) {
    zbar_symbol_type_t type = zbar_symbol_get_type(symbol);
    if (type == ZBAR_PARTIAL && zbar_symbol_first_component(symbol) != NULL) {
        return add_parts(target, symbol);
    }
    if (type != ZBAR_QRCODE && type != ZBAR_PARTIAL) return 1;
    const char *bytes = zbar_symbol_get_data(symbol);
    if (bytes == NULL) return 1;
    TagReaderSymbol described = describe(target, symbol, bytes, zbar_symbol_get_data_length(symbol),
                                         type == ZBAR_PARTIAL);
    return tag_symbols_add(target->result, &described);
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

// Scans and adds the symbols. Returns the number that zbar found, or -1 after a failure. With
// `whole_only`, parts of a structured append are not added, and the result is 0 if there are any.
static int scan(zbar_image_scanner_t *scanner, zbar_image_t *image, const TagPlane *plane,
                const Target *target, int whole_only) {
    zbar_image_set_format(image, LUMINANCE_FORMAT);
    zbar_image_set_size(image, plane->width, plane->height);
    // Without a clean-up function, zbar does not free the plane.
    zbar_image_set_data(image, plane->pixels, (size_t)plane->width * plane->height, NULL);
    if (!set_up_scanner(scanner)) {
        tag_fail(target->result, TAG_READER_DECODER_FAILED, "the decoder could not be set up");
        return -1;
    }
    if (zbar_scan_image(scanner, image) < 0) {
        tag_fail(target->result, TAG_READER_DECODER_FAILED, "the decoder refused the picture");
        return -1;
    }
    int count = 0;
    for (const zbar_symbol_t *symbol = zbar_image_first_symbol(image); symbol != NULL;
         symbol = zbar_symbol_next(symbol)) {
        if (whole_only && zbar_symbol_get_type(symbol) != ZBAR_QRCODE) continue;
        if (!add_symbol(target, symbol)) {
            tag_fail(target->result, TAG_READER_OUT_OF_MEMORY,
                     "memory ran out while symbols were kept");
            return -1;
        }
        count++;
    }
    return count;
}

static int scan_plane(const TagPlane *plane, const Target *target, int whole_only) {
    if (!memory_suffices((size_t)plane->width * plane->height)) {
        tag_fail(target->result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
        return -1;
    }
    int count = -1;
    zbar_image_scanner_t *scanner = zbar_image_scanner_create();
    zbar_image_t *image = zbar_image_create();
    if (scanner == NULL || image == NULL) {
        tag_fail(target->result, TAG_READER_OUT_OF_MEMORY, "memory for the decoder cannot be had");
    } else {
        count = scan(scanner, image, plane, target, whole_only);
    }
    if (image != NULL) zbar_image_destroy(image);
    if (scanner != NULL) zbar_image_scanner_destroy(scanner);
    return count;
}

int tag_scan(const TagPlane *plane, uint32_t level, TagReaderResult *result) {
    Target target = {.result = result};
    size_t first = result->symbol_count;
    int count = scan_plane(plane, &target, 0);
    for (size_t i = first; i < result->symbol_count; i++) {
        for (uint32_t k = 0; k < result->symbols[i].corner_count; k++) {
            TagReaderPoint *corner = &result->symbols[i].corners[k];
            corner->x *= 1 << level;
            corner->y *= 1 << level;
        }
    }
    return count >= 0;
}

#define MODULE_PIXELS 3
#define QUIET_MODULES 4

int tag_scan_drawings(TagDrawing *drawings, size_t count, int whole_only, TagReaderResult *result) {
    int32_t width = 0, height = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t side = (drawings[i].dimension + 2 * QUIET_MODULES) * MODULE_PIXELS;
        drawings[i].left = width;
        width += side;
        drawings[i].right = width - 1;
        if (side > height) height = side;
    }
    TagPlane plane = {malloc((size_t)width * (size_t)height), (uint32_t)width, (uint32_t)height};
    if (plane.pixels == NULL) {
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
        return -1;
    }
    memset(plane.pixels, 255, (size_t)width * (size_t)height);
    for (size_t i = 0; i < count; i++) {
        const TagDrawing *drawing = &drawings[i];
        for (int row = 0; row < drawing->dimension * MODULE_PIXELS; row++) {
            uint8_t *line = plane.pixels
                            + (size_t)(row + QUIET_MODULES * MODULE_PIXELS) * (size_t)width
                            + drawing->left + QUIET_MODULES * MODULE_PIXELS;
            const uint8_t *modules = drawing->modules + row / MODULE_PIXELS * drawing->dimension;
            for (int column = 0; column < drawing->dimension * MODULE_PIXELS; column++) {
                line[column] = modules[column / MODULE_PIXELS] ? 0 : 255;
            }
        }
    }
    Target target = {.result = result, .drawings = drawings, .drawing_count = count};
    int found = scan_plane(&plane, &target, whole_only);
    free(plane.pixels);
    return found;
}
