// Measures a finder pattern: its exact position, the directions of its sides, and whether it is one
// at all.
//
// Rays go out from the middle in all directions. On each, the colour changes at the edges of three
// nested squares of 3, 5 and 7 modules. The three outlines are scaled to one size and averaged. The
// second moments of that outline tell how a square was stretched and slanted into it, at any
// rotation. With the stretch removed, the fourth moment tells the rotation, because a square has
// four equal corners.

#include "tag_engine.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define RAYS 32
#define LEAST_RAYS 20 // rays that must show all the edges, or at least the inner two

static const float radii[3] = {1.5f, 2.5f, 3.5f}; // of the three squares, in modules

static const float even_directions[RAYS][2] = {
    {1.000000f, 0.000000f},   {0.980785f, 0.195090f},   {0.923880f, 0.382683f},
    {0.831470f, 0.555570f},   {0.707107f, 0.707107f},   {0.555570f, 0.831470f},
    {0.382683f, 0.923880f},   {0.195090f, 0.980785f},   {0.000000f, 1.000000f},
    {-0.195090f, 0.980785f},  {-0.382683f, 0.923880f},  {-0.555570f, 0.831470f},
    {-0.707107f, 0.707107f},  {-0.831470f, 0.555570f},  {-0.923880f, 0.382683f},
    {-0.980785f, 0.195090f},  {-1.000000f, 0.000000f},  {-0.980785f, -0.195090f},
    {-0.923880f, -0.382683f}, {-0.831470f, -0.555570f}, {-0.707107f, -0.707107f},
    {-0.555570f, -0.831470f}, {-0.382683f, -0.923880f}, {-0.195090f, -0.980785f},
    {0.000000f, -1.000000f},  {0.195090f, -0.980785f},  {0.382683f, -0.923880f},
    {0.555570f, -0.831470f},  {0.707107f, -0.707107f},  {0.831470f, -0.555570f},
    {0.923880f, -0.382683f},  {0.980785f, -0.195090f},
};

typedef struct Rays {
    float distance[3][RAYS]; // to the three edges; 0 if not found
    float dark, light;       // mean luminance of the innermost square and of the ring around it
} Rays;

// Follows one ray; a ray reaches to the corner of a square that is stretched to twice the mean.
static void follow(const TagPlane *plane, float x, float y, float dx, float dy, float module,
                   float threshold, int light, float distances[3]) {
    float step = module < 1.6f ? 0.4f : 0.25f * module;
    float reach = 9.5f * module;
    float before = tag_plane_sample(plane, x, y);
    int inside = !light;
    int found = 0;
    distances[0] = distances[1] = distances[2] = 0;
    if ((before < threshold) != inside) return;
    for (float at = step; at < reach; at += step) {
        float px = x + dx * at, py = y + dy * at;
        if (px < -1 || py < -1 || px > (float)plane->width + 1 || py > (float)plane->height + 1)
            return;
        float now = tag_plane_sample(plane, px, py);
        if ((now < threshold) != inside) {
            float part = (threshold - before) / (now - before);
            distances[found++] = at - step + step * part;
            if (found == 3) return;
            inside = !inside;
        }
        before = now;
    }
}

// Casts all rays; returns the number that agree with a finder pattern.
static int cast(const TagPlane *plane, float x, float y, const float a[2], const float b[2],
                float module, float threshold, int light, Rays *rays, float directions[RAYS][2]) {
    int good = 0;
    for (int k = 0; k < RAYS; k++) {
        int i =
            k * 11 % RAYS; // all around from the beginning, so that what is no pattern fails soon
        if (k - good > RAYS - LEAST_RAYS) return 0;
        // Directions are even in the frame of the pattern as known so far.
        float c = even_directions[i][0], s = even_directions[i][1];
        float dx = a[0] * c + b[0] * s, dy = a[1] * c + b[1] * s;
        float length = sqrtf(dx * dx + dy * dy);
        if (!(length > 0)) return 0;
        directions[i][0] = dx /= length;
        directions[i][1] = dy /= length;
        float d[3];
        follow(plane, x, y, dx, dy, module, threshold, light, d);
        int inner = d[0] > 0 && d[1] > 0 && d[1] > 1.15f * d[0] && d[1] < 3.2f * d[0];
        int outer = inner && d[2] > 1.08f * d[1] && d[2] < 2.1f * d[1];
        good += inner;
        rays->distance[0][i] = inner ? d[0] : 0;
        rays->distance[1][i] = inner ? d[1] : 0;
        rays->distance[2][i] = outer ? d[2] : 0;
    }
    return good;
}

// The mean outline, scaled to one module from the centre to a side. Gaps get the mean of their
// neighbours on both sides. Returns how much the three outlines differ, 0 to 1.
static float outline(const Rays *rays, float out[RAYS]) {
    float difference = 0;
    int compared = 0;
    for (int i = 0; i < RAYS; i++) {
        float sum = 0, weight = 0;
        for (int k = 0; k < 3; k++) {
            if (rays->distance[k][i] <= 0) continue;
            // The outer edges are more exact, because they are further out.
            sum += rays->distance[k][i];
            weight += radii[k];
        }
        out[i] = weight > 0 ? sum / weight : 0;
        for (int k = 0; k < 3 && weight > 0; k++) {
            if (rays->distance[k][i] <= 0) continue;
            difference += fabsf(rays->distance[k][i] / radii[k] - out[i]) / out[i];
            compared++;
        }
    }
    float filled[RAYS];
    for (int i = 0; i < RAYS; i++) {
        filled[i] = out[i];
        if (out[i] > 0) continue;
        int left = 1, right = 1;
        while (left < RAYS && out[(i + RAYS - left) % RAYS] <= 0) left++;
        while (right < RAYS && out[(i + right) % RAYS] <= 0) right++;
        if (left >= RAYS || right >= RAYS) return 1;
        float before = out[(i + RAYS - left) % RAYS], after = out[(i + right) % RAYS];
        filled[i] = (before * (float)right + after * (float)left) / (float)(left + right);
    }
    memcpy(out, filled, sizeof filled);
    return compared > 0 ? difference / (float)compared : 1;
}

// Fits a parallelogram to the outline: `a` and `b` become one module long along its sides, and
// `shift` leads from the centre of the rays to its own centre. Returns 0 if it is too thin.
static int fit(const float out[RAYS], const float directions[RAYS][2], float a[2], float b[2],
               float shift[2]) {
    double area = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    float px[RAYS], py[RAYS];
    for (int i = 0; i < RAYS; i++) {
        px[i] = out[i] * directions[i][0];
        py[i] = out[i] * directions[i][1];
    }
    for (int i = 0; i < RAYS; i++) {
        int j = (i + 1) % RAYS;
        double x0 = px[i], y0 = py[i], x1 = px[j], y1 = py[j];
        double cross = fabs(x0 * y1 - x1 * y0);
        area += cross / 2;
        sx += cross * (x0 + x1) / 6;
        sy += cross * (y0 + y1) / 6;
        sxx += cross * (x0 * x0 + x0 * x1 + x1 * x1) / 12;
        syy += cross * (y0 * y0 + y0 * y1 + y1 * y1) / 12;
        sxy += cross * (2 * x0 * y0 + x0 * y1 + x1 * y0 + 2 * x1 * y1) / 24;
    }
    if (!(area > 1e-6)) return 0;
    double cx = sx / area, cy = sy / area;
    double xx = 3 * (sxx / area - cx * cx), yy = 3 * (syy / area - cy * cy);
    double xy = 3 * (sxy / area - cx * cy);
    // The symmetric square root of the moments is the stretch.
    double determinant = xx * yy - xy * xy;
    if (!(determinant > 1e-9)) return 0;
    double root = sqrt(determinant), trace = sqrt(xx + yy + 2 * root);
    double r00 = (xx + root) / trace, r11 = (yy + root) / trace, r01 = xy / trace;
    double scale = r00 * r11 - r01 * r01;
    if (!(scale > 1e-9)) return 0;
    double complex moment = 0;
    for (int i = 0; i < RAYS; i++) {
        int j = (i + 1) % RAYS;
        double x0 = px[i] - cx, y0 = py[i] - cy, x1 = px[j] - cx, y1 = py[j] - cy;
        double gx = (x0 + x1) / 2, gy = (y0 + y1) / 2;
        double wx = (r11 * gx - r01 * gy) / scale, wy = (r00 * gy - r01 * gx) / scale;
        double complex w = wx + wy * I;
        moment += fabs(x0 * y1 - x1 * y0) * w * w * w * w;
    }
    double angle = carg(-moment) / 4;
    double c = cos(angle), s = sin(angle);
    a[0] = (float)(r00 * c + r01 * s);
    a[1] = (float)(r01 * c + r11 * s);
    b[0] = (float)(-r00 * s + r01 * c);
    b[1] = (float)(-r01 * s + r11 * c);
    shift[0] = (float)cx;
    shift[1] = (float)cy;
    return 1;
}

// The mean of a ring of points at a distance in modules.
static float ring(const TagPlane *plane, float x, float y, const float a[2], const float b[2],
                  float at) {
    static const float around[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                       {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    float sum = 0;
    for (int i = 0; i < 8; i++) {
        float u = around[i][0] * at, v = around[i][1] * at;
        sum += tag_plane_sample(plane, x + a[0] * u + b[0] * v, y + a[1] * u + b[1] * v);
    }
    return sum / 8;
}

int tag_finder_measure(const TagPlane *plane, float x, float y, float module, float threshold,
                       int light, TagFinder *finder) {
    float a[2] = {1, 0}, b[2] = {0, 1};
    float directions[RAYS][2], out[RAYS];
    float difference = 1;
    Rays rays;
    int good = 0;
    for (int round = 0; round < 3; round++) {
        good = cast(plane, x, y, a, b, module, threshold, light, &rays, directions);
        if (good < LEAST_RAYS) return 0;
        difference = outline(&rays, out);
        if (difference > 0.3f) return 0;
        float shift[2];
        if (!fit(out, (const float(*)[2])directions, a, b, shift)) return 0;
        module = sqrtf(fabsf(a[0] * b[1] - a[1] * b[0]));
        // The outline was scaled to one module; the shift grows with the outline's own size.
        float most = 1.2f * module;
        shift[0] *= 2;
        shift[1] *= 2;
        if (!(fabsf(shift[0]) < most && fabsf(shift[1]) < most)) return 0;
        if (round < 2) {
            x += shift[0];
            y += shift[1];
        }
        // The pattern's own threshold: half way between the innermost square and the ring around it.
        float inner = ring(plane, x, y, a, b, 0.6f), middle = ring(plane, x, y, a, b, 2);
        float outer = ring(plane, x, y, a, b, 3);
        float sign = light ? -1 : 1;
        if (sign * (middle - inner) < 4 || sign * (middle - outer) < 2) return 0;
        threshold = ((inner + outer) / 2 + middle) / 2;
        rays.dark = light ? middle : inner;
        rays.light = light ? inner : middle;
    }
    float along = sqrtf(a[0] * a[0] + a[1] * a[1]), beside = sqrtf(b[0] * b[0] + b[1] * b[1]);
    float longer = along > beside ? along : beside, shorter = along > beside ? beside : along;
    if (!(shorter > 0.18f * longer) || module < 0.7f) return 0;
    *finder = (TagFinder){
        .centre = {x, y}, .across = {a[0], a[1]}, .down = {b[0], b[1]}, .module = module,
        .quality = (float)good / RAYS * (1 - difference), .light = (uint8_t)light,
        .dark_level = (uint8_t)rays.dark, .light_level = (uint8_t)rays.light,
    };
    return 1;
}
