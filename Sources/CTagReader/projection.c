// Projections: plane perspective from modules to pixels, fitted by least squares.

#include "tag_engine.h"

#include <math.h>

// Both planes are moved and scaled to about one; otherwise squares of large numbers would dominate.
typedef struct Scaling {
    double x, y, size;
} Scaling;

static Scaling scaling_of(const TagMatch *matches, size_t count, int of_modules) {
    Scaling scaling = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        scaling.x += (of_modules ? matches[i].u : matches[i].x) / (double)count;
        scaling.y += (of_modules ? matches[i].v : matches[i].y) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double dx = (of_modules ? matches[i].u : matches[i].x) - scaling.x;
        double dy = (of_modules ? matches[i].v : matches[i].y) - scaling.y;
        scaling.size += sqrt(dx * dx + dy * dy) / (double)count;
    }
    return scaling;
}

static void add_equation(double matrix[64], double right[8], const double row[8], double value,
                         double weight) {
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 8; k++) matrix[8 * i + k] += weight * row[i] * row[k];
        right[i] += weight * row[i] * value;
    }
}

int tag_projection_fit(const TagMatch *matches, size_t count, TagProjection *projection) {
    if (count < 4) return 0;
    Scaling from = scaling_of(matches, count, 1), to = scaling_of(matches, count, 0);
    if (!(from.size > 1e-6) || !(to.size > 1e-6)) return 0;
    double matrix[64] = {0}, right[8] = {0};
    for (size_t i = 0; i < count; i++) {
        double u = (matches[i].u - from.x) / from.size, v = (matches[i].v - from.y) / from.size;
        double x = (matches[i].x - to.x) / to.size, y = (matches[i].y - to.y) / to.size;
        const double first[8] = {u, v, 1, 0, 0, 0, -u * x, -v * x};
        const double second[8] = {0, 0, 0, u, v, 1, -u * y, -v * y};
        add_equation(matrix, right, first, x, matches[i].weight);
        add_equation(matrix, right, second, y, matches[i].weight);
    }
    for (int i = 0; i < 8; i++) matrix[9 * i] += 1e-10;
    if (!tag_solve(matrix, right, 8)) return 0;
    // Back to modules and pixels: to * solution * from.
    const double h[9] = {right[0], right[1], right[2], right[3], right[4],
                         right[5], right[6], right[7], 1};
    double g[9];
    for (int row = 0; row < 3; row++) {
        g[3 * row] = h[3 * row] / from.size;
        g[3 * row + 1] = h[3 * row + 1] / from.size;
        g[3 * row + 2] =
            h[3 * row + 2] - (h[3 * row] * from.x + h[3 * row + 1] * from.y) / from.size;
    }
    for (int column = 0; column < 3; column++) {
        projection->m[column] = g[column] * to.size + g[6 + column] * to.x;
        projection->m[3 + column] = g[3 + column] * to.size + g[6 + column] * to.y;
        projection->m[6 + column] = g[6 + column];
    }
    for (int i = 0; i < 9; i++) {
        if (!isfinite(projection->m[i])) return 0;
    }
    return 1;
}

TagPosition tag_projection_apply(const TagProjection *projection, double u, double v) {
    const double *m = projection->m;
    double w = m[6] * u + m[7] * v + m[8];
    if (!(fabs(w) > 1e-12)) w = 1e-12;
    double x = (m[0] * u + m[1] * v + m[2]) / w, y = (m[3] * u + m[4] * v + m[5]) / w;
    // All positions far outside are equivalent, and these convert to integers safely.
    if (!(fabs(x) < 1e8)) x = -1e8;
    if (!(fabs(y) < 1e8)) y = -1e8;
    return (TagPosition){(float)x, (float)y};
}

int tag_projection_revert(const TagProjection *projection, double x, double y, double *u,
                          double *v) {
    const double *m = projection->m;
    // (m0 - x m6) u + (m1 - x m7) v = x m8 - m2, and the same for y.
    double a = m[0] - x * m[6], b = m[1] - x * m[7], c = m[3] - y * m[6], d = m[4] - y * m[7];
    double e = x * m[8] - m[2], f = y * m[8] - m[5];
    double determinant = a * d - b * c;
    if (!(fabs(determinant) > 1e-12)) return 0;
    *u = (e * d - b * f) / determinant;
    *v = (a * f - e * c) / determinant;
    return isfinite(*u) && isfinite(*v);
}

int tag_projection_is_sane(const TagProjection *projection, double dimension) {
    const double margin = 2, end = dimension + margin;
    const double corners[4][2] = {{-margin, -margin}, {end, -margin}, {end, end}, {-margin, end}};
    const double *m = projection->m;
    TagPosition at[4];
    double sign = m[6] * dimension / 2 + m[7] * dimension / 2 + m[8];
    for (int i = 0; i < 4; i++) {
        double w = m[6] * corners[i][0] + m[7] * corners[i][1] + m[8];
        if (!(w * sign > 0)) return 0; // beyond the horizon
        at[i] = tag_projection_apply(projection, corners[i][0], corners[i][1]);
    }
    for (int i = 0; i < 4; i++) {
        TagPosition a = at[i], b = at[(i + 1) % 4], c = at[(i + 2) % 4];
        double cross = (double)(b.x - a.x) * (c.y - b.y) - (double)(b.y - a.y) * (c.x - b.x);
        double least = 0.15 * dimension * dimension;
        if (!(cross > least)) return 0; // folded, or modules far below a pixel
    }
    return 1;
}
