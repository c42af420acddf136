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

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCALE 2 // pixels per module
#define MOST_SIDE (TAG_PATCH_MOST_MODULES * SCALE)
#define MOST_PIXELS (MOST_SIDE * MOST_SIDE)
#define REACH 4 // of the blur to each side, in pixels
#define WIDTH (2 * REACH + 1)
#define TAPS (WIDTH * WIDTH)
#define FOOTPRINT (WIDTH + SCALE - 1) // of one module in the blurred picture, in pixels
#define NEAR ((FOOTPRINT - 1) / SCALE) // modules whose footprints overlap, to each side
#define NEAR_WIDTH (2 * NEAR + 1)
#define STRIDE (TAG_PATCH_MOST_MODULES + 2 * NEAR) // of guesses, with a border of light ones

struct TagDeconvolution {
    int modules; // on each side, with the margin
    int side;    // the same in pixels
    int rounds;
    float seen[MOST_PIXELS];      // the picture
    float even[MOST_PIXELS];      // the same in even light: about -1 to 1
    float drawn[MOST_PIXELS];     // the guesses, each as SCALE x SCALE pixels
    float blurred[MOST_PIXELS];   // what the guesses would look like
    float doubtful[MOST_PIXELS];  // how much unknown modules blur into a pixel
    uint8_t is_bright[MOST_PIXELS]; // so bright that the picture tells nothing else
    float guesses[STRIDE * STRIDE];
    uint8_t known[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES];
    float pulls[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES]; // of the picture on each guess
    float blur[TAPS];
    float footprint[FOOTPRINT * FOOTPRINT];
    float overlaps[NEAR_WIDTH * NEAR_WIDTH]; // of the footprints of two modules
    float sums[5][MOST_PIXELS];
    double matrix[TAPS * TAPS];
};

static int clamped(int at, int side) {
    return at < 0 ? 0 : at >= side ? side - 1 : at;
}

static float *guess_at(TagDeconvolution *d, int column, int row) {
    return d->guesses + (row + NEAR) * STRIDE + column + NEAR;
}

// The patch with SCALE pixels per module.
static void take_patch(TagDeconvolution *d, const TagWork *work) {
    size_t from_side = (size_t)d->modules * TAG_PATCH_SCALE;
    static const int step = TAG_PATCH_SCALE / SCALE;
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
    float line[MOST_SIDE];
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

#define LIGHT_RADIUS (6 * SCALE)
#define LEAST_CONTRAST 0.1f // of a neighbourhood, as a share of the whole symbol's

// Evens out the light: in each neighbourhood, the picture is taken for a multiple of what the guesses
// look like, plus a constant.
static void even_out(TagDeconvolution *d) {
    int count = d->side * d->side;
    float(*sums)[MOST_PIXELS] = d->sums;
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
        if (gain < LEAST_CONTRAST * usual) gain = LEAST_CONTRAST * usual;
        float even = (d->seen[i] - y) / gain + p;
        // What is too bright for the camera is at least as light as it should look.
        if (d->is_bright[i] && even > d->blurred[i]) even = d->blurred[i];
        d->even[i] = even > 3 ? 3 : even < -3 ? -3 : even;
    }
}

// Draws the guesses, and how doubtful they are around each pixel.
static void draw(TagDeconvolution *d) {
    for (int y = 0; y < d->side; y++) {
        for (int x = 0; x < d->side; x++) {
            float guess = *guess_at(d, x / SCALE, y / SCALE);
            d->drawn[y * d->side + x] = guess;
            d->doubtful[y * d->side + x] = 1 - guess * guess;
        }
    }
    sum_windows(d->doubtful, d->side, REACH - 1);
}

static void blur(TagDeconvolution *d) {
    int side = d->side;
    for (int y = 0; y < side; y++) {
        float *to = d->blurred + y * side;
        memset(to, 0, (size_t)side * sizeof *to);
        for (int i = 0; i < TAPS; i++) {
            int dx = i % WIDTH - REACH;
            const float *from = d->drawn + clamped(y - (i / WIDTH - REACH), side) * side;
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
    for (int i = 0; i < TAPS; i++) {
        for (int k = 0; k < SCALE * SCALE; k++) {
            d->footprint[(i / WIDTH + k / SCALE) * FOOTPRINT + i % WIDTH + k % SCALE] += d->blur[i];
        }
    }
    for (int i = 0; i < NEAR_WIDTH * NEAR_WIDTH; i++) {
        int dx = (i % NEAR_WIDTH - NEAR) * SCALE, dy = (i / NEAR_WIDTH - NEAR) * SCALE;
        float sum = 0;
        for (int y = dy > 0 ? dy : 0; y < FOOTPRINT && y - dy < FOOTPRINT; y++) {
            for (int x = dx > 0 ? dx : 0; x < FOOTPRINT && x - dx < FOOTPRINT; x++) {
                sum += d->footprint[y * FOOTPRINT + x]
                    * d->footprint[(y - dy) * FOOTPRINT + x - dx];
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
    static const float window = (2 * REACH - 1) * (2 * REACH - 1);
    return NOISE / (NOISE + DOUBT_SHARE * d->doubtful[at] / window);
}

// Estimates the blur that makes the guesses look like the picture: least squares, by pixels around
// which modules are known, with a bias towards a smooth blur that is small far from its middle.
// Returns 0 if there is none.
static int estimate_blur(TagDeconvolution *d) {
    int side = d->side, low = REACH, high = side - REACH, telling = 0;
    double *matrix = d->matrix, right[TAPS] = {0}, taps[TAPS], total = 0;
    memset(matrix, 0, sizeof d->matrix);
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
            for (int i = 0; i < TAPS; i++) {
                taps[i] = (double)d->drawn[(y - (i / WIDTH - REACH)) * side + x - (i % WIDTH - REACH)];
            }
            for (int i = 0; i < TAPS; i++) {
                double scaled = taps[i] * (double)weight, *row = matrix + i * TAPS;
                for (int k = 0; k <= i; k++) row[k] += scaled * taps[k];
                right[i] += scaled * (double)d->even[y * side + x];
            }
            total += (double)weight;
        }
    }
    for (int i = 0; i < TAPS; i++) {
        int x = i % WIDTH - REACH, y = i / WIDTH - REACH;
        double far = (double)(x * x + y * y) / (REACH * REACH);
        matrix[i * TAPS + i] += total * (0.001 + 0.02 * far * far);
        // The squared differences from the taps to the left and above.
        static const double smooth = 0.004;
        if (i % WIDTH > 0) {
            matrix[i * TAPS + i] += total * smooth;
            matrix[(i - 1) * TAPS + i - 1] += total * smooth;
            matrix[i * TAPS + i - 1] -= total * smooth;
        }
        if (i >= WIDTH) {
            matrix[i * TAPS + i] += total * smooth;
            matrix[(i - WIDTH) * TAPS + i - WIDTH] += total * smooth;
            matrix[i * TAPS + i - WIDTH] -= total * smooth;
        }
    }
    if (!tag_solve(matrix, right, TAPS)) return 0;
    for (int i = 0; i < TAPS; i++) d->blur[i] = (float)right[i];
    make_footprint(d);
    return 1;
}

// How strongly the picture pulls each guess, without what its neighbours explain.
static void measure_pulls(TagDeconvolution *d) {
    for (int row = 0; row < d->modules; row++) {
        for (int column = 0; column < d->modules; column++) {
            float sum = 0;
            for (int y = 0; y < FOOTPRINT; y++) {
                const float *line = d->even + clamped(row * SCALE - REACH + y, d->side) * d->side;
                for (int x = 0; x < FOOTPRINT; x++) {
                    sum += d->footprint[y * FOOTPRINT + x]
                        * line[clamped(column * SCALE - REACH + x, d->side)];
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
    float itself = d->overlaps[NEAR * NEAR_WIDTH + NEAR], factor = 1 / doubt;
    for (int row = first; row < last; row++) {
        for (int column = first; column < last; column++) {
            if (d->known[row * d->modules + column]) continue;
            float *guess = guess_at(d, column, row);
            float sum = d->pulls[row * d->modules + column] + itself * *guess;
            const float *from = guess - NEAR * STRIDE - NEAR, *overlap = d->overlaps;
            for (int y = 0; y < NEAR_WIDTH; y++, from += STRIDE, overlap += NEAR_WIDTH) {
                float line = 0;
                for (int x = 0; x < NEAR_WIDTH; x++) line += overlap[x] * from[x];
                sum -= line;
            }
            *guess = bounded(sum * factor);
        }
    }
}

// The variance of what the guesses do not explain, mostly where they are not doubtful.
static float unexplained(const TagDeconvolution *d) {
    double sum = 0, total = 0;
    int first = TAG_PATCH_MARGIN * SCALE, last = d->side - first;
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

TagDeconvolution *tag_deconvolution_begin(const TagWork *work) {
    TagDeconvolution *d = malloc(sizeof *d);
    if (d == NULL) return NULL;
    int n = work->dimension;
    static const int margin = TAG_PATCH_MARGIN;
    d->modules = n + 2 * margin;
    d->side = d->modules * SCALE;
    take_patch(d, work);
    for (int i = 0; i < STRIDE * STRIDE; i++) d->guesses[i] = 1;
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            uint8_t kind = work->kinds[row * n + column];
            int known = kind == TAG_MODULE_DARK || kind == TAG_MODULE_LIGHT;
            int dark = known ? kind == TAG_MODULE_DARK : work->modules[row * n + column];
            d->known[(row + margin) * d->modules + column + margin] = (uint8_t)known;
            *guess_at(d, column + margin, row + margin) = (dark ? -1.0f : 1.0f) * (known ? 1 : 0.7f);
        }
    }
    draw(d);
    // Only to even out the light, the blur is first taken for one and a half modules wide.
    for (int i = 0; i < TAPS; i++) {
        int x = i % WIDTH - REACH, y = i / WIDTH - REACH;
        d->blur[i] = abs(x) <= 1 && abs(y) <= 1 ? 1.0f / 9 : 0;
    }
    blur(d);
    d->rounds = 0;
    return d;
}

// Less is never believed: the light is not evened out so exactly.
#define LEAST_LEFT 0.01f

#define SWEEPS 100
#define LAST_SWEEPS 10

int tag_deconvolution_improve(TagDeconvolution *d, TagWork *work) {
    int n = work->dimension;
    static const int margin = TAG_PATCH_MARGIN;
    even_out(d);
    if (!estimate_blur(d)) return -1;
    blur(d);
    even_out(d);
    measure_pulls(d);
    float left = unexplained(d);
    if (left < LEAST_LEFT) left = LEAST_LEFT;
    float most = d->rounds == 0 ? 200 : 50;
    for (int i = 0; i < SWEEPS; i++) {
        improve(d, left * powf(most, 1 - (float)i / SWEEPS));
    }
    for (int i = 0; i < LAST_SWEEPS; i++) improve(d, left);
    d->rounds++;
    draw(d);
    blur(d);
    int changed = 0;
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            float guess = *guess_at(d, column + margin, row + margin);
            uint8_t dark = guess < 0;
            work->certainty[row * n + column] = fabsf(guess);
            changed += dark != work->modules[row * n + column];
            work->modules[row * n + column] = dark;
        }
    }
    work->spent += (uint64_t)n * (uint64_t)n * 1000;
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
            tag_polynomial_terms((float)(x * SCALE) * scale - 1, (float)(y * SCALE) * scale - 1, 3,
                                 terms);
            double du = 0, dv = 0;
            for (int i = 0; i < BENDS; i++) {
                du += right[i] * terms[i];
                dv += right[BENDS + i] * terms[i];
            }
            du = du > 1 ? 1 : du < -1 ? -1 : du;
            dv = dv > 1 ? 1 : dv < -1 ? -1 : dv;
            work->mesh_u[y * nodes + x] -= (float)du / SCALE;
            work->mesh_v[y * nodes + x] -= (float)dv / SCALE;
        }
    }
    work->spent += (uint64_t)side * (uint64_t)side * 200;
    return 1;
}

void tag_deconvolution_look(TagDeconvolution *d, const TagWork *work) {
    take_patch(d, work);
}

void tag_deconvolution_end(TagDeconvolution *d) {
    free(d);
}
