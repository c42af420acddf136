// Bends the grid of a symbol with a polynomial, so that three finder patterns fit that no
// projection fits at once.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

int tag_polynomial_terms(float u, float v, int order, double *out) {
    int count = 0;
    double power_u = 1;
    for (int i = 0; i <= order; i++) {
        double power = power_u;
        for (int k = 0; i + k <= order; k++) {
            out[count++] = power;
            power *= (double)v;
        }
        power_u *= (double)u;
    }
    return count;
}

#define ORDER 3
#define TERMS TAG_BEND_TERMS

int tag_mesh_bend(TagWork *work, const TagMatch *matches, size_t count) {
    double matrix[TERMS * TERMS] = {0}, right[2][TERMS] = {{0}};
    double copy[TERMS * TERMS], row[TERMS];
    double scale = 2.0 / work->dimension;
    for (size_t at = 0; at < count; at++) {
        const TagMatch *match = &matches[at];
        double u, v;
        if (!tag_projection_revert(&work->projection, match->x, match->y, &u, &v)) return 0;
        float a = (float)(match->u * scale - 1), b = (float)(match->v * scale - 1);
        tag_polynomial_terms(a, b, ORDER, row);
        for (int i = 0; i < TERMS; i++) {
            for (int k = 0; k < TERMS; k++) matrix[TERMS * i + k] += row[i] * row[k];
            right[0][i] += row[i] * (u - match->u);
            right[1][i] += row[i] * (v - match->v);
        }
    }
    // Three corners do not determine a whole surface: the rest stays flat. The terms are, in order,
    // 1, v, v^2, v^3, u, uv, uv^2, u^2, u^2 v, u^3.
    static const double stiffness[TERMS] = {1e-4, 1e-4, 2e-3, 1e-2, 1e-4,
                                                 1e-2, 1e-1, 2e-3, 1e-1, 1e-2};
    for (int i = 0; i < TERMS; i++) matrix[(TERMS + 1) * i] += stiffness[i];
    for (int i = 0; i < 2; i++) {
        memcpy(copy, matrix, sizeof copy);
        if (!tag_solve(copy, right[i], TERMS)) return 0;
    }
    memcpy(work->bend, right, sizeof right);
    work->has_bend = 1;
    work->has_mesh = 0;
    return 1;
}

void tag_mesh_bend_at(const TagWork *work, double u, double v, double *du, double *dv) {
    double row[TERMS], scale = 2.0 / work->dimension;
    tag_polynomial_terms((float)(u * scale - 1), (float)(v * scale - 1), ORDER, row);
    *du = *dv = 0;
    for (int i = 0; i < TERMS; i++) {
        *du += work->bend[0][i] * row[i];
        *dv += work->bend[1][i] * row[i];
    }
    // Far more than the bend of any tag that can still be read.
    if (!(fabs(*du) < 12 && fabs(*dv) < 12)) *du = *dv = 0;
}

void tag_mesh_fill(TagWork *work) {
    int side = work->dimension + 2 * TAG_PATCH_MARGIN;
    for (int y = 0; y <= side; y++) {
        for (int x = 0; x <= side; x++) {
            double du, dv;
            tag_mesh_bend_at(work, x - TAG_PATCH_MARGIN, y - TAG_PATCH_MARGIN, &du, &dv);
            work->mesh_u[y * (side + 1) + x] = (float)du;
            work->mesh_v[y * (side + 1) + x] = (float)dv;
        }
    }
    work->has_mesh = 1;
}
