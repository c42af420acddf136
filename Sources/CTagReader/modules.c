// Decides whether each module is dark.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

// Makes a table of sums from the top left corner, for sums over windows.
static void make_table(const float *values, int side, double *table) {
    int stride = side + 1;
    for (int i = 0; i < stride; i++) table[i] = 0;
    for (int row = 0; row < side; row++) {
        double line = 0;
        table[(row + 1) * stride] = 0;
        for (int column = 0; column < side; column++) {
            line += (double)values[row * side + column];
            table[(row + 1) * stride + column + 1] = table[row * stride + column + 1] + line;
        }
    }
}

typedef struct Window {
    int left, top, right, bottom;
} Window;

static void place_window(Window *window, int column, int radius, int side) {
    window->left = column < radius ? 0 : column - radius;
    window->right = column + radius < side ? column + radius + 1 : side;
}

static double area_of(const Window *window) {
    return (double)((window->right - window->left) * (window->bottom - window->top));
}

static double sum_of(const double *table, int side, const Window *window) {
    const double *top = table + window->top * (side + 1),
                 *bottom = table + window->bottom * (side + 1);
    return bottom[window->right] - top[window->right] - bottom[window->left] + top[window->left];
}

// The difference between the means of all light and of all dark values.
static double contrast_of(int side, const double *sums, const double *sums_above,
                          const double *counts_above) {
    Window all = {.right = side, .bottom = side};
    double lighter = sum_of(sums_above, side, &all), count = sum_of(counts_above, side, &all);
    double others = area_of(&all) - count;
    if (count < 1 || others < 1) return 0;
    return lighter / count - (sum_of(sums, side, &all) - lighter) / others;
}

// Where the contrast is below this share of the symbol's, decisions are less certain.
#define LEAST_CONTRAST 0.5

// The threshold is half way between the mean of the values above and the mean of those below the
// window's mean. Unlike that mean, it does not depend on how many modules are dark.
void tag_modules_decide(TagWork *work, const float *values, int radius) {
    int n = work->dimension, modules = n + 2 * TAG_PATCH_MARGIN;
    static const int margin = TAG_PATCH_MARGIN;
    double *sums = work->tables[0], *sums_above = work->tables[1], *counts_above = work->tables[2];
    float *inner = work->scratch[0], *above = work->scratch[1], *is_above = work->scratch[2];
    for (int row = 0; row < n; row++) {
        memcpy(inner + row * n, values + (row + margin) * modules + margin,
               (size_t)n * sizeof *inner);
    }
    make_table(inner, n, sums);
    for (int row = 0; row < n; row++) {
        Window window = {.top = row < radius ? 0 : row - radius,
                         .bottom = row + radius < n ? row + radius + 1 : n};
        for (int column = 0; column < n; column++) {
            place_window(&window, column, radius, n);
            int at = row * n + column;
            int lighter = (double)inner[at] * area_of(&window) >= sum_of(sums, n, &window);
            is_above[at] = lighter ? 1.0f : 0.0f;
            above[at] = lighter ? inner[at] : 0.0f;
        }
    }
    make_table(above, n, sums_above);
    make_table(is_above, n, counts_above);
    double least_contrast = LEAST_CONTRAST * contrast_of(n, sums, sums_above, counts_above);
    for (int row = 0; row < n; row++) {
        Window window = {.top = row < radius ? 0 : row - radius,
                         .bottom = row + radius < n ? row + radius + 1 : n};
        for (int column = 0; column < n; column++) {
            place_window(&window, column, radius, n);
            double lighter = sum_of(sums_above, n, &window),
                   count = sum_of(counts_above, n, &window);
            double darker = sum_of(sums, n, &window) - lighter;
            double others = area_of(&window) - count;
            double light = lighter / (count > 1 ? count : 1);
            double dark = darker / (others > 1 ? others : 1);
            double contrast = light - dark > least_contrast ? light - dark : least_contrast;
            double above_middle = (double)inner[row * n + column] - 0.5 * (light + dark);
            work->modules[row * n + column] = above_middle < 0;
            float certainty = contrast > 0 ? (float)(2 * fabs(above_middle) / contrast) : 0;
            work->certainty[row * n + column] = certainty < 1 ? certainty : 1;
        }
    }
    work->spent += (uint64_t)n * (uint64_t)n * 12;
}

#define AREA 5 // modules on each side
#define MOST_EXCEPTIONS 1
#define AREA_CERTAINTY 0.1f

void tag_modules_distrust_areas(TagWork *work) {
    int n = work->dimension;
    float *dark = work->scratch[0];
    for (int i = 0; i < n * n; i++) dark[i] = work->modules[i];
    make_table(dark, n, work->tables[0]);
    for (int row = 0; row + AREA <= n; row++) {
        for (int column = 0; column + AREA <= n; column++) {
            Window window = {column, row, column + AREA, row + AREA};
            double count = sum_of(work->tables[0], n, &window);
            if (count > MOST_EXCEPTIONS && count < AREA * AREA - MOST_EXCEPTIONS) continue;
            for (int i = 0; i < AREA * AREA; i++) {
                float *certainty = &work->certainty[(row + i / AREA) * n + column + i % AREA];
                if (*certainty > AREA_CERTAINTY) *certainty = AREA_CERTAINTY;
            }
        }
    }
    work->spent += (uint64_t)n * (uint64_t)n * 8;
}

float tag_modules_agreement(const TagWork *work) {
    int known = 0, right = 0;
    for (int i = 0; i < work->dimension * work->dimension; i++) {
        if (work->kinds[i] != TAG_MODULE_LIGHT && work->kinds[i] != TAG_MODULE_DARK) continue;
        known++;
        right += work->modules[i] == (work->kinds[i] == TAG_MODULE_DARK);
    }
    return known > 0 ? (float)right / (float)known : 0;
}
