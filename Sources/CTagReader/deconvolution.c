// Decides modules by what a blurred picture of them would look like.
//
// An equaliser (equaliser.c) inverts blur with one linear filter, which amplifies noise where the blur
// left little. This goes the other way: it estimates the blur, blurs its own guess of the modules, and
// changes modules until that looks like the picture. That modules are only dark or light is what it
// knows more than any filter does. Blur and guess are improved in turn.
//
// The guess of a module is a number from -1 (dark) to 1 (light), its mean under the present belief; all
// are improved one after the other, first with much doubt about the picture, then with less (mean field
// annealing). Related: van Gennip et al., arXiv 1410.6333, who also take the known modules as a start.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCALE 2 // pixels per module
#define MOST_SIDE (TAG_PATCH_MOST_MODULES * SCALE)
#define MOST_PIXELS (MOST_SIDE * MOST_SIDE)
#define REACH 5 // of the blur, in pixels to each side
#define WIDTH (2 * REACH + 1)
#define TAPS (WIDTH * WIDTH)
#define FOOTPRINT (WIDTH + SCALE - 1) // of one module in the blurred picture, in pixels

typedef struct Deconvolution {
    int modules; // on each side, with the margin
    int side;    // in pixels
    float seen[MOST_PIXELS];     // the picture
    float even[MOST_PIXELS];     // the same in even light: about -1 to 1
    float left[MOST_PIXELS];     // `even` without what the guess explains
    float weights[MOST_PIXELS];  // 0 for pixels that tell nothing
    float guess[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES];
    uint8_t fixed[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES];
    float drawn[MOST_PIXELS];    // the guess, a module as SCALE x SCALE pixels
    float blurred[MOST_PIXELS];
    float blur[TAPS];
    float footprint[FOOTPRINT * FOOTPRINT];
    float sums[5][MOST_PIXELS];
} Deconvolution;

// The patch with SCALE pixels per module.
static void take_patch(const TagWork *work, Deconvolution *d) {
    size_t from_side = (size_t)d->modules * TAG_PATCH_SCALE;
    int step = TAG_PATCH_SCALE / SCALE;
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
            // Where the light is too bright for the camera, a picture says only that.
            d->weights[y * d->side + x] = most >= 254 ? 0.02f : 1;
        }
    }
}

// Replaces values by the sums over windows of 2 radius + 1.
static void sum_windows(float *values, int side, int radius, float *line) {
    for (int pass = 0; pass < 2; pass++) {
        size_t step = pass == 0 ? 1 : (size_t)side, other = pass == 0 ? (size_t)side : 1;
        for (int i = 0; i < side; i++) {
            float *from = values + (size_t)i * other;
            for (int k = 0; k < side; k++) line[k] = from[(size_t)k * step];
            double sum = 0;
            for (int k = 0; k < radius && k < side; k++) sum += (double)line[k];
            for (int k = 0; k < side; k++) {
                if (k + radius < side) sum += (double)line[k + radius];
                if (k - radius - 1 >= 0) sum -= (double)line[k - radius - 1];
                from[(size_t)k * step] = (float)sum;
            }
        }
    }
}

// Evens out the light: in each neighbourhood, the picture is taken for a multiple of the blurred guess
// plus a constant.
static void even_out(Deconvolution *d, int radius, float line[MOST_SIDE]) {
    int count = d->side * d->side;
    float **s = (float *[]){d->sums[0], d->sums[1], d->sums[2], d->sums[3], d->sums[4]};
    for (int i = 0; i < count; i++) {
        float w = d->weights[i], p = d->blurred[i], y = d->seen[i];
        s[0][i] = w;
        s[1][i] = w * p;
        s[2][i] = w * y;
        s[3][i] = w * p * p;
        s[4][i] = w * p * y;
    }
    double total[5] = {0};
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < count; i++) total[k] += (double)s[k][i];
        sum_windows(s[k], d->side, radius, line);
    }
    double spread = total[3] - total[1] * total[1] / total[0];
    double whole = spread > 0 ? (total[4] - total[1] * total[2] / total[0]) / spread : 0;
    float overall = whole > 2 ? (float)whole : 2;
    for (int i = 0; i < count; i++) {
        float w = s[0][i] > 1e-3f ? s[0][i] : 1e-3f;
        float mean_p = s[1][i] / w, mean_y = s[2][i] / w;
        float var = s[3][i] / w - mean_p * mean_p, cov = s[4][i] / w - mean_p * mean_y;
        // Drawn towards the whole symbol's contrast where the neighbourhood tells little.
        float gain = (cov + 0.05f * overall) / (var + 0.05f);
        if (gain < 0.1f * overall) gain = 0.1f * overall;
        d->even[i] = (d->seen[i] - mean_y) / gain + mean_p;
    }
}

static void draw(Deconvolution *d) {
    for (int y = 0; y < d->side; y++) {
        for (int x = 0; x < d->side; x++) {
            d->drawn[y * d->side + x] = d->guess[y / SCALE * d->modules + x / SCALE];
        }
    }
}

static int clamped(int at, int side) {
    return at < 0 ? 0 : at >= side ? side - 1 : at;
}

static void blur(Deconvolution *d) {
    int side = d->side;
    for (int y = 0; y < side; y++) {
        float *to = d->blurred + y * side;
        memset(to, 0, (size_t)side * sizeof *to);
        for (int dy = -REACH; dy <= REACH; dy++) {
            const float *from = d->drawn + clamped(y - dy, side) * side;
            for (int dx = -REACH; dx <= REACH; dx++) {
                float tap = d->blur[(dy + REACH) * WIDTH + dx + REACH];
                if (tap == 0) continue;
                int first = dx > 0 ? dx : 0, last = dx < 0 ? side + dx : side;
                for (int x = first; x < last; x++) to[x] += tap * from[x - dx];
                for (int x = 0; x < first; x++) to[x] += tap * from[0];
                for (int x = last; x < side; x++) to[x] += tap * from[side - 1];
            }
        }
    }
}

// The blur with which the drawn guess looks most like the picture: least squares, with a bias towards
// small taps far from the middle.
static int estimate_blur(Deconvolution *d, double *matrix, double right[TAPS]) {
    int side = d->side;
    static const int margin = TAG_PATCH_MARGIN * SCALE - REACH;
    const int low = REACH + (margin > 0 ? margin : 0), high = side - low;
    // Products of the guess with itself, moved; away from the edges they depend only on the difference
    // between two taps.
    static const int lags = 2 * REACH;
    double products[(2 * 2 * REACH + 1) * (2 * 2 * REACH + 1)];
    for (int ly = 0; ly <= lags; ly++) {
        for (int lx = -lags; lx <= lags; lx++) {
            double sum = 0;
            for (int y = low; y < high; y++) {
                const float *a = d->drawn + y * side;
                const float *b = d->drawn + clamped(y + ly, side) * side;
                float line = 0;
                for (int x = low; x < high; x++) line += a[x] * b[clamped(x + lx, side)];
                sum += (double)line;
            }
            products[(ly + lags) * (2 * lags + 1) + lx + lags] = sum;
            products[(lags - ly) * (2 * lags + 1) + lags - lx] = sum;
        }
    }
    double scale = products[lags * (2 * lags + 1) + lags];
    for (int i = 0; i < TAPS; i++) {
        int iy = i / WIDTH - REACH, ix = i % WIDTH - REACH;
        double sum = 0;
        for (int y = low; y < high; y++) {
            const float *a = d->even + y * side;
            const float *b = d->drawn + (y - iy) * side;
            float line = 0;
            for (int x = low; x < high; x++) line += a[x] * b[x - ix];
            sum += (double)line;
        }
        right[i] = sum;
        for (int k = 0; k <= i; k++) {
            int ky = k / WIDTH - REACH, kx = k % WIDTH - REACH;
            matrix[i * TAPS + k] = products[(iy - ky + lags) * (2 * lags + 1) + ix - kx + lags];
        }
        double far = (double)(ix * ix + iy * iy) / (REACH * REACH);
        matrix[i * TAPS + i] += scale * (0.002 + 0.03 * far);
    }
    if (!tag_solve(matrix, right, TAPS)) return 0;
    for (int i = 0; i < TAPS; i++) d->blur[i] = (float)right[i];
    memset(d->footprint, 0, sizeof d->footprint);
    for (int i = 0; i < TAPS; i++) {
        for (int k = 0; k < SCALE * SCALE; k++) {
            d->footprint[(i / WIDTH + k / SCALE) * FOOTPRINT + i % WIDTH + k % SCALE] += d->blur[i];
        }
    }
    return 1;
}

// Improves each module's guess in turn. `doubt` is the variance of what is left unexplained.
static void improve(Deconvolution *d, float doubt) {
    int side = d->side;
    for (int row = 0; row < d->modules; row++) {
        int top = row * SCALE - REACH, first_y = top < 0 ? -top : 0;
        int last_y = top + FOOTPRINT > side ? side - top : FOOTPRINT;
        for (int column = 0; column < d->modules; column++) {
            int at = row * d->modules + column;
            if (d->fixed[at]) continue;
            int start = column * SCALE - REACH, first_x = start < 0 ? -start : 0;
            int last_x = start + FOOTPRINT > side ? side - start : FOOTPRINT;
            float product = 0, norm = 0;
            for (int y = first_y; y < last_y; y++) {
                const float *left = d->left + (top + y) * side + start;
                const float *weights = d->weights + (top + y) * side + start;
                const float *part = d->footprint + y * FOOTPRINT;
                for (int x = first_x; x < last_x; x++) {
                    float weighted = part[x] * weights[x];
                    product += weighted * left[x];
                    norm += weighted * part[x];
                }
            }
            float better = tanhf((product + d->guess[at] * norm) / doubt);
            float change = better - d->guess[at];
            if (fabsf(change) < 1e-4f) continue;
            d->guess[at] = better;
            for (int y = first_y; y < last_y; y++) {
                float *left = d->left + (top + y) * side + start;
                const float *part = d->footprint + y * FOOTPRINT;
                for (int x = first_x; x < last_x; x++) left[x] -= change * part[x];
            }
        }
    }
}

static float unexplained(const Deconvolution *d) {
    double sum = 0, count = 0;
    static const int margin = TAG_PATCH_MARGIN * SCALE;
    for (int y = margin; y < d->side - margin; y++) {
        for (int x = margin; x < d->side - margin; x++) {
            float left = d->left[y * d->side + x], weight = d->weights[y * d->side + x];
            sum += (double)(weight * left * left);
            count += (double)weight;
        }
    }
    return (float)(sum / (count > 1 ? count : 1));
}

static float clamp(float value) {
    return value > 0.95f ? 0.95f : value < -0.95f ? -0.95f : value;
}

TagDeconvolution *tag_deconvolution_begin(TagWork *work) {
    TagDeconvolution *begun = malloc(sizeof(Deconvolution));
    Deconvolution *d = (Deconvolution *)begun;
    if (d == NULL) return NULL;
    int n = work->dimension;
    const int margin = TAG_PATCH_MARGIN;
    d->modules = n + 2 * margin;
    d->side = d->modules * SCALE;
    take_patch(work, d);
    for (int row = 0; row < d->modules; row++) {
        for (int column = 0; column < d->modules; column++) {
            int at = row * d->modules + column;
            int inside = row >= margin && column >= margin && row < n + margin && column < n + margin;
            int from = (row - margin) * n + column - margin;
            uint8_t kind = inside ? work->kinds[from] : TAG_MODULE_DATA;
            d->fixed[at] = kind == TAG_MODULE_DARK || kind == TAG_MODULE_LIGHT;
            d->guess[at] = !inside ? 1
                : d->fixed[at]     ? (kind == TAG_MODULE_DARK ? -1.0f : 1.0f)
                                   : clamp(work->scratch[1][from]);
        }
    }
    draw(d);
    // At first, the blur is a module wide, only to even out the light.
    for (int i = 0; i < TAPS; i++) {
        int y = i / WIDTH - REACH, x = i % WIDTH - REACH;
        d->blur[i] = abs(x) <= 1 && abs(y) <= 1 ? 1.0f / 9 : 0;
    }
    blur(d);
    return begun;
}

int tag_deconvolution_improve(TagDeconvolution *begun, TagWork *work) {
    Deconvolution *d = (Deconvolution *)begun;
    double *matrix = malloc(sizeof(double) * TAPS * TAPS), right[TAPS];
    if (matrix == NULL) return 0;
    float line[MOST_SIDE];
    int n = work->dimension, count = d->side * d->side;
    even_out(d, 6 * SCALE, line);
    int estimated = estimate_blur(d, matrix, right);
    free(matrix);
    if (!estimated) return 0;
    blur(d);
    even_out(d, 6 * SCALE, line);
    for (int i = 0; i < count; i++) d->left[i] = d->even[i] - d->blurred[i];
    static const float doubts[] = {8, 5, 3, 2, 2, 2};
    for (size_t i = 0; i < sizeof doubts / sizeof doubts[0]; i++) {
        float doubt = unexplained(d);
        improve(d, (doubt > 0.002f ? doubt : 0.002f) * doubts[i]);
    }
    draw(d);
    blur(d);
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            float guess = d->guess[(row + TAG_PATCH_MARGIN) * d->modules + column + TAG_PATCH_MARGIN];
            work->modules[row * n + column] = guess < 0;
        }
    }
    work->spent += (uint64_t)count * 220;
    return 1;
}

#define BENDS 10 // terms of a polynomial of order 3

int tag_deconvolution_align(TagDeconvolution *begun, TagWork *work) {
    Deconvolution *d = (Deconvolution *)begun;
    double matrix[4 * BENDS * BENDS] = {0}, right[2 * BENDS] = {0}, terms[2 * BENDS];
    int side = d->side, nodes = d->modules + 1;
    float scale = 2 / (float)side;
    for (int y = 1; y + 1 < side; y++) {
        for (int x = 1; x + 1 < side; x++) {
            int at = y * side + x;
            double across = (double)(d->blurred[at + 1] - d->blurred[at - 1]) / 2;
            double down = (double)(d->blurred[at + side] - d->blurred[at - side]) / 2;
            double weight = (double)d->weights[at];
            int count = tag_polynomial_terms((float)x * scale - 1, (float)y * scale - 1, 3, terms);
            for (int i = 0; i < count; i++) {
                terms[count + i] = terms[i] * down;
                terms[i] *= across;
            }
            double left = (double)(d->even[at] - d->blurred[at]);
            left = left > 0.7 ? 0.7 : left < -0.7 ? -0.7 : left;
            for (int i = 0; i < 2 * count; i++) {
                double scaled = weight * terms[i];
                for (int k = 0; k <= i; k++) matrix[i * 2 * BENDS + k] += scaled * terms[k];
                right[i] += scaled * left;
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

void tag_deconvolution_look(TagDeconvolution *begun, const TagWork *work) {
    take_patch(work, (Deconvolution *)begun);
}

void tag_deconvolution_end(TagDeconvolution *begun) {
    free(begun);
}
