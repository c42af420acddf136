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

// The guesses are improved in turn, each by what its neighbours are then. Of rows below one another, each as far behind
// the one above that neither sees what the other does, several can go in step, and compilers make one instruction of
// them: so what is in step is side by side here. Sums keep their order, and so what they give.
#define LANES 4
#define SKEW (BLUR_NEAR + 1)
#define SKEWED_ROWS ((BLUR_STRIDE + LANES - 1) / LANES * LANES)
#define SKEWED (SKEWED_ROWS * (BLUR_STRIDE + SKEW * SKEWED_ROWS))
_Static_assert(SKEWED <= 2 * BLUR_MOST_PIXELS, "the skewed rows do not fit where they are put");

typedef float Lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t LaneMask __attribute__((vector_size(LANES * sizeof(int32_t))));

typedef struct Skewed {
    int rows; // with the border of guesses
    float *guesses, *pulls; // a pull that is no number stands for a guess that stays
} Skewed;

static inline int skewed_at(const Skewed *skewed, int column, int row) {
    return (column + SKEW * row) * skewed->rows + row;
}

static inline Lanes lanes_at(const float *from) {
    Lanes lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline Lanes choose_lanes(LaneMask mask, Lanes yes, Lanes no) {
    return (Lanes)((mask & (LaneMask)yes) | (~mask & (LaneMask)no));
}

// About the hyperbolic tangent.
static inline Lanes bounded(Lanes x) {
    Lanes one = (Lanes){0} + 1, inside = x * (27 + x * x) / (27 + 9 * x * x);
    return choose_lanes(x > 3, one, choose_lanes(x < -3, -one, inside));
}

// The room is that of the sums, which nothing else needs meanwhile.
static Skewed skew(TagDeconvolution *d) {
    int width = d->modules + 2 * BLUR_NEAR, margin = BLUR_NEAR + TAG_PATCH_MARGIN;
    Skewed skewed = {(width + LANES - 1) / LANES * LANES, &d->sums[0][0], &d->sums[2][0]};
    int count = skewed.rows * (width + SKEW * skewed.rows);
    for (int i = 0; i < count; i++) {
        skewed.guesses[i] = 0;
        skewed.pulls[i] = NAN;
    }
    for (int row = 0; row < width; row++) {
        for (int column = 0; column < width; column++) {
            int at = skewed_at(&skewed, column, row);
            skewed.guesses[at] = d->guesses[row * BLUR_STRIDE + column];
            int is_inside = row >= margin && column >= margin && row < width - margin && column < width - margin;
            int pull = (row - BLUR_NEAR) * d->modules + column - BLUR_NEAR;
            if (is_inside && !d->known[pull]) skewed.pulls[at] = d->pulls[pull];
        }
    }
    return skewed;
}

static void straighten(TagDeconvolution *d, const Skewed *skewed) {
    int width = d->modules + 2 * BLUR_NEAR;
    for (int row = 0; row < width; row++) {
        for (int column = 0; column < width; column++) {
            d->guesses[row * BLUR_STRIDE + column] = skewed->guesses[skewed_at(skewed, column, row)];
        }
    }
}

// Improves every guess once. `doubt` is the variance of what the guesses cannot explain.
static void improve(const TagDeconvolution *d, const Skewed *skewed, float doubt) {
    int first = BLUR_NEAR + TAG_PATCH_MARGIN, last = first + d->modules - 2 * TAG_PATCH_MARGIN;
    float itself = d->overlaps[BLUR_NEAR * BLUR_NEAR_WIDTH + BLUR_NEAR], factor = 1 / doubt;
    int next = skewed->rows, below = SKEW * next + 1; // from a place to the next one, and to the one below
    Lanes overlaps[BLUR_NEAR_WIDTH * BLUR_NEAR_WIDTH];
    for (int i = 0; i < BLUR_NEAR_WIDTH * BLUR_NEAR_WIDTH; i++) overlaps[i] = (Lanes){0} + d->overlaps[i];
    for (int row = first; row < last; row += LANES) {
        for (int column = first; column < last + (LANES - 1) * SKEW; column++) {
            float *guess = skewed->guesses + skewed_at(skewed, column, row);
            Lanes pull = lanes_at(skewed->pulls + (guess - skewed->guesses)), before = lanes_at(guess);
            Lanes sum = pull + itself * before;
            const float *line = guess - BLUR_NEAR * (below + next);
            const Lanes *overlap = overlaps;
            for (int y = 0; y < BLUR_NEAR_WIDTH; y++, line += below) {
                Lanes across = {0};
                for (int x = 0; x < BLUR_NEAR_WIDTH; x++) across += *overlap++ * lanes_at(line + x * next);
                sum -= across;
            }
            Lanes improved = choose_lanes(pull == pull, bounded(sum * factor), before);
            memcpy(guess, &improved, sizeof improved);
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
    Skewed skewed = skew(d);
    for (int i = 0; i < SWEEPS; i++) {
        improve(d, &skewed, left * powf(most, 1 - (float)i / SWEEPS));
    }
    for (int i = 0; i < LAST_SWEEPS; i++) improve(d, &skewed, left);
    straighten(d, &skewed);
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
    TagEquations *equations = &d->equations;
    double *matrix = equations->matrix, *right = equations->right;
    tag_equations_begin(equations, 2 * BENDS);
    int side = d->side, nodes = d->modules + 1;
    float scale = 2 / (float)side;
    for (int y = 1; y + 1 < side; y++) {
        for (int x = 1; x + 1 < side; x++) {
            int at = y * side + x;
            double across = (double)(d->blurred[at + 1] - d->blurred[at - 1]) / 2;
            double down = (double)(d->blurred[at + side] - d->blurred[at - side]) / 2;
            double *terms = tag_equations_terms(equations);
            int count = tag_polynomial_terms((float)x * scale - 1, (float)y * scale - 1, 3, terms);
            for (int i = 0; i < count; i++) {
                terms[count + i] = terms[i] * down;
                terms[i] *= across;
            }
            double left = (double)(d->even[at] - d->blurred[at]);
            tag_equations_add(equations, left > 0.7 ? 0.7 : left < -0.7 ? -0.7 : left, 1);
        }
    }
    tag_equations_sum_up(equations);
    double trace = 0;
    for (int i = 0; i < 2 * BENDS; i++) trace += matrix[i * (2 * BENDS + 1)];
    for (int i = 0; i < 2 * BENDS; i++) matrix[i * (2 * BENDS + 1)] += 1e-3 * trace / (2 * BENDS);
    if (!tag_equations_solve(equations)) return 0;
    if (!work->has_mesh) {
        memset(work->mesh_u, 0, (size_t)(nodes * nodes) * sizeof *work->mesh_u);
        memset(work->mesh_v, 0, (size_t)(nodes * nodes) * sizeof *work->mesh_v);
        work->has_mesh = 1;
    }
    for (int y = 0; y < nodes; y++) {
        for (int x = 0; x < nodes; x++) {
            double terms[BENDS];
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
