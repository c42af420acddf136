// Local thresholds between dark and light.
//
// A tag may lie partly in shade and partly in sun, so a threshold holds only nearby: each block of
// 8 x 8 pixels gets the mean of the 5 x 5 blocks around it. That is wider than a finder pattern
// with modules up to five pixels; larger ones are found on a smaller scale. Block means come from
// the scale two levels further down, where a block has four pixels, so they cost next to nothing.

#include "tag_engine.h"

#include <stdlib.h>
#include <string.h>

#define FLAT 6 // the least difference between lightest and darkest in a pattern

#define REACH 2 // blocks to each side that count
#define ACROSS (2 * REACH + 1)

// The sums of means and the extremes of a row of blocks, each in its own array so that compilers
// can vectorise them.
typedef struct Blocks {
    uint16_t *sums;
    uint8_t *least;
    uint8_t *most;
} Blocks;

static Blocks blocks_at(Blocks blocks, size_t at) {
    return (Blocks){blocks.sums + at, blocks.least + at, blocks.most + at};
}

static void copy_block(Blocks blocks, size_t from, size_t to) {
    blocks.sums[to] = blocks.sums[from];
    blocks.least[to] = blocks.least[from];
    blocks.most[to] = blocks.most[from];
}

// Measures the blocks of a row if each has two by two pixels, all of them in the plane: the usual case.
static void measure_small_blocks(const uint8_t *restrict upper, const uint8_t *restrict lower,
                                 uint32_t columns, Blocks blocks) {
    uint16_t *restrict sums = blocks.sums;
    uint8_t *restrict lows = blocks.least, *restrict highs = blocks.most;
    for (uint32_t i = 0; i < columns; i++) {
        uint8_t a = upper[2 * i], b = upper[2 * i + 1], c = lower[2 * i], d = lower[2 * i + 1];
        uint8_t least_above = a < b ? a : b, least_below = c < d ? c : d;
        uint8_t most_above = a > b ? a : b, most_below = c > d ? c : d;
        sums[i] = (uint16_t)((a + b + c + d) >> 2);
        lows[i] = least_above < least_below ? least_above : least_below;
        highs[i] = most_above > most_below ? most_above : most_below;
    }
}

// Measures the blocks of one row, which begins with row `top` of the plane.
static void measure_row(const TagPlane *plane, uint32_t size, uint32_t top, uint32_t columns,
                        Blocks blocks) {
    if (top >= plane->height) top = plane->height - 1;
    uint32_t bottom = top + size < plane->height ? top + size : plane->height;
    uint32_t column = 0;
    if (size == 2 && bottom - top == 2) {
        const uint8_t *upper = plane->pixels + (size_t)top * plane->width;
        column = plane->width / 2 < columns ? plane->width / 2 : columns;
        measure_small_blocks(upper, upper + plane->width, column, blocks);
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
        blocks.sums[column] = (uint16_t)(sum / ((right - left) * (bottom - top)));
        blocks.least[column] = (uint8_t)least;
        blocks.most[column] = (uint8_t)most;
    }
}

// Sums and extremes of five rows, for each column. All five may be the same row, shifted.
static void gather_blocks(const Blocks rows[ACROSS], uint32_t columns, Blocks out) {
    const uint16_t *a = rows[0].sums, *b = rows[1].sums, *c = rows[2].sums, *d = rows[3].sums,
                   *e = rows[4].sums;
    uint16_t *restrict sums = out.sums;
    for (uint32_t i = 0; i < columns; i++) sums[i] = (uint16_t)(a[i] + b[i] + c[i] + d[i] + e[i]);
    memcpy(out.least, rows[0].least, columns);
    memcpy(out.most, rows[0].most, columns);
    for (int k = 1; k < ACROSS; k++) {
        const uint8_t *low = rows[k].least, *high = rows[k].most;
        uint8_t *restrict least = out.least, *restrict most = out.most;
        for (uint32_t i = 0; i < columns; i++) {
            least[i] = low[i] < least[i] ? low[i] : least[i];
            most[i] = high[i] > most[i] ? high[i] : most[i];
        }
    }
}

// Measures a row and gathers across it; `row` has room for two more blocks at each end, which
// repeat the block beside them.
static void gather_across(const TagPlane *plane, uint32_t size, uint32_t top, uint32_t columns,
                          Blocks row, Blocks out) {
    measure_row(plane, size, top, columns, blocks_at(row, REACH));
    uint32_t last = REACH + columns - 1;
    for (uint32_t i = 0; i < REACH; i++) {
        copy_block(row, REACH, i);
        copy_block(row, last, last + 1 + i);
    }
    Blocks shifted[ACROSS];
    for (uint32_t k = 0; k < ACROSS; k++) shifted[k] = blocks_at(row, k);
    gather_blocks(shifted, columns, out);
}

static void gather_down(Blocks blocks, uint32_t columns, uint32_t rows, uint32_t row, Blocks space,
                        uint8_t *values) {
    Blocks lines[ACROSS];
    for (int k = 0; k < ACROSS; k++) {
        int64_t y = (int64_t)row + k - REACH;
        lines[k] = blocks_at(blocks, (size_t)(y < 0 ? 0 : y >= rows ? rows - 1 : y) * columns);
    }
    gather_blocks(lines, columns, space);
    for (uint32_t i = 0; i < columns; i++) {
        uint16_t mean = space.sums[i] / (ACROSS * ACROSS);
        uint8_t range = (uint8_t)(space.most[i] - space.least[i]);
        values[i] = (uint8_t)(range < FLAT ? 0 : mean == 0 ? 1 : mean);
    }
}

int tag_thresholds_make(TagThresholds *thresholds, const TagScales *scales, uint32_t level) {
    uint32_t source = level + 2 < scales->count ? level + 2 : scales->count - 1;
    uint32_t columns = (scales->level[level].width + TAG_BLOCK - 1) / TAG_BLOCK;
    uint32_t rows = (scales->level[level].height + TAG_BLOCK - 1) / TAG_BLOCK;
    size_t count = (size_t)columns * rows, row_count = (size_t)columns + 2 * REACH;
    memset(thresholds, 0, sizeof *thresholds);
    // All blocks, gathered across, and one row for work.
    size_t all = count + row_count;
    Blocks blocks = {malloc(all * sizeof *blocks.sums), malloc(all), malloc(all)};
    thresholds->values = malloc(count);
    thresholds->scratch = malloc((size_t)columns + 2);
    int ready = blocks.sums != NULL && blocks.least != NULL && blocks.most != NULL
        && thresholds->values != NULL && thresholds->scratch != NULL;
    if (ready) {
        uint32_t size = TAG_BLOCK >> (source - level);
        Blocks space = blocks_at(blocks, count);
        for (uint32_t row = 0; row < rows; row++) {
            gather_across(&scales->level[source], size, row * size, columns, space,
                          blocks_at(blocks, (size_t)row * columns));
        }
        for (uint32_t row = 0; row < rows; row++) {
            gather_down(blocks, columns, rows, row, space,
                        thresholds->values + (size_t)row * columns);
        }
        thresholds->columns = columns;
        thresholds->rows = rows;
    } else {
        tag_thresholds_free(thresholds);
    }
    free(blocks.sums);
    free(blocks.least);
    free(blocks.most);
    return ready;
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
    // Pixels from the centre of one block to that of the next; four come before the first.
    uint8_t *to = row;
    for (uint32_t k = 0; k < TAG_BLOCK / 2; k++) *to++ = blended[0];
    for (uint32_t i = 0; (size_t)(to - row) < width; i++, to += TAG_BLOCK) {
        uint32_t from = blended[i], next = blended[i + 1 <= columns ? i + 1 : columns];
        for (uint32_t k = 0; k < TAG_BLOCK; k++) {
            to[k] = (uint8_t)((from * (15 - 2 * k) + next * (2 * k + 1)) >> 4);
        }
    }
}
