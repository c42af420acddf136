// What a guess of the modules looks like under a blur, and which blur makes it look like the picture.

#include "tag_deconvolution.h"

#include <string.h>

void tag_blur_look(TagDeconvolution *d, const TagWork *work) {
    size_t from_side = (size_t)d->modules * TAG_PATCH_SCALE;
    static const int step = TAG_PATCH_SCALE / BLUR_SCALE;
    for (int y = 0; y < d->side; y++) {
        for (int x = 0; x < d->side; x++) {
            const uint8_t *from = work->patch + (size_t)(y * step) * from_side + (size_t)(x * step);
            int sum = 0, most = 0;
            for (int k = 0; k < step * step; k++) {
                int value = from[(size_t)(k / step) * from_side + (size_t)(k % step)];
                sum += value;
                most = value > most ? value : most;
            }
            d->seen[y * d->side + x] = (float)sum / (float)(step * step);
            d->is_bright[y * d->side + x] = most >= 254;
        }
    }
}

// Replaces values by their sums over windows of 2 radius + 1.
static void sum_windows(float *values, int side, int radius) {
    float line[BLUR_MOST_SIDE];
    for (int pass = 0; pass < 2; pass++) {
        size_t step = pass == 0 ? 1 : (size_t)side, other = pass == 0 ? (size_t)side : 1;
        for (int i = 0; i < side; i++) {
            float *from = values + (size_t)i * other;
            double sum = 0;
            for (int k = 0; k < side; k++) line[k] = from[(size_t)k * step];
            for (int k = 0; k < radius && k < side; k++) sum += (double)line[k];
            for (int k = 0; k < side; k++) {
                if (k + radius < side) sum += (double)line[k + radius];
                if (k - radius - 1 >= 0) sum -= (double)line[k - radius - 1];
                from[(size_t)k * step] = (float)sum;
            }
        }
    }
}

#define LIGHT_RADIUS (6 * BLUR_SCALE)
#define LEAST_LOCAL_CONTRAST 0.1f // of a neighbourhood, as a share of the whole symbol's

void tag_blur_even_out(TagDeconvolution *d) {
    int count = d->side * d->side;
    float(*sums)[BLUR_MOST_PIXELS] = d->sums;
    double totals[5] = {0};
    for (int i = 0; i < count; i++) {
        float weight = d->is_bright[i] ? 0.02f : 1, p = d->blurred[i], y = d->seen[i];
        const float products[5] = {weight, weight * p, weight * y, weight * p * p, weight * p * y};
        for (int k = 0; k < 5; k++) {
            sums[k][i] = products[k];
            totals[k] += (double)products[k];
        }
    }
    for (int k = 0; k < 5; k++) sum_windows(sums[k], d->side, LIGHT_RADIUS);
    double spread = totals[3] - totals[1] * totals[1] / totals[0];
    double contrast = (totals[4] - totals[1] * totals[2] / totals[0]) / (spread > 1 ? spread : 1);
    float usual = contrast > 2 ? (float)contrast : 2;
    for (int i = 0; i < count; i++) {
        float weight = sums[0][i], p = sums[1][i] / weight, y = sums[2][i] / weight;
        float variance = sums[3][i] / weight - p * p, both = sums[4][i] / weight - p * y;
        float gain = (both + 0.05f * usual) / (variance + 0.05f);
        if (gain < LEAST_LOCAL_CONTRAST * usual) gain = LEAST_LOCAL_CONTRAST * usual;
        float even = (d->seen[i] - y) / gain + p;
        // What is too bright for the camera is at least as light as it should look.
        if (d->is_bright[i] && even > d->blurred[i]) even = d->blurred[i];
        d->even[i] = even > 3 ? 3 : even < -3 ? -3 : even;
    }
}

void tag_blur_draw(TagDeconvolution *d) {
    for (int y = 0; y < d->side; y++) {
        for (int x = 0; x < d->side; x++) {
            float guess = *blur_guess_at(d, x / BLUR_SCALE, y / BLUR_SCALE);
            d->drawn[y * d->side + x] = guess;
            d->doubtful[y * d->side + x] = 1 - guess * guess;
        }
    }
    sum_windows(d->doubtful, d->side, BLUR_REACH - 1);
}

void tag_blur_apply(TagDeconvolution *d) {
    int side = d->side;
    for (int y = 0; y < side; y++) {
        float *to = d->blurred + y * side;
        memset(to, 0, (size_t)side * sizeof *to);
        for (int i = 0; i < BLUR_TAPS; i++) {
            int dx = i % BLUR_WIDTH - BLUR_REACH;
            const float *from = d->drawn + blur_clamped(y - (i / BLUR_WIDTH - BLUR_REACH), side) * side;
            float tap = d->blur[i];
            int first = dx > 0 ? dx : 0, last = dx < 0 ? side + dx : side;
            for (int x = first; x < last; x++) to[x] += tap * from[x - dx];
            for (int x = 0; x < first; x++) to[x] += tap * from[0];
            for (int x = last; x < side; x++) to[x] += tap * from[side - 1];
        }
    }
}

static void make_footprint(TagDeconvolution *d) {
    memset(d->footprint, 0, sizeof d->footprint);
    for (int i = 0; i < BLUR_TAPS; i++) {
        for (int k = 0; k < BLUR_SCALE * BLUR_SCALE; k++) {
            int x = i % BLUR_WIDTH + k % BLUR_SCALE, y = i / BLUR_WIDTH + k / BLUR_SCALE;
            d->footprint[y * BLUR_FOOTPRINT + x] += d->blur[i];
        }
    }
    for (int i = 0; i < BLUR_NEAR_WIDTH * BLUR_NEAR_WIDTH; i++) {
        int dx = (i % BLUR_NEAR_WIDTH - BLUR_NEAR) * BLUR_SCALE;
        int dy = (i / BLUR_NEAR_WIDTH - BLUR_NEAR) * BLUR_SCALE;
        float sum = 0;
        for (int y = dy > 0 ? dy : 0; y < BLUR_FOOTPRINT && y - dy < BLUR_FOOTPRINT; y++) {
            for (int x = dx > 0 ? dx : 0; x < BLUR_FOOTPRINT && x - dx < BLUR_FOOTPRINT; x++) {
                sum += d->footprint[y * BLUR_FOOTPRINT + x]
                    * d->footprint[(y - dy) * BLUR_FOOTPRINT + x - dx];
            }
        }
        d->overlaps[i] = sum;
    }
}

#define MOST_EQUATIONS 1600
#define NOISE 0.03f      // of a pixel, as a variance
#define DOUBT_SHARE 0.15f // of the doubt about modules that is seen in a pixel

// How much a pixel tells of the blur.
static float weight_of(const TagDeconvolution *d, int at) {
    if (d->is_bright[at]) return 0;
    static const float window = (2 * BLUR_REACH - 1) * (2 * BLUR_REACH - 1);
    return NOISE / (NOISE + DOUBT_SHARE * d->doubtful[at] / window);
}

// Estimates the blur that makes the guesses look like the picture: least squares, by pixels around
// which modules are known, with a bias towards a smooth blur that is small far from its middle.
// Returns 0 if there is none.
int tag_blur_estimate(TagDeconvolution *d) {
    int side = d->side, low = BLUR_REACH, high = side - BLUR_REACH, telling = 0;
    double *matrix = d->equations.matrix, total = 0;
    tag_equations_begin(&d->equations, BLUR_TAPS);
    for (int y = low; y < high; y++) {
        for (int x = low; x < high; x++) telling += weight_of(d, y * side + x) > 0.3f;
    }
    // A part of the pixels is enough, if there are many.
    int step = telling / MOST_EQUATIONS + 1, count = 0;
    float least = telling > 400 ? 0.3f : 0.1f;
    for (int y = low; y < high; y++) {
        for (int x = low; x < high; x++) {
            float weight = weight_of(d, y * side + x);
            if (weight <= least || count++ % step != 0) continue;
            double *taps = tag_equations_terms(&d->equations);
            for (int i = 0; i < BLUR_TAPS; i++) {
                int dx = i % BLUR_WIDTH - BLUR_REACH, dy = i / BLUR_WIDTH - BLUR_REACH;
                taps[i] = (double)d->drawn[(y - dy) * side + x - dx];
            }
            tag_equations_add(&d->equations, (double)d->even[y * side + x], (double)weight);
            total += (double)weight;
        }
    }
    tag_equations_sum_up(&d->equations);
    for (int i = 0; i < BLUR_TAPS; i++) {
        int x = i % BLUR_WIDTH - BLUR_REACH, y = i / BLUR_WIDTH - BLUR_REACH;
        double far = (double)(x * x + y * y) / (BLUR_REACH * BLUR_REACH);
        matrix[i * BLUR_TAPS + i] += total * (0.001 + 0.02 * far * far);
        // The squared differences from the taps to the left and above.
        static const double smooth = 0.004;
        if (i % BLUR_WIDTH > 0) {
            matrix[i * BLUR_TAPS + i] += total * smooth;
            matrix[(i - 1) * BLUR_TAPS + i - 1] += total * smooth;
            matrix[i * BLUR_TAPS + i - 1] -= total * smooth;
        }
        if (i >= BLUR_WIDTH) {
            matrix[i * BLUR_TAPS + i] += total * smooth;
            matrix[(i - BLUR_WIDTH) * BLUR_TAPS + i - BLUR_WIDTH] += total * smooth;
            matrix[i * BLUR_TAPS + i - BLUR_WIDTH] -= total * smooth;
        }
    }
    if (!tag_equations_solve(&d->equations)) return 0;
    for (int i = 0; i < BLUR_TAPS; i++) d->blur[i] = (float)d->equations.right[i];
    make_footprint(d);
    return 1;
}

float tag_blur_unexplained(const TagDeconvolution *d) {
    double sum = 0, total = 0;
    int first = TAG_PATCH_MARGIN * BLUR_SCALE, last = d->side - first;
    for (int y = first; y < last; y++) {
        for (int x = first; x < last; x++) {
            int at = y * d->side + x;
            double left = (double)(d->even[at] - d->blurred[at]), weight = (double)weight_of(d, at);
            weight *= weight;
            sum += weight * left * left;
            total += weight;
        }
    }
    return total > 0 ? (float)(sum / total) : 1;
}
