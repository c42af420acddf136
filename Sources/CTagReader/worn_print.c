// The values of modules where print is missing: lines that a print head left out, dots that did not take.
//
// What is missing is light, so a module that is dark somewhere was printed dark; and a line of samples along
// which nothing changes, while all others do, was not printed.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tag_patch_dark_values(TagWork *work) {
    int modules = work->dimension + 2 * TAG_PATCH_MARGIN, side = modules * TAG_PATCH_SCALE;
    for (int row = 0; row < modules; row++) {
        for (int column = 0; column < modules; column++) {
            const uint8_t *from = work->patch + (row * side + column) * TAG_PATCH_SCALE;
            int darkest = 255, next = 255; // two, because of noise
            for (int i = 0; i < TAG_PATCH_SCALE * TAG_PATCH_SCALE; i++) {
                int value = from[i / TAG_PATCH_SCALE * side + i % TAG_PATCH_SCALE];
                if (value < darkest) {
                    next = darkest;
                    darkest = value;
                } else if (value < next) {
                    next = value;
                }
            }
            work->values[row * modules + column] = (float)(darkest + next) / 2;
        }
    }
    work->spent += (uint64_t)side * (uint64_t)side;
}

// The spread of luminance along a line, as a share of the usual one: of less, nothing was printed; of more, all.
#define LEAST_SHARE 0.4f
#define ENOUGH_SHARE 0.8f
#define LEAST_PRINTED 0.01f // not 0, so that modules of which no line was printed have a value too

static int compare_floats(const void *one, const void *other) {
    float a = *(const float *)one, b = *(const float *)other;
    return (a > b) - (a < b);
}

// Replaces the spreads of lines by how far each was printed.
static void compare_with_usual(float *lines, int count) {
    float sorted[TAG_PATCH_MOST];
    memcpy(sorted, lines, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_floats);
    float usual = sorted[count * 6 / 10]; // many lines may be missing
    for (int i = 0; i < count; i++) {
        float share = usual > 0 ? lines[i] / usual : 1;
        float printed = (share - LEAST_SHARE) / (ENOUGH_SHARE - LEAST_SHARE);
        lines[i] = fminf(fmaxf(printed, LEAST_PRINTED), 1);
    }
}

static float spread_along(const uint8_t *samples, int count, int step) {
    uint32_t sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        uint32_t value = samples[i * step];
        sum += value;
        squares += value * value;
    }
    double mean = (double)sum / count;
    return (float)sqrt(fmax((double)squares / count - mean * mean, 0));
}

// Around the symbol nothing is printed, and all lines count.
void tag_patch_find_lines(TagWork *work, TagPrintedLines *printed) {
    int count = work->dimension * TAG_PATCH_SCALE, margin = TAG_PATCH_MARGIN * TAG_PATCH_SCALE;
    int side = count + 2 * margin;
    for (int i = 0; i < side; i++) printed->rows[i] = printed->columns[i] = 1;
    for (int i = margin; i < margin + count; i++) {
        printed->rows[i] = spread_along(work->patch + i * side + margin, count, 1);
        printed->columns[i] = spread_along(work->patch + margin * side + i, count, side);
    }
    compare_with_usual(printed->rows + margin, count);
    compare_with_usual(printed->columns + margin, count);
    work->spent += (uint64_t)side * (uint64_t)side * 2;
}

void tag_patch_line_values(TagWork *work, const TagPrintedLines *printed) {
    int modules = work->dimension + 2 * TAG_PATCH_MARGIN, side = modules * TAG_PATCH_SCALE;
    for (int row = 0; row < modules; row++) {
        for (int column = 0; column < modules; column++) {
            float sum = 0, weights = 0;
            for (int i = 0; i < TAG_PATCH_SCALE * TAG_PATCH_SCALE; i++) {
                int y = row * TAG_PATCH_SCALE + i / TAG_PATCH_SCALE;
                int x = column * TAG_PATCH_SCALE + i % TAG_PATCH_SCALE;
                float weight = printed->rows[y] * printed->columns[x];
                sum += weight * (float)work->patch[y * side + x];
                weights += weight;
            }
            work->values[row * modules + column] = sum / weights;
        }
    }
    work->spent += (uint64_t)side * (uint64_t)side;
}

// How far the best line of a module was printed.
static float best_line(const float *lines, int module) {
    float best = 0;
    for (int i = 0; i < TAG_PATCH_SCALE; i++) {
        best = fmaxf(best, lines[(module + TAG_PATCH_MARGIN) * TAG_PATCH_SCALE + i]);
    }
    return best;
}

void tag_modules_distrust_lines(TagWork *work, const TagPrintedLines *printed) {
    int n = work->dimension;
    for (int i = 0; i < n * n; i++) {
        work->certainty[i] *= best_line(printed->rows, i / n) * best_line(printed->columns, i % n);
    }
}

#define DARK_CERTAINTY 0.9f

void tag_modules_trust_dark(TagWork *work) {
    for (int i = 0; i < work->dimension * work->dimension; i++) {
        if (work->modules[i]) work->certainty[i] = fmaxf(work->certainty[i], DARK_CERTAINTY);
    }
}
