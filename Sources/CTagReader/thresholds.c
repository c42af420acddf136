// Local thresholds between dark and light.
//
// Tags lie in shade and sun at once, so a threshold holds only nearby: each block of 8 x 8 pixels takes
// the mean of the 5 x 5 blocks around it. That is wider than a finder pattern of modules up to five
// pixels; larger ones are looked for on a smaller scale. Block means come from the scale two levels
// further down, where a block is four pixels, so they cost next to nothing.

#include "tag_engine.h"

#include <stdlib.h>
#include <string.h>

#define FLAT 6 // the least difference between the lightest and the darkest that may be a pattern

typedef struct Block {
    uint16_t mean;
    uint8_t least;
    uint8_t most;
} Block;

// The same where a block is two by two pixels, all of them in the plane: nearly always.
static void measure_small_blocks(const uint8_t *restrict upper, const uint8_t *restrict lower,
                                 uint32_t columns, Block *restrict blocks) {
    for (uint32_t i = 0; i < columns; i++) {
        uint8_t a = upper[2 * i], b = upper[2 * i + 1], c = lower[2 * i], d = lower[2 * i + 1];
        uint8_t least_above = a < b ? a : b, least_below = c < d ? c : d;
        uint8_t most_above = a > b ? a : b, most_below = c > d ? c : d;
        blocks[i].mean = (uint16_t)((a + b + c + d) >> 2);
        blocks[i].least = least_above < least_below ? least_above : least_below;
        blocks[i].most = most_above > most_below ? most_above : most_below;
    }
}

static void measure_blocks(const TagPlane *plane, uint32_t size, uint32_t columns, uint32_t rows,
                           Block *blocks) {
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t top = row * size < plane->height ? row * size : plane->height - 1;
        uint32_t bottom = top + size < plane->height ? top + size : plane->height;
        uint32_t column = 0;
        if (size == 2 && bottom - top == 2) {
            const uint8_t *upper = plane->pixels + (size_t)top * plane->width;
            column = plane->width / 2 < columns ? plane->width / 2 : columns;
            measure_small_blocks(upper, upper + plane->width, column,
                                 blocks + (size_t)row * columns);
        }
        for (; column < columns; column++) {
            uint32_t left = column * size < plane->width ? column * size : plane->width - 1;
            uint32_t right = left + size < plane->width ? left + size : plane->width;
            uint32_t sum = 0, least = 255, most = 0;
            for (uint32_t y = top; y < bottom; y++) {
                const uint8_t *pixels = plane->pixels + (size_t)y * plane->width;
                for (uint32_t x = left; x < right; x++) {
                    uint32_t value = pixels[x];
                    sum += value;
                    least = value < least ? value : least;
                    most = value > most ? value : most;
                }
            }
            uint32_t count = (right - left) * (bottom - top);
            blocks[(size_t)row * columns + column] =
                (Block){(uint16_t)(sum / count), (uint8_t)least, (uint8_t)most};
        }
    }
}

// Sums and extremes of five values each, those beyond an end being its last.
static void gather_across(const Block *blocks, uint32_t columns, Block *out) {
    for (uint32_t column = 0; column < columns; column++) {
        uint32_t sum = 0, least = 255, most = 0;
        int inside = column >= 2 && column + 2 < columns;
        for (int k = -2; k <= 2; k++) {
            int64_t x = (int64_t)column + k;
            const Block *block = inside ? &blocks[x]
                                        : &blocks[x < 0          ? 0
                                                  : x >= columns ? columns - 1
                                                                 : x];
            sum += block->mean;
            least = block->least < least ? block->least : least;
            most = block->most > most ? block->most : most;
        }
        out[column] = (Block){(uint16_t)sum, (uint8_t)least, (uint8_t)most};
    }
}

static void gather_down(const Block *blocks, uint32_t columns, uint32_t rows, uint32_t row,
                        uint8_t *out) {
    const Block *lines[5];
    for (int k = 0; k < 5; k++) {
        int64_t y = (int64_t)row + k - 2;
        lines[k] = blocks + (size_t)(y < 0 ? 0 : y >= rows ? rows - 1 : y) * columns;
    }
    for (uint32_t column = 0; column < columns; column++) {
        uint32_t sum = 0, least = 255, most = 0;
        for (int k = 0; k < 5; k++) {
            const Block *block = &lines[k][column];
            sum += block->mean;
            least = block->least < least ? block->least : least;
            most = block->most > most ? block->most : most;
        }
        uint32_t mean = sum / 25;
        out[column] = (uint8_t)(most - least < FLAT ? 0 : mean == 0 ? 1 : mean);
    }
}

int tag_thresholds_make(TagThresholds *thresholds, const TagScales *scales, uint32_t level) {
    uint32_t source = level + 2 < scales->count ? level + 2 : scales->count - 1;
    uint32_t columns = (scales->level[level].width + TAG_BLOCK - 1) / TAG_BLOCK;
    uint32_t rows = (scales->level[level].height + TAG_BLOCK - 1) / TAG_BLOCK;
    size_t count = (size_t)columns * rows;
    memset(thresholds, 0, sizeof *thresholds);
    Block *blocks = malloc(2 * count * sizeof *blocks);
    thresholds->values = malloc(count);
    thresholds->scratch = malloc((size_t)columns + 2);
    if (blocks == NULL || thresholds->values == NULL || thresholds->scratch == NULL) {
        free(blocks);
        tag_thresholds_free(thresholds);
        return 0;
    }
    measure_blocks(&scales->level[source], TAG_BLOCK >> (source - level), columns, rows, blocks);
    for (uint32_t row = 0; row < rows; row++) {
        gather_across(blocks + (size_t)row * columns, columns,
                      blocks + count + (size_t)row * columns);
    }
    for (uint32_t row = 0; row < rows; row++) {
        gather_down(blocks + count, columns, rows, row, thresholds->values + (size_t)row * columns);
    }
    free(blocks);
    thresholds->columns = columns;
    thresholds->rows = rows;
    return 1;
}

void tag_thresholds_free(TagThresholds *thresholds) {
    free(thresholds->values);
    free(thresholds->scratch);
    memset(thresholds, 0, sizeof *thresholds);
}

void tag_thresholds_row(const TagThresholds *thresholds, uint32_t y, uint32_t width, uint8_t *row) {
    uint32_t columns = thresholds->columns;
    // Between the centres of blocks, in sixteenths of a block's height.
    uint32_t position = 2 * y + 1 + TAG_BLOCK;
    uint32_t lower = position / (2 * TAG_BLOCK), share = position % (2 * TAG_BLOCK);
    uint32_t upper = lower == 0 ? 0 : lower - 1;
    if (lower >= thresholds->rows) lower = thresholds->rows - 1;
    if (upper > lower) upper = lower;
    const uint8_t *above = thresholds->values + (size_t)upper * columns;
    const uint8_t *below = thresholds->values + (size_t)lower * columns;
    uint8_t *blended = thresholds->scratch + 1;
    for (uint32_t i = 0; i < columns; i++) {
        blended[i] = (uint8_t)((above[i] * (16 - share) + below[i] * share) >> 4);
    }
    blended[-1] = blended[0];
    blended[columns] = blended[columns - 1];
    // Pixels from the centre of one block to the centre of the next; four come before the first.
    uint8_t *to = row;
    for (uint32_t k = 0; k < TAG_BLOCK / 2; k++) *to++ = blended[0];
    for (uint32_t i = 0; (size_t)(to - row) < width; i++, to += TAG_BLOCK) {
        uint32_t from = blended[i], next = blended[i + 1 <= columns ? i + 1 : columns];
        for (uint32_t k = 0; k < TAG_BLOCK; k++) {
            to[k] = (uint8_t)((from * (15 - 2 * k) + next * (2 * k + 1)) >> 4);
        }
    }
}
