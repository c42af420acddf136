// Samples a symbol from the picture, upright, with a few pixels per module, at any position,
// rotation, perspective and curvature. All further steps work on this small patch.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

// Modules on the sampled level have at least this many pixels, so that its pixels average the area
// of a patch pixel, and no more.
#define LEAST_MODULE_PIXELS 2.4

static double module_length(const TagProjection *projection, double dimension) {
    TagPosition a = tag_projection_apply(projection, 0, 0);
    TagPosition b = tag_projection_apply(projection, dimension, 0);
    TagPosition c = tag_projection_apply(projection, dimension, dimension);
    TagPosition d = tag_projection_apply(projection, 0, dimension);
    double area = 0.5 * fabs((double)(c.x - a.x) * (d.y - b.y) - (double)(c.y - a.y) * (d.x - b.x));
    return sqrt(area) / dimension;
}

TagPosition tag_place(const TagWork *work, double u, double v) {
    if (work->has_mesh) {
        int side = work->dimension + 2 * TAG_PATCH_MARGIN;
        double x = u + TAG_PATCH_MARGIN, y = v + TAG_PATCH_MARGIN;
        x = x > 0 ? (x < side ? x : side) : 0;
        y = y > 0 ? (y < side ? y : side) : 0;
        int column = x < side ? (int)x : side - 1, row = y < side ? (int)y : side - 1;
        double along = x - column, down = y - row;
        const float *du = work->mesh_u + row * (side + 1) + column;
        const float *dv = work->mesh_v + row * (side + 1) + column;
        u += (du[0] * (1 - along) + du[1] * along) * (1 - down)
            + (du[side + 1] * (1 - along) + du[side + 2] * along) * down;
        v += (dv[0] * (1 - along) + dv[1] * along) * (1 - down)
            + (dv[side + 1] * (1 - along) + dv[side + 2] * along) * down;
    } else if (work->has_bend) {
        double du, dv;
        tag_mesh_bend_at(work, u, v, &du, &dv);
        u += du;
        v += dv;
    }
    return tag_projection_apply(&work->projection, u, v);
}

// The positions of the pixels of one patch row in the picture.
static void place_row(const TagWork *work, int row, int side, float *xs, float *ys) {
    const double *m = work->projection.m;
    int stride = work->dimension + 2 * TAG_PATCH_MARGIN + 1;
    float v = ((float)row + 0.5f) / TAG_PATCH_SCALE;
    int mesh_row = row / TAG_PATCH_SCALE;
    float down = v - (float)mesh_row;
    double us[TAG_PATCH_MOST], ws[TAG_PATCH_MOST];
    for (int i = 0; i < side; i++) {
        double u = (i + 0.5) / TAG_PATCH_SCALE, w = v;
        if (work->has_mesh) {
            int column = i / TAG_PATCH_SCALE;
            float along = (float)u - (float)column;
            const float *du = work->mesh_u + mesh_row * stride + column;
            const float *dv = work->mesh_v + mesh_row * stride + column;
            float upper = du[0] + (du[1] - du[0]) * along;
            float lower = du[stride] + (du[stride + 1] - du[stride]) * along;
            u += upper + (lower - upper) * down;
            upper = dv[0] + (dv[1] - dv[0]) * along;
            lower = dv[stride] + (dv[stride + 1] - dv[stride]) * along;
            w += upper + (lower - upper) * down;
        }
        us[i] = u - TAG_PATCH_MARGIN;
        ws[i] = w - TAG_PATCH_MARGIN;
    }
    // By itself, so that compilers vectorise it.
    for (int i = 0; i < side; i++) {
        double u = us[i], w = ws[i], divisor = 1 / (m[6] * u + m[7] * w + m[8]);
        xs[i] = (float)((m[0] * u + m[1] * w + m[2]) * divisor);
        ys[i] = (float)((m[3] * u + m[4] * w + m[5]) * divisor);
    }
}

float tag_sample(const TagScales *scales, uint32_t level, float x, float y) {
    const TagPlane *plane = &scales->level[level];
    float size = 1 / (float)(1u << level);
    return tag_plane_sample(plane, x * size, y * size);
}

uint32_t tag_level_for(const TagScales *scales, double module, double pixels) {
    uint32_t level = 0;
    while (level + 1 < scales->count && module / (double)(2u << level) >= pixels) level++;
    return level;
}

// Bilinear samples in fixed point, 1/256 pixel; places outside the plane get its nearest pixel.
static void sample_row(const TagPlane *plane, const float *xs, const float *ys, int count,
                       float size, int flip, uint8_t *out) {
    float right = (float)(plane->width - 1), bottom = (float)(plane->height - 1);
    for (int i = 0; i < count; i++) {
        float x = xs[i] * size - 0.5f, y = ys[i] * size - 0.5f;
        x = x > 0 ? (x < right ? x : right) : 0; // also for NaN
        y = y > 0 ? (y < bottom ? y : bottom) : 0;
        uint32_t fx = (uint32_t)(x * 256), fy = (uint32_t)(y * 256);
        uint32_t column = fx >> 8, row = fy >> 8;
        fx &= 255;
        fy &= 255;
        size_t next = column + 1 < plane->width ? 1 : 0;
        const uint8_t *above = plane->pixels + (size_t)row * plane->width + column;
        const uint8_t *below = row + 1 < plane->height ? above + plane->width : above;
        uint32_t upper = above[0] * (256 - fx) + above[next] * fx;
        uint32_t lower = below[0] * (256 - fx) + below[next] * fx;
        uint32_t value = (upper * (256 - fy) + lower * fy + 32768) >> 16;
        out[i] = (uint8_t)(flip ? 255 - value : value);
    }
}

void tag_patch_sample(TagWork *work, const TagScales *scales, int light, int finer) {
    float xs[TAG_PATCH_MOST], ys[TAG_PATCH_MOST];
    int side = (work->dimension + 2 * TAG_PATCH_MARGIN) * TAG_PATCH_SCALE;
    double module = module_length(&work->projection, work->dimension);
    uint32_t level = tag_level_for(scales, module, LEAST_MODULE_PIXELS);
    if (finer && level > 0) level--;
    if (work->has_bend && !work->has_mesh) tag_mesh_fill(work);
    for (int row = 0; row < side; row++) {
        place_row(work, row, side, xs, ys);
        sample_row(&scales->level[level], xs, ys, side, 1 / (float)(1u << level), light,
                   work->patch + (size_t)row * (size_t)side);
    }
    work->spent += (uint64_t)side * (uint64_t)side * 2;
}

int tag_patch_sharpen(TagWork *work) {
    uint32_t side = (uint32_t)(work->dimension + 2 * TAG_PATCH_MARGIN) * TAG_PATCH_SCALE;
    TagPlane plane = {work->patch, side, side};
    work->spent += (uint64_t)side * side * 2;
    return tag_filter_sharpen(&plane, 4, 4, work->sharp);
}

static void mean_modules(TagWork *work, const uint8_t *patch, const uint32_t *weights) {
    int modules = work->dimension + 2 * TAG_PATCH_MARGIN;
    size_t side = (size_t)modules * TAG_PATCH_SCALE;
    for (int row = 0; row < modules; row++) {
        for (int column = 0; column < modules; column++) {
            const uint8_t *from = patch + (size_t)row * TAG_PATCH_SCALE * side
                + (size_t)column * TAG_PATCH_SCALE;
            uint32_t sum = 0;
            for (int y = 0; y < TAG_PATCH_SCALE; y++, from += side) {
                uint32_t line = 0;
                for (int x = 0; x < TAG_PATCH_SCALE; x++) line += weights[x] * from[x];
                sum += weights[y] * line;
            }
            work->values[row * modules + column] = (float)sum / 64;
        }
    }
}

// The middle of a module counts more than its edges, which its neighbours blur; against noise, all
// count equally.
static const uint32_t middle_weights[TAG_PATCH_SCALE] = {1, 3, 3, 1};
static const uint32_t flat_weights[TAG_PATCH_SCALE] = {2, 2, 2, 2};

void tag_patch_values(TagWork *work, int flat) {
    mean_modules(work, work->patch, flat ? flat_weights : middle_weights);
}

void tag_patch_even_values(TagWork *work) {
    uint8_t logarithms[256];
    size_t side = (size_t)(work->dimension + 2 * TAG_PATCH_MARGIN) * TAG_PATCH_SCALE;
    // The darkest values are mostly noise and stray light, so they stay close together.
    for (int i = 0; i < 256; i++) {
        logarithms[i] = (uint8_t)(255 * logf(1 + (float)i / 6) / logf(1 + 255.0f / 6));
    }
    for (size_t i = 0; i < side * side; i++) work->sharp[i] = logarithms[work->patch[i]];
    mean_modules(work, work->sharp, middle_weights);
    work->spent += side * side;
}

void tag_patch_sharp_values(TagWork *work) {
    mean_modules(work, work->sharp, middle_weights);
}
