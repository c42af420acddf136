// Follows the edges between modules, so that the grid fits if a plane projection does not: on bent
// and crumpled tags, through a lens, or far from the three finder patterns.
//
// Edges can only be between modules. In a patch that fits, the luminance changes strongly at
// integer positions and weakly between them: the change has the period of a module. Its phase tells
// by what part of a module the patch is off, for any content of the modules; averaged over a
// neighbourhood it resists noise and damage. A phase is known only up to whole modules, so it is
// followed outwards from the finder patterns, where the projection is known to fit.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

// Measures the phase of changes along one direction, as one complex number for each module.
static void measure(const TagWork *work, int downwards, float *real, float *imaginary) {
    int modules = work->dimension + 2 * TAG_PATCH_MARGIN;
    int side = modules * TAG_PATCH_SCALE;
    size_t step = downwards ? (size_t)side : 1;
    // With four pixels per module, the turns between two pixels are right angles.
    static const float cosines[TAG_PATCH_SCALE] = {0, -1, 0, 1}; // of the boundary after pixel k
    static const float sines[TAG_PATCH_SCALE] = {1, 0, -1, 0};
    memset(real, 0, (size_t)modules * (size_t)modules * sizeof *real);
    memset(imaginary, 0, (size_t)modules * (size_t)modules * sizeof *imaginary);
    int rows = downwards ? side - 1 : side, columns = downwards ? side : side - 1;
    for (int y = 0; y < rows; y++) {
        const uint8_t *line = work->sharp + (size_t)y * (size_t)side;
        float *re = real + (y / TAG_PATCH_SCALE) * modules;
        float *im = imaginary + (y / TAG_PATCH_SCALE) * modules;
        for (int x = 0; x < columns; x++) {
            int change = (int)line[(size_t)x + step] - (int)line[x];
            float strength = (float)(change < 0 ? -change : change);
            int k = (downwards ? y : x) % TAG_PATCH_SCALE;
            re[x / TAG_PATCH_SCALE] += strength * cosines[k];
            im[x / TAG_PATCH_SCALE] += strength * sines[k];
        }
    }
}

// The mean of windows of 2 radius + 1 along one direction, in place.
static void smooth_line(float *values, int count, int stride, int radius, float *line) {
    for (int i = 0; i < count; i++) line[i] = values[i * stride];
    float sum = 0;
    for (int i = 0; i < radius && i < count; i++) sum += line[i];
    for (int i = 0; i < count; i++) {
        if (i + radius < count) sum += line[i + radius];
        if (i - radius - 1 >= 0) sum -= line[i - radius - 1];
        values[i * stride] = sum;
    }
}

static void smooth(float *values, int side, int radius) {
    float line[TAG_PATCH_MOST_MODULES];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < side; i++) smooth_line(values + i * side, side, 1, radius, line);
        for (int i = 0; i < side; i++) smooth_line(values + i, side, side, radius, line);
    }
}

// A queue of places, the one with the greatest weight first. Weights are kept as their bits, which for numbers that are
// not negative have the same order: compilers vectorise the search for the greatest integer only.
typedef struct Queue {
    int count;
    int places[TAG_PATCH_MOST_MODULES * 8];
    int32_t weights[TAG_PATCH_MOST_MODULES * 8];
} Queue;

static void enqueue(Queue *queue, int place, float weight) {
    queue->places[queue->count] = place;
    memcpy(&queue->weights[queue->count++], &weight, sizeof weight);
}

static int dequeue(Queue *queue) {
    int32_t most = queue->weights[0];
    for (int i = 1; i < queue->count; i++) most = queue->weights[i] > most ? queue->weights[i] : most;
    int best = 0;
    while (queue->weights[best] != most) best++;
    int place = queue->places[best];
    queue->places[best] = queue->places[--queue->count];
    queue->weights[best] = queue->weights[queue->count];
    return place;
}

// Whether this module is in a finder pattern that was found, where the projection fits.
static int is_anchor(const TagWork *work, int column, int row) {
    int near = TAG_PATCH_MARGIN + 7, far = TAG_PATCH_MARGIN + work->dimension - 7;
    int inside = column >= TAG_PATCH_MARGIN && row >= TAG_PATCH_MARGIN
        && column < far + 7 && row < far + 7;
    if (!inside) return 0;
    return (column < near && row < near && work->anchors & 1)
        || (column >= far && row < near && work->anchors & 2)
        || (column < near && row >= far && work->anchors & 4);
}

// Computes the offset of each module in modules, outwards from the finder patterns. Of the modules
// beside known ones, the one with the clearest phase comes next. It gets the turn that is nearest
// to the mean of its known neighbours. Modules without information keep the offset of a neighbour.
//
// `known` is 0 unknown, 1 waiting, 2 known.
static void unwrap(const TagWork *work, float *offsets, float *weights, uint8_t *known, int side) {
    Queue queue = {.count = 0};
    int most = (int)(sizeof queue.places / sizeof queue.places[0]);
    memset(known, 0, (size_t)side * (size_t)side);
    for (int at = 0; at < side * side; at++) {
        if (is_anchor(work, at % side, at / side)) known[at] = 2;
    }
    for (int pass = 0; pass < 2; pass++) {
        // The second pass begins with the modules that did not fit into the queue.
        for (int at = 0; at < side * side; at++) {
            if (known[at] != 0) continue;
            int column = at % side, row = at / side;
            int beside =
                (column > 0 && known[at - 1] == 2) || (column + 1 < side && known[at + 1] == 2)
                || (row > 0 && known[at - side] == 2) || (row + 1 < side && known[at + side] == 2);
            if (beside && queue.count < most) {
                enqueue(&queue, at, weights[at]);
                known[at] = 1;
            }
        }
        while (queue.count > 0) {
            int at = dequeue(&queue);
            int column = at % side, row = at / side;
            float sum = 0, count = 0;
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    int x = column + dx, y = row + dy;
                    if (x < 0 || y < 0 || x >= side || y >= side || known[y * side + x] != 2)
                        continue;
                    sum += offsets[y * side + x];
                    count += 1;
                }
            }
            if (count > 0) offsets[at] += roundf(sum / count - offsets[at]);
            known[at] = 2;
            const int neighbours[4] = {column > 0 ? at - 1 : at, column + 1 < side ? at + 1 : at,
                                       row > 0 ? at - side : at, row + 1 < side ? at + side : at};
            for (int i = 0; i < 4; i++) {
                if (known[neighbours[i]] != 0 || queue.count >= most) continue;
                known[neighbours[i]] = 1;
                enqueue(&queue, neighbours[i], weights[neighbours[i]]);
            }
        }
    }
}

// Converts the phase to an offset in modules, within half a module, and gives how clear it is.
static void offsets_of(const float *real, const float *imaginary, int count, float *offsets,
                       float *weights) {
    for (int i = 0; i < count; i++) {
        offsets[i] = atan2f(imaginary[i], real[i]) / 6.28318530718f;
        weights[i] = sqrtf(real[i] * real[i] + imaginary[i] * imaginary[i]);
    }
}

#define MOST_TERMS 15

// Replaces offsets by the polynomial that fits them best, ignoring outliers.
static int fit_polynomial(float *offsets, const float *weights, int side, int order) {
    if (order > 4) order = 4;
    int count = (order + 1) * (order + 2) / 2;
    TagEquations equations;
    double *matrix = equations.matrix, *right = equations.right;
    float scale = 2 / (float)side;
    for (int round = 0; round < 3; round++) {
        double solution[MOST_TERMS];
        if (round > 0) memcpy(solution, right, sizeof solution);
        tag_equations_begin(&equations, count);
        // Every second module is enough: the offsets were smoothed over more than that.
        for (int y = TAG_PATCH_MARGIN; y < side - TAG_PATCH_MARGIN; y += 2) {
            for (int x = TAG_PATCH_MARGIN; x < side - TAG_PATCH_MARGIN; x += 2) {
                double *terms = tag_equations_terms(&equations);
                tag_polynomial_terms((float)x * scale - 1, (float)y * scale - 1, order, terms);
                double weight = (double)weights[y * side + x],
                       value = (double)offsets[y * side + x];
                if (round > 0) {
                    double estimate = 0;
                    for (int i = 0; i < count; i++) estimate += solution[i] * terms[i];
                    double off = (value - estimate) / 0.15;
                    weight /= 1 + off * off * off * off;
                }
                tag_equations_add(&equations, value, weight);
            }
        }
        tag_equations_sum_up(&equations);
        double trace = 0;
        for (int i = 0; i < count; i++) trace += matrix[i * count + i];
        if (!(trace > 0)) return 0;
        for (int i = 0; i < count; i++) matrix[i * count + i] += 1e-6 * trace;
        if (!tag_equations_solve(&equations)) return 0;
    }
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            double estimate = 0, terms[MOST_TERMS];
            tag_polynomial_terms((float)x * scale - 1, (float)y * scale - 1, order, terms);
            for (int i = 0; i < count; i++) estimate += right[i] * terms[i];
            offsets[y * side + x] = (float)estimate;
        }
    }
    return 1;
}

// Adds the offsets of modules to the mesh, which has the corners of modules.
static float add_to_mesh(const float *offsets, int side, float *mesh) {
    float largest = 0;
    int stride = side + 1;
    for (int y = 0; y <= side; y++) {
        int above = y > 0 ? y - 1 : 0, below = y < side ? y : side - 1;
        for (int x = 0; x <= side; x++) {
            int left = x > 0 ? x - 1 : 0, right = x < side ? x : side - 1;
            float offset = (offsets[above * side + left] + offsets[above * side + right]
                            + offsets[below * side + left] + offsets[below * side + right]) / 4;
            if (!(fabsf(offset) < 8)) offset = 0;
            mesh[y * stride + x] += offset;
            if (fabsf(offset) > largest) largest = fabsf(offset);
        }
    }
    return largest;
}

static void clear(TagWork *work, size_t nodes) {
    memset(work->mesh_u, 0, nodes * sizeof *work->mesh_u);
    memset(work->mesh_v, 0, nodes * sizeof *work->mesh_v);
    work->has_mesh = 1;
}

float tag_mesh_follow(TagWork *work, int order, int radius) {
    int side = work->dimension + 2 * TAG_PATCH_MARGIN;
    size_t nodes = (size_t)(side + 1) * (size_t)(side + 1);
    float *offsets = work->scratch[0], *weights = work->scratch[1];
    float *real = work->scratch[2], *imaginary = work->scratch[3];
    float largest = 0;
    if (!tag_patch_sharpen(work)) return 0;
    if (!work->has_mesh) clear(work, nodes);
    for (int downwards = 0; downwards < 2; downwards++) {
        measure(work, downwards, real, imaginary);
        smooth(real, side, radius);
        smooth(imaginary, side, radius);
        offsets_of(real, imaginary, side * side, offsets, weights);
        unwrap(work, offsets, weights, (uint8_t *)(void *)real, side);
        if (order > 0) fit_polynomial(offsets, weights, side, order);
        float most = add_to_mesh(offsets, side, downwards ? work->mesh_v : work->mesh_u);
        if (most > largest) largest = most;
    }
    work->spent += (uint64_t)side * (uint64_t)side * 60;
    return largest;
}
