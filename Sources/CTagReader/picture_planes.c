// Holds a picture's luminance, and its alpha if any of it is transparent.

#include "tag_picture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)

void *tag_large_allocate(size_t count) {
    if (count < LARGE_PAGE) return malloc(count);
    if (count > SIZE_MAX - LARGE_PAGE) return NULL;
    // To get its pages one by one costs a photograph a tenth of its time. If there are no large ones, they are small.
    size_t rounded = (count + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *memory = aligned_alloc(LARGE_PAGE, rounded);
    if (memory != NULL) madvise(memory, rounded, MADV_HUGEPAGE);
    return memory;
}

static size_t pixel_count(const TagPicture *picture) {
    return (size_t)picture->width * picture->height;
}

int tag_picture_begin(TagPicture *picture, uint32_t width, uint32_t height,
                      const TagReaderLimits *limits, TagReaderResult *result) {
    uint64_t pixels = (uint64_t)width * height;
    uint64_t most = limits->pixels < TAG_MOST_PIXELS ? limits->pixels : TAG_MOST_PIXELS;
    result->width = picture->width = width;
    result->height = picture->height = height;
    if (pixels > most) {
        tag_fail(result, TAG_READER_TOO_MANY_PIXELS, "%u x %u is %llu pixels; the limit is %llu",
                 (unsigned)width, (unsigned)height, (unsigned long long)pixels,
                 (unsigned long long)most);
        return 0;
    }
    picture->luminance = tag_large_allocate((size_t)pixels);
    if (picture->luminance != NULL && tag_scales_allocate(picture)) return 1;
    tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory for %llu pixels cannot be had",
             (unsigned long long)pixels);
    return 0;
}

void tag_picture_free(TagPicture *picture) {
    free(picture->luminance);
    free(picture->alpha);
    free(picture->scales.memory);
    picture->scales = (TagScales){0};
    picture->luminance = NULL;
    picture->alpha = NULL;
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
        for (size_t i = 0; i < count; i++) luminance[i] = tag_scaled(luminance[i], alpha[i]);
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
