// Holds a picture's luminance, and its alpha if any of it is transparent.

#include "tag_picture.h"

#include <stdlib.h>
#include <string.h>

static size_t pixel_count(const TagPicture *picture) {
    return (size_t)picture->width * picture->height;
}

void tag_picture_free(TagPicture *picture) {
    free(picture->luminance);
    free(picture->alpha);
    free(picture->scales.memory);
    picture->scales = (TagScales){0};
    picture->luminance = NULL;
    picture->alpha = NULL;
}

// value * alpha / 255, rounded.
static inline uint8_t scaled(uint8_t value, uint8_t alpha) {
    uint32_t product = (uint32_t)value * alpha + 128;
    return (uint8_t)((product + (product >> 8)) >> 8);
}

int tag_picture_keep_row(TagPicture *picture, uint32_t y, uint32_t first, uint32_t step,
                         size_t count, uint8_t *luminance, const uint8_t *alpha) {
    size_t start = (size_t)y * picture->width + first;
    if (alpha != NULL) {
        if (picture->alpha == NULL) {
            picture->alpha = malloc(pixel_count(picture));
            if (picture->alpha == NULL) return 0;
            memset(picture->alpha, 255, pixel_count(picture));
        }
        for (size_t i = 0; i < count; i++) luminance[i] = scaled(luminance[i], alpha[i]);
        uint8_t *row = picture->alpha + start;
        for (size_t i = 0; i < count; i++) row[i * step] = alpha[i];
    }
    uint8_t *row = picture->luminance + start;
    if (row == luminance) return 1; // converted in place
    if (step == 1) {
        memcpy(row, luminance, count);
    } else {
        for (size_t i = 0; i < count; i++) row[i * step] = luminance[i];
    }
    return 1;
}

void tag_picture_from_black_to_white(TagPicture *picture) {
    size_t count = pixel_count(picture);
    uint8_t *restrict luminance = picture->luminance;
    const uint8_t *restrict alpha = picture->alpha;
    for (size_t i = 0; i < count; i++) luminance[i] = (uint8_t)(luminance[i] + (255 - alpha[i]));
}

void tag_picture_from_white_to_black(TagPicture *picture) {
    size_t count = pixel_count(picture);
    uint8_t *restrict luminance = picture->luminance;
    const uint8_t *restrict alpha = picture->alpha;
    for (size_t i = 0; i < count; i++) luminance[i] = (uint8_t)(luminance[i] - (255 - alpha[i]));
}
