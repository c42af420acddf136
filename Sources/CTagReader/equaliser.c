// Removes blur with a filter learnt from the modules of known colour.
//
// Blur of any kind (out of focus, motion in any direction, a coarse lens) mixes each module with
// its neighbours in the same way everywhere in a symbol. The finder, timing and alignment patterns
// are known, so finding the linear filter that restores them best is a least squares problem. Radio
// receivers solve the same problem with a training sequence. Modules that the filter decides
// clearly are then added to the known ones, and the filter is computed again: an out-of-focus
// symbol of 37 modules has 300 known modules at first, and more than a thousand in the second
// round.

#include "tag_engine.h"

#include <math.h>

#define MOST_REACH 3
#define MOST_TAPS ((2 * MOST_REACH + 1) * (2 * MOST_REACH + 1) + 1)
_Static_assert(MOST_TAPS <= TAG_MOST_TERMS, "the taps are more than the terms of an equation");

// Evens out brightness and contrast: `even` becomes about -1 for dark and 1 for light.
static void normalise(const TagWork *work, int radius, float *even) {
    int modules = work->dimension + 2 * TAG_PATCH_MARGIN;
    for (int row = 0; row < modules; row++) {
        for (int column = 0; column < modules; column++) {
            int left = column < radius ? 0 : column - radius;
            int right = column + radius < modules ? column + radius + 1 : modules;
            int top = row < radius ? 0 : row - radius;
            int bottom = row + radius < modules ? row + radius + 1 : modules;
            float sum = 0, squares = 0;
            for (int y = top; y < bottom; y += 2) {
                for (int x = left; x < right; x += 2) {
                    float value = work->values[y * modules + x];
                    sum += value;
                    squares += value * value;
                }
            }
            float count = (float)(((bottom - top + 1) / 2) * ((right - left + 1) / 2));
            float mean = sum / count, variance = squares / count - mean * mean;
            float deviation = sqrtf(variance > 4 ? variance : 4);
            even[row * modules + column] =
                (work->values[row * modules + column] - mean) / deviation;
        }
    }
}

// Collects the neighbourhood of a module, and a constant.
static int gather_neighbours(const float *even, int modules, int column, int row, int reach, double *taps) {
    int count = 0;
    for (int dy = -reach; dy <= reach; dy++) {
        int y = row + dy < 0 ? 0 : row + dy >= modules ? modules - 1 : row + dy;
        for (int dx = -reach; dx <= reach; dx++) {
            int x = column + dx < 0 ? 0 : column + dx >= modules ? modules - 1 : column + dx;
            taps[count++] = (double)even[y * modules + x];
        }
    }
    taps[count++] = 1;
    return count;
}

int tag_modules_equalise(TagWork *work, int reach, int rounds) {
    int n = work->dimension, modules = n + 2 * TAG_PATCH_MARGIN;
    const int margin = TAG_PATCH_MARGIN;
    float *even = work->scratch[0], *filtered = work->scratch[1];
    if (reach > MOST_REACH) reach = MOST_REACH;
    normalise(work, 8, even);
    for (int round = 0; round < rounds; round++) {
        TagEquations equations;
        double taps[MOST_TAPS];
        int count = (2 * reach + 1) * (2 * reach + 1) + 1;
        tag_equations_begin(&equations, count);
        for (int row = 0; row < n; row++) {
            for (int column = 0; column < n; column++) {
                uint8_t kind = work->kinds[row * n + column];
                double value, weight;
                if (kind == TAG_MODULE_LIGHT || kind == TAG_MODULE_DARK) {
                    value = kind == TAG_MODULE_DARK ? -1 : 1;
                    weight = 1;
                } else {
                    if (round == 0) continue;
                    value = (double)filtered[row * n + column];
                    if (fabs(value) < 0.25) continue;
                    value = value < 0 ? -1 : 1;
                    weight = 0.5;
                }
                gather_neighbours(even, modules, column + margin, row + margin, reach,
                                  tag_equations_terms(&equations));
                tag_equations_add(&equations, value, weight);
            }
        }
        tag_equations_sum_up(&equations);
        // A bias towards small weights, stronger if little is known.
        for (int i = 0; i < count; i++) equations.matrix[i * count + i] += round == 0 ? 2 : 0.5;
        if (!tag_equations_solve(&equations)) return 0;
        for (int row = 0; row < n; row++) {
            for (int column = 0; column < n; column++) {
                gather_neighbours(even, modules, column + margin, row + margin, reach, taps);
                double sum = 0;
                for (int i = 0; i < count; i++) sum += equations.right[i] * taps[i];
                filtered[row * n + column] = (float)sum;
            }
        }
        work->spent +=
            (uint64_t)n * (uint64_t)n * (uint64_t)count * (uint64_t)(round == 0 ? 3 : 10);
    }
    for (int i = 0; i < n * n; i++) {
        work->modules[i] = filtered[i] < 0;
        work->certainty[i] = fminf(fabsf(filtered[i]), 1);
    }
    return 1;
}
