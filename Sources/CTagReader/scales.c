// The picture at half, a quarter ... of its size, each pixel the mean of four.
//
// The search for finder patterns starts on small scales: at a quarter of its size, a picture of
// twelve megapixels has three quarters of a million pixels. Averaging also reduces noise.

#include "tag_picture.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_SIDE 24 // a symbol of the smallest version has 21 modules

int tag_scales_allocate(TagPicture *picture) {
    TagScales *scales = &picture->scales;
    size_t needed = 0;
    uint32_t count = 1;
    uint32_t width = picture->width, height = picture->height;
    scales->level[0] = (TagPlane){picture->luminance, width, height};
    while (count < TAG_MOST_LEVELS && width / 2 >= LEAST_SIDE && height / 2 >= LEAST_SIDE) {
        width /= 2;
        height /= 2;
        scales->level[count++] = (TagPlane){NULL, width, height};
        needed += (size_t)width * height;
    }
    scales->count = count;
    if (count == 1) return 1;
    free(scales->memory);
    scales->memory = tag_large_allocate(needed);
    if (scales->memory == NULL) return 0;
    uint8_t *next = scales->memory;
    for (uint32_t i = 1; i < count; i++) {
        scales->level[i].pixels = next;
        next += (size_t)scales->level[i].width * scales->level[i].height;
    }
    return 1;
}

static void halve(const uint8_t *restrict upper, const uint8_t *restrict lower, size_t count,
                  uint8_t *restrict half) {
    // Two pixels are read as one 16-bit number and split again, which compilers can vectorise; the
    // byte order does not matter to the sum.
    for (size_t i = 0; i < count; i++) {
        uint16_t above, below;
        memcpy(&above, upper + 2 * i, 2);
        memcpy(&below, lower + 2 * i, 2);
        uint16_t sum = (uint16_t)((above & 255) + (above >> 8) + (below & 255) + (below >> 8) + 2);
        half[i] = (uint8_t)(sum >> 2);
    }
}

void tag_scales_row_done(TagScales *scales, uint32_t y) {
    for (uint32_t i = 1; i < scales->count && y % 2 == 1; i++) {
        const TagPlane *whole = &scales->level[i - 1];
        const TagPlane *half = &scales->level[i];
        y /= 2;
        if (y >= half->height) return;
        const uint8_t *upper = whole->pixels + (size_t)2 * y * whole->width;
        halve(upper, upper + whole->width, half->width, half->pixels + (size_t)y * half->width);
    }
}

void tag_scales_fill(TagScales *scales) {
    for (uint32_t y = 0; y < scales->level[0].height; y++) tag_scales_row_done(scales, y);
}

// A row of twice the pixels, each a quarter of a pixel beside one of the row's.
static void double_row(const uint8_t *from, const uint8_t *other, uint32_t width, uint8_t *to) {
    for (uint32_t x = 0; x < width; x++) {
        uint32_t before = x > 0 ? x - 1 : 0, after = x + 1 < width ? x + 1 : x;
        uint32_t here = 3u * from[x] + other[x];
        to[2 * x] = (uint8_t)((3 * here + 3u * from[before] + other[before] + 8) / 16);
        to[2 * x + 1] = (uint8_t)((3 * here + 3u * from[after] + other[after] + 8) / 16);
    }
}

int tag_picture_double(const TagPicture *picture, TagPicture *doubled) {
    uint32_t width = picture->width, height = picture->height;
    *doubled = (TagPicture){.width = 2 * width, .height = 2 * height};
    doubled->luminance = malloc((size_t)4 * width * height);
    if (doubled->luminance == NULL || !tag_scales_allocate(doubled)) return 0;
    for (uint32_t y = 0; y < 2 * height; y++) {
        uint32_t row = y / 2;
        uint32_t other = y % 2 == 0 ? (row > 0 ? row - 1 : 0) : row + 1 < height ? row + 1 : row;
        double_row(picture->luminance + (size_t)row * width, picture->luminance + (size_t)other * width,
                   width, doubled->luminance + (size_t)y * 2 * width);
        tag_scales_row_done(&doubled->scales, y);
    }
    return 1;
}
