// Looks for finder patterns that are so blurred that only a spot is left of them.
//
// Blur takes the light ring of a finder pattern first. What stays is a dark spot three modules wide,
// something grey around it, and light where the pattern ends. Four nested squares around a place tell
// that, at any rotation and with little work: their means come from sums over the whole plane.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_SPOT_CONTRAST 18 // between a spot and what is beyond its pattern
#define LEAST_MATCH 0.3f
#define LEAST_GLANCE_MATCH 0.4f // at a glance, which must not take long
#define SPOT_SQUARES 4

typedef struct SpotSearch {
    TagSpots *spots;
    const TagPlane *plane;
    const uint32_t *sums; // from the top left corner, with a row and a column of zeros
    const uint32_t *squares; // the same of squared values
    uint32_t stride;
    float size;  // of a pixel of the plane, in pixels of the picture
    int has_noise;
    const uint8_t *covered; // where nothing is looked for; NULL for nowhere
} SpotSearch;

// Sums may wrap; their differences over a pattern do not.
static uint32_t *make_sums(const TagPlane *plane, uint32_t stride, int squared) {
    uint32_t *sums = calloc((size_t)stride * (plane->height + 1), sizeof *sums);
    if (sums == NULL) return NULL;
    for (uint32_t y = 0; y < plane->height; y++) {
        const uint8_t *from = plane->pixels + (size_t)y * plane->width;
        const uint32_t *above = sums + (size_t)y * stride;
        uint32_t *to = sums + (size_t)(y + 1) * stride, line = 0;
        for (uint32_t x = 0; x < plane->width; x++) {
            line += squared ? (uint32_t)from[x] * from[x] : from[x];
            to[x + 1] = above[x + 1] + line;
        }
    }
    return sums;
}

// The sum over the square that reaches `reach` pixels to each side.
static inline uint32_t square_sum(const uint32_t *sums, uint32_t stride, uint32_t x, uint32_t y,
                              uint32_t reach) {
    const uint32_t *top = sums + (size_t)(y - reach) * stride;
    const uint32_t *bottom = sums + (size_t)(y + reach + 1) * stride;
    return bottom[x + reach + 1] - top[x + reach + 1] - bottom[x - reach] + top[x - reach];
}

// What a pattern looks like: the means of its spot and of the three rings around it. A blurred one has
// lost its rings; one in noise has them.
static const float models[][SPOT_SQUARES] = {{-1.0f, 0.02f, 0.0f, 0.27f}, {-1.0f, 1.0f, -1.0f, 1.0f}};

// How much four means look like a model, -1 to 1; negative for a light pattern. `variance` is that of
// all pixels.
static float match_model(const float means[SPOT_SQUARES], const float areas[SPOT_SQUARES], float area,
                         float mean, float variance, const float model[SPOT_SQUARES]) {
    float both = 0, squares = 0, expected = 0;
    for (int i = 0; i < SPOT_SQUARES; i++) expected += areas[i] * model[i];
    expected /= area;
    for (int i = 0; i < SPOT_SQUARES; i++) {
        both += areas[i] * (means[i] - mean) * (model[i] - expected);
        squares += areas[i] * (model[i] - expected) * (model[i] - expected);
    }
    return both / sqrtf(variance * area * squares);
}

static void keep_spot(TagSpots *spots, TagSpot spot) {
    uint32_t worst = 0;
    for (uint32_t i = 0; i < spots->count; i++) {
        TagSpot *known = &spots->list[i];
        float dx = known->centre.x - spot.centre.x, dy = known->centre.y - spot.centre.y;
        float reach = 1.5f * (known->module < spot.module ? known->module : spot.module);
        if (known->light == spot.light && dx * dx + dy * dy < reach * reach) {
            if (known->score < spot.score) *known = spot;
            return;
        }
        if (known->score < spots->list[worst].score) worst = i;
    }
    if (spots->count < TAG_MOST_SPOTS) {
        spots->list[spots->count++] = spot;
    } else if (spots->list[worst].score < spot.score) {
        spots->list[worst] = spot;
    }
}

// Looks at every place for patterns with modules of one length, in pixels of the plane.
static void search_scale(const SpotSearch *search, float module, uint32_t step, float least) {
    const TagPlane *plane = search->plane;
    uint32_t reaches[SPOT_SQUARES];
    float areas[SPOT_SQUARES], within = 0;
    for (int i = 0; i < SPOT_SQUARES; i++) {
        reaches[i] = (uint32_t)lroundf((1.5f + (float)i) * module - 0.5f);
        float side = (float)(2 * reaches[i] + 1);
        areas[i] = side * side - within;
        within = side * side;
    }
    uint32_t border = reaches[SPOT_SQUARES - 1];
    float shares = areas[0] / within * (1 - areas[0] / within);
    // The contrast times both areas, so that most places need no division.
    float least_apart = LEAST_SPOT_CONTRAST * areas[0] * (within - areas[0]);
    if (plane->width <= 2 * border + 1 || plane->height <= 2 * border + 1) return;
    for (uint32_t y = border; y + border < plane->height; y += step) {
        for (uint32_t x = border; x + border < plane->width; x += step) {
            if (search->covered != NULL && search->covered[(size_t)y * plane->width + x]) continue;
            uint32_t inner = square_sum(search->sums, search->stride, x, y, reaches[0]);
            uint32_t whole = square_sum(search->sums, search->stride, x, y, border);
            float apart = (float)whole * areas[0] - (float)inner * within;
            if (fabsf(apart) < least_apart) continue;
            float spot = (float)inner / areas[0];
            float rest = (float)(whole - inner) / (within - areas[0]);
            float mean = (float)whole / within;
            uint32_t squared = square_sum(search->squares, search->stride, x, y, border);
            float variance = (float)squared / within - mean * mean;
            // How far the spot alone accounts for all differences: a blurred pattern is not much more.
            float alone = (rest - spot) * (rest - spot) * shares;
            if (variance < 9 || (!search->has_noise && alone < least * least * 0.7f * variance)) {
                continue;
            }
            uint32_t second = square_sum(search->sums, search->stride, x, y, reaches[1]);
            uint32_t third = square_sum(search->sums, search->stride, x, y, reaches[2]);
            float means[SPOT_SQUARES] = {spot, (float)(second - inner) / areas[1],
                                         (float)(third - second) / areas[2],
                                         (float)(whole - third) / areas[3]};
            float found = match_model(means, areas, within, mean, variance, models[0]);
            if (search->has_noise) {
                float other = match_model(means, areas, within, mean, variance, models[1]);
                if (fabsf(other) > fabsf(found)) found = other;
            }
            int light = found < 0;
            if (fabsf(found) < least) continue;
            TagSpot kept = {
                .centre = {((float)x + 0.5f) * search->size, ((float)y + 0.5f) * search->size},
                .module = module * search->size,
                .score = fabsf(found),
                .light = (uint8_t)light,
            };
            keep_spot(search->spots, kept);
        }
    }
}

int tag_spots_find(TagSpots *spots, const TagScales *scales, uint32_t level, int has_noise,
                   const uint8_t *covered, int is_glance) {
    const TagPlane *plane = &scales->level[level];
    uint32_t stride = plane->width + 1;
    uint32_t *sums = make_sums(plane, stride, 0), *squares = make_sums(plane, stride, 1);
    if (sums == NULL || squares == NULL) {
        free(sums);
        free(squares);
        return 0;
    }
    SpotSearch search = {spots, plane, sums, squares, stride, (float)(1u << level), has_noise,
                         covered};
    // From one level to the next, modules are half as long.
    static const float modules[] = {TAG_LEAST_SPOT_MODULE, 2.7f, 3.3f, 4.0f};
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i += is_glance ? 2 : 1) {
        search_scale(&search, modules[i], is_glance || modules[i] > 3 ? 2 : 1,
                     is_glance ? LEAST_GLANCE_MATCH : LEAST_MATCH);
    }
    spots->work += (uint64_t)plane->width * plane->height * (is_glance ? 6 : 12);
    free(sums);
    free(squares);
    return 1;
}
