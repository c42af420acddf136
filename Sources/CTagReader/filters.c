// Filters for pictures in which no finder pattern is found otherwise.

#include "tag_engine.h"

#include <stdlib.h>
#include <string.h>

// Sums of several rows or columns are updated by adding the new one and subtracting the old one, so
// that the size of a window costs nothing.
static void add_row(const uint8_t *restrict row, uint16_t *restrict sums, size_t count, int sign) {
    if (sign > 0) {
        for (size_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + row[i]);
    } else {
        for (size_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] - row[i]);
    }
}

static const uint8_t *row_at(const TagPlane *plane, int64_t y) {
    int64_t last = (int64_t)plane->height - 1;
    return plane->pixels + (size_t)(y < 0 ? 0 : y > last ? last : y) * plane->width;
}

// The means of windows around each pixel of a row, from the column sums.
static void mean_row(const uint16_t *sums, int64_t width, int radius, uint8_t *means) {
    int64_t last = width - 1;
    uint32_t sum = 0;
    // Division as a rounded multiplication; a window has at most 15 x 15 pixels.
    uint32_t area = (uint32_t)(2 * radius + 1) * (uint32_t)(2 * radius + 1);
    uint32_t factor = (1u << 22) / area;
    for (int64_t x = -radius; x <= radius; x++) sum += sums[x < 0 ? 0 : x > last ? last : x];
    for (int64_t x = 0; x < width; x++) {
        means[x] = (uint8_t)(((uint64_t)sum * factor) >> 22);
        int64_t comes = x + radius + 1, goes = x - radius;
        sum += sums[comes > last ? last : comes];
        sum -= sums[goes < 0 ? 0 : goes];
    }
}

int tag_filter_sharpen(const TagPlane *plane, int radius, int gain, uint8_t *out) {
    size_t width = plane->width;
    uint16_t *sums = calloc(width, sizeof *sums);
    uint8_t *means = malloc(width);
    if (sums == NULL || means == NULL) {
        free(sums);
        free(means);
        return 0;
    }
    for (int64_t y = -radius; y <= radius; y++) add_row(row_at(plane, y), sums, width, 1);
    for (int64_t y = 0; y < plane->height; y++) {
        const uint8_t *restrict from = row_at(plane, y);
        uint8_t *restrict to = out + (size_t)y * width;
        mean_row(sums, (int64_t)width, radius, means);
        for (size_t x = 0; x < width; x++) {
            int value = from[x] + gain * ((int)from[x] - (int)means[x]);
            to[x] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
        }
        add_row(row_at(plane, y + radius + 1), sums, width, 1);
        add_row(row_at(plane, y - radius), sums, width, -1);
    }
    free(sums);
    free(means);
    return 1;
}

int tag_filter_smooth(const TagPlane *plane, int radius, uint8_t *out) {
    size_t width = plane->width;
    uint16_t *sums = calloc(width, sizeof *sums);
    if (sums == NULL) return 0;
    for (int64_t y = -radius; y <= radius; y++) add_row(row_at(plane, y), sums, width, 1);
    for (int64_t y = 0; y < plane->height; y++) {
        mean_row(sums, (int64_t)width, radius, out + (size_t)y * width);
        add_row(row_at(plane, y + radius + 1), sums, width, 1);
        add_row(row_at(plane, y - radius), sums, width, -1);
    }
    free(sums);
    return 1;
}
