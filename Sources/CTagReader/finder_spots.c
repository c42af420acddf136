// Looks for finder patterns that are so blurred that only a spot is left of them.
//
// Blur takes the light ring of a finder pattern first. What stays is a dark spot three modules wide,
// something grey around it, and light where the pattern ends. Four nested squares around a place tell
// that, at any rotation and with little work: their means come from sums over the whole plane.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SPOT_CONTRAST 18 // between a spot and what is beyond its pattern
#define LEAST_VARIANCE 9
#define LEAST_MATCH 0.3f
#define LEAST_GLANCE_MATCH 0.4f // at a glance, which must not take long
#define SPOT_SQUARES 4

// The longest modules that are looked for on a level, in its pixels: from one level to the next, modules are
// half as long.
#define MOST_MODULE 4.0f

// As many rows of sums are kept as the squares of the largest pattern reach over, and a power of 2.
#define KEPT_ROWS 64u
_Static_assert(2 * (4.5f * MOST_MODULE + 0.5f) + 1 < KEPT_ROWS, "patterns are higher than what is kept");

typedef struct SpotSearch {
    TagSpots *spots;
    const TagPlane *plane;
    uint32_t *sums; // from the top left corner, with a row and a column of zeros; the last rows of them
    uint32_t *squares; // the same of squared values
    uint32_t half; // of a row; its even columns come first, then the odd ones, so that every other one is next
    float size;  // of a pixel of the plane, in pixels of the picture
    int has_noise;
    float least; // what the places must look like a pattern
    const uint8_t *covered; // where nothing is looked for; NULL for nowhere
    uint8_t *may_be_spot; // of each place of a row, whether it may be a spot
} SpotSearch;

static inline size_t sum_place(const SpotSearch *search, uint32_t x, uint32_t y) {
    return ((size_t)(y % KEPT_ROWS) * 2 + x % 2) * search->half + x / 2;
}

// The sums of a row up to one pixel, which is added.
typedef struct RowSum {
    uint32_t sum, squared;
} RowSum;

static inline RowSum add_pixel(const SpotSearch *search, RowSum row, uint32_t value, size_t above, size_t at) {
    row.sum += value;
    row.squared += value * value;
    search->sums[at] = search->sums[above] + row.sum;
    search->squares[at] = search->squares[above] + row.squared;
    return row;
}

// Adds the sums down to the end of a row. Sums may wrap; their differences over a pattern do not.
static void add_sums(const SpotSearch *whole, uint32_t y) {
    SpotSearch search = *whole; // not changed by what is written to sums
    uint32_t width = search.plane->width;
    const uint8_t *from = search.plane->pixels + (size_t)y * width;
    size_t above = sum_place(&search, 0, y), at = sum_place(&search, 0, y + 1), half = search.half;
    RowSum row = {0, 0};
    for (uint32_t i = 0; i < width / 2; i++) {
        row = add_pixel(&search, row, from[2 * i], above + half + i, at + half + i);
        row = add_pixel(&search, row, from[2 * i + 1], above + i + 1, at + i + 1);
    }
    if (width % 2) add_pixel(&search, row, from[width - 1], above + half + width / 2, at + half + width / 2);
}

// The places of the sums at the corners of a square; those of the next square but one are next to them.
typedef struct SumPlaces {
    size_t left_top, right_top, left_bottom, right_bottom;
} SumPlaces;

static SumPlaces sum_places(const SpotSearch *search, uint32_t x, uint32_t y, uint32_t reach) {
    return (SumPlaces){
        .left_top = sum_place(search, x - reach, y - reach),
        .right_top = sum_place(search, x + reach + 1, y - reach),
        .left_bottom = sum_place(search, x - reach, y + reach + 1),
        .right_bottom = sum_place(search, x + reach + 1, y + reach + 1),
    };
}

static inline uint32_t sum_at(const uint32_t *sums, SumPlaces places, size_t next) {
    return sums[places.right_bottom + next] - sums[places.right_top + next]
        - sums[places.left_bottom + next] + sums[places.left_top + next];
}

// The sum over the square that reaches `reach` pixels to each side.
static inline uint32_t square_sum(const SpotSearch *search, const uint32_t *sums, uint32_t x, uint32_t y,
                                  uint32_t reach) {
    return sum_at(sums, sum_places(search, x, y, reach), 0);
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

void tag_spots_keep(TagSpots *spots, TagSpot spot) {
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

// Patterns with modules of one length, in pixels of the plane.
typedef struct SpotScale {
    float module;
    uint32_t step; // of the places that are looked at
    uint32_t reaches[SPOT_SQUARES];
    float areas[SPOT_SQUARES], within; // of the rings, and of all
    float shares[SPOT_SQUARES];        // 1 / areas: multiplying is faster
} SpotScale;

static SpotScale scale_of(float module, uint32_t step) {
    SpotScale scale = {.module = module, .step = step};
    for (int i = 0; i < SPOT_SQUARES; i++) {
        scale.reaches[i] = (uint32_t)lroundf((1.5f + (float)i) * module - 0.5f);
        float side = (float)(2 * scale.reaches[i] + 1);
        scale.areas[i] = side * side - scale.within;
        scale.within = side * side;
        scale.shares[i] = 1 / scale.areas[i];
    }
    return scale;
}

// Whether every other place of a row, from `x` on, may be a spot: it differs from what is around it, and
// accounts for so much of all differences there that a blurred pattern is possible, which has few others. By
// itself and without branches, so that it is vectorised.
static void mark_spots(const SpotSearch *search, const SpotScale *scale, uint32_t x, uint32_t y,
                       uint32_t count) {
    SumPlaces whole = sum_places(search, x, y, scale->reaches[SPOT_SQUARES - 1]);
    SumPlaces inner = sum_places(search, x, y, scale->reaches[0]);
    const uint32_t *sums = search->sums, *squares = search->squares;
    float share = scale->shares[0], whole_share = 1 / scale->within;
    float rest = 1 - scale->areas[0] / scale->within;
    float least = LEAST_SPOT_CONTRAST * rest;
    float least_alone = search->has_noise ? 0 : search->least * search->least * 0.7f;
    float alone_share = scale->areas[0] / scale->within / rest;
    uint8_t *restrict may_be_spot = search->may_be_spot;
    for (uint32_t i = 0; i < count; i++) {
        float mean = (float)(int32_t)sum_at(sums, whole, i) * whole_share;
        float apart = mean - (float)(int32_t)sum_at(sums, inner, i) * share;
        float variance = (float)(int32_t)sum_at(squares, whole, i) * whole_share - mean * mean;
        may_be_spot[i] = (uint8_t)((fabsf(apart) >= least) & (variance >= LEAST_VARIANCE)
                                   & (apart * apart * alone_share >= least_alone * variance));
    }
}

// Keeps a place that looks like a pattern.
static void consider(const SpotSearch *search, const SpotScale *scale, uint32_t x, uint32_t y) {
    const float *areas = scale->areas, *shares = scale->shares;
    const uint32_t *reaches = scale->reaches;
    float within = scale->within, least = search->least;
    uint32_t border = reaches[SPOT_SQUARES - 1];
    uint32_t inner = square_sum(search, search->sums, x, y, reaches[0]);
    uint32_t whole = square_sum(search, search->sums, x, y, border);
    float spot = (float)inner * shares[0], mean = (float)whole / within;
    uint32_t squared = square_sum(search, search->squares, x, y, border);
    float variance = (float)squared / within - mean * mean;
    uint32_t second = square_sum(search, search->sums, x, y, reaches[1]);
    uint32_t third = square_sum(search, search->sums, x, y, reaches[2]);
    float means[SPOT_SQUARES] = {spot, (float)(second - inner) * shares[1],
                                 (float)(third - second) * shares[2], (float)(whole - third) * shares[3]};
    float found = match_model(means, areas, within, mean, variance, models[0]);
    if (search->has_noise) {
        float other = match_model(means, areas, within, mean, variance, models[1]);
        if (fabsf(other) > fabsf(found)) found = other;
    }
    if (fabsf(found) < least) return;
    TagSpot kept = {
        .centre = {((float)x + 0.5f) * search->size, ((float)y + 0.5f) * search->size},
        .module = scale->module * search->size,
        .score = fabsf(found),
        .light = found < 0,
    };
    tag_spots_keep(search->spots, kept);
}

// Looks at every other place of one row, from `x` on.
static void search_row(const SpotSearch *search, const SpotScale *scale, uint32_t x, uint32_t y) {
    uint32_t border = scale->reaches[SPOT_SQUARES - 1], width = search->plane->width;
    if (width <= x + border) return;
    uint32_t count = (width - x - border + 1) / 2;
    mark_spots(search, scale, x, y, count);
    const uint8_t *first = search->may_be_spot, *end = first + count, *next = first;
    while ((next = memchr(next, 1, (size_t)(end - next))) != NULL) {
        uint32_t at = x + 2 * (uint32_t)(next++ - first);
        if (search->covered == NULL || !search->covered[(size_t)y * width + at]) {
            consider(search, scale, at, y);
        }
    }
}

#define SPOT_SCALES 4

int tag_spots_find(TagSpots *spots, const TagScales *scales, uint32_t level, int has_noise,
                   const uint8_t *covered, int is_glance) {
    static const float modules[SPOT_SCALES] = {TAG_LEAST_SPOT_MODULE, 2.7f, 3.3f, MOST_MODULE};
    const TagPlane *plane = &scales->level[level];
    size_t half = (size_t)plane->width / 2 + 1, kept = 2 * half * KEPT_ROWS;
    uint32_t *sums = calloc(2 * kept + plane->width / sizeof *sums + 1, sizeof *sums);
    if (sums == NULL) return 0;
    SpotSearch search = {
        .spots = spots,
        .plane = plane,
        .sums = sums,
        .squares = sums + kept,
        .half = (uint32_t)half,
        .size = (float)(1u << level),
        .has_noise = has_noise,
        .least = is_glance ? LEAST_GLANCE_MATCH : LEAST_MATCH,
        .covered = covered,
        .may_be_spot = (uint8_t *)(sums + 2 * kept),
    };
    SpotScale looked[SPOT_SCALES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < SPOT_SCALES; i += is_glance ? 2 : 1) {
        looked[count++] = scale_of(modules[i], is_glance || modules[i] > 3 ? 2 : 1);
    }
    for (uint32_t end = 0; end < plane->height; end++) {
        add_sums(&search, end);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t border = looked[i].reaches[SPOT_SQUARES - 1];
            if (end < 2 * border || (end - 2 * border) % looked[i].step != 0) continue;
            search_row(&search, &looked[i], border, end - border);
            if (looked[i].step == 1) search_row(&search, &looked[i], border + 1, end - border);
        }
    }
    spots->work += (uint64_t)plane->width * plane->height * (is_glance ? 6 : 12);
    free(sums);
    return 1;
}
