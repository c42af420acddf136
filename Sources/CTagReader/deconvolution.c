// Decides modules by what a blurred picture of them would look like.
//
// An equaliser (equaliser.c) inverts blur with one linear filter, which amplifies noise where the blur
// left little. This goes the other way: it estimates the blur, and looks for the modules that this blur
// would make look like the picture. That a module is dark or light, and nothing between, is what this
// knows more than any filter. The blur is first estimated where modules are known (van Gennip et al.,
// arXiv 1410.6333), then from all modules as they are guessed.
//
// Looking for the modules is the problem of a lattice of spins: each depends on its neighbours within
// the reach of the blur. A guess is a number from -1 (dark) to 1 (light), the mean under the present
// belief. All guesses are improved in turn, first as if the picture told little, then as if it told ever
// more (mean field annealing); begun at once with full trust, the search ends in a wrong place.

#include "tag_deconvolution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How strongly the picture pulls each guess, without what its neighbours explain.
static void measure_pulls(TagDeconvolution *d) {
    for (int row = 0; row < d->modules; row++) {
        for (int column = 0; column < d->modules; column++) {
            float sum = 0;
            for (int y = 0; y < BLUR_FOOTPRINT; y++) {
                int from = blur_clamped(row * BLUR_SCALE - BLUR_REACH + y, d->side);
                const float *line = d->even + from * d->side;
                for (int x = 0; x < BLUR_FOOTPRINT; x++) {
                    sum += d->footprint[y * BLUR_FOOTPRINT + x]
                        * line[blur_clamped(column * BLUR_SCALE - BLUR_REACH + x, d->side)];
                }
            }
            d->pulls[row * d->modules + column] = sum;
        }
    }
}

// About the hyperbolic tangent.
static inline float bounded(float x) {
    if (x > 3) return 1;
    if (x < -3) return -1;
    return x * (27 + x * x) / (27 + 9 * x * x);
}

// Improves every guess once. `doubt` is the variance of what the guesses cannot explain.
static void improve(TagDeconvolution *d, float doubt) {
    int first = TAG_PATCH_MARGIN, last = d->modules - TAG_PATCH_MARGIN;
    float itself = d->overlaps[BLUR_NEAR * BLUR_NEAR_WIDTH + BLUR_NEAR], factor = 1 / doubt;
    for (int row = first; row < last; row++) {
        for (int column = first; column < last; column++) {
            if (d->known[row * d->modules + column]) continue;
            float *guess = blur_guess_at(d, column, row);
            float sum = d->pulls[row * d->modules + column] + itself * *guess;
            const float *from = guess - BLUR_NEAR * BLUR_STRIDE - BLUR_NEAR, *overlap = d->overlaps;
            for (int y = 0; y < BLUR_NEAR_WIDTH; y++, from += BLUR_STRIDE, overlap += BLUR_NEAR_WIDTH) {
                float line = 0;
                for (int x = 0; x < BLUR_NEAR_WIDTH; x++) line += overlap[x] * from[x];
                sum -= line;
            }
            *guess = bounded(sum * factor);
        }
    }
}

TagDeconvolution *tag_deconvolution_begin(const TagWork *work) {
    TagDeconvolution *d = malloc(sizeof *d);
    if (d == NULL) return NULL;
    int n = work->dimension;
    static const int margin = TAG_PATCH_MARGIN;
    d->modules = n + 2 * margin;
    d->side = d->modules * BLUR_SCALE;
    tag_blur_look(d, work);
    for (int i = 0; i < BLUR_STRIDE * BLUR_STRIDE; i++) d->guesses[i] = 1;
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            uint8_t kind = work->kinds[row * n + column];
            int known = kind == TAG_MODULE_DARK || kind == TAG_MODULE_LIGHT;
            int dark = known ? kind == TAG_MODULE_DARK : work->modules[row * n + column];
            d->known[(row + margin) * d->modules + column + margin] = (uint8_t)known;
            *blur_guess_at(d, column + margin, row + margin) = (dark ? -1.0f : 1.0f) * (known ? 1 : 0.7f);
        }
    }
    tag_blur_draw(d);
    // Only to even out the light, the blur is first taken for one and a half modules wide.
    for (int i = 0; i < BLUR_TAPS; i++) {
        int x = i % BLUR_WIDTH - BLUR_REACH, y = i / BLUR_WIDTH - BLUR_REACH;
        d->blur[i] = abs(x) <= 1 && abs(y) <= 1 ? 1.0f / 9 : 0;
    }
    tag_blur_apply(d);
    d->rounds = 0;
    return d;
}

// Less is never believed: the light is not evened out so exactly.
#define LEAST_LEFT 0.01f

#define SWEEPS 100
#define LAST_SWEEPS 10

uint64_t tag_deconvolution_cost(int dimension) {
    return (uint64_t)dimension * (uint64_t)dimension * 1000;
}

int tag_deconvolution_improve(TagDeconvolution *d, TagWork *work) {
    int n = work->dimension;
    static const int margin = TAG_PATCH_MARGIN;
    tag_blur_even_out(d);
    if (!tag_blur_estimate(d)) return -1;
    tag_blur_apply(d);
    tag_blur_even_out(d);
    measure_pulls(d);
    float left = tag_blur_unexplained(d);
    if (left < LEAST_LEFT) left = LEAST_LEFT;
    float most = d->rounds == 0 ? 200 : 50;
    for (int i = 0; i < SWEEPS; i++) {
        improve(d, left * powf(most, 1 - (float)i / SWEEPS));
    }
    for (int i = 0; i < LAST_SWEEPS; i++) improve(d, left);
    d->rounds++;
    tag_blur_draw(d);
    tag_blur_apply(d);
    int changed = 0;
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            float guess = *blur_guess_at(d, column + margin, row + margin);
            uint8_t dark = guess < 0;
            work->certainty[row * n + column] = fabsf(guess);
            changed += dark != work->modules[row * n + column];
            work->modules[row * n + column] = dark;
        }
    }
    work->spent += tag_deconvolution_cost(n);
    return changed;
}

#define BENDS 10 // terms of a polynomial of order 3

int tag_deconvolution_align(TagDeconvolution *d, TagWork *work) {
    double matrix[4 * BENDS * BENDS] = {0}, right[2 * BENDS] = {0}, terms[2 * BENDS];
    int side = d->side, nodes = d->modules + 1;
    float scale = 2 / (float)side;
    for (int y = 1; y + 1 < side; y++) {
        for (int x = 1; x + 1 < side; x++) {
            int at = y * side + x;
            double across = (double)(d->blurred[at + 1] - d->blurred[at - 1]) / 2;
            double down = (double)(d->blurred[at + side] - d->blurred[at - side]) / 2;
            int count = tag_polynomial_terms((float)x * scale - 1, (float)y * scale - 1, 3, terms);
            for (int i = 0; i < count; i++) {
                terms[count + i] = terms[i] * down;
                terms[i] *= across;
            }
            double left = (double)(d->even[at] - d->blurred[at]);
            left = left > 0.7 ? 0.7 : left < -0.7 ? -0.7 : left;
            for (int i = 0; i < 2 * count; i++) {
                for (int k = 0; k <= i; k++) matrix[i * 2 * BENDS + k] += terms[i] * terms[k];
                right[i] += terms[i] * left;
            }
        }
    }
    double trace = 0;
    for (int i = 0; i < 2 * BENDS; i++) trace += matrix[i * (2 * BENDS + 1)];
    for (int i = 0; i < 2 * BENDS; i++) matrix[i * (2 * BENDS + 1)] += 1e-3 * trace / (2 * BENDS);
    if (!tag_solve(matrix, right, 2 * BENDS)) return 0;
    if (!work->has_mesh) {
        memset(work->mesh_u, 0, (size_t)(nodes * nodes) * sizeof *work->mesh_u);
        memset(work->mesh_v, 0, (size_t)(nodes * nodes) * sizeof *work->mesh_v);
        work->has_mesh = 1;
    }
    for (int y = 0; y < nodes; y++) {
        for (int x = 0; x < nodes; x++) {
            tag_polynomial_terms((float)(x * BLUR_SCALE) * scale - 1, (float)(y * BLUR_SCALE) * scale - 1, 3,
                                 terms);
            double du = 0, dv = 0;
            for (int i = 0; i < BENDS; i++) {
                du += right[i] * terms[i];
                dv += right[BENDS + i] * terms[i];
            }
            du = du > 1 ? 1 : du < -1 ? -1 : du;
            dv = dv > 1 ? 1 : dv < -1 ? -1 : dv;
            work->mesh_u[y * nodes + x] -= (float)du / BLUR_SCALE;
            work->mesh_v[y * nodes + x] -= (float)dv / BLUR_SCALE;
        }
    }
    work->spent += (uint64_t)side * (uint64_t)side * 200;
    return 1;
}

void tag_deconvolution_look(TagDeconvolution *d, const TagWork *work) {
    tag_blur_look(d, work);
}

void tag_deconvolution_end(TagDeconvolution *d) {
    free(d);
}
