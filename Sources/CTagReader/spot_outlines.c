// Takes spots that lie like the finder patterns of a symbol for one, and fits its outline.
//
// A spot does not tell the length of a module, so every size of symbol is tried: what is known of a
// symbol (its finder, timing and alignment patterns and the light around it) must look like the picture
// there. The best outlines are then moved until they do so best.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Three spots, as the corner between the other two, the right and the lower one.
typedef struct SpotTriple {
    const TagSpot *corner, *right, *below;
    float score;
} SpotTriple;

#define MOST_SPOT_TRIPLES 120
#define MOST_GLANCE_TRIPLES 40 // the best ones
#define MOST_SPOT_RATIO 1.6f
#define MOST_SIDE_RATIO 1.6f
#define MOST_COSINE 0.5f

static void keep_triple(SpotTriple *triples, int *count, SpotTriple triple) {
    int at = *count < MOST_SPOT_TRIPLES ? (*count)++ : MOST_SPOT_TRIPLES - 1;
    if (at == MOST_SPOT_TRIPLES - 1 && triples[at].corner != NULL && triples[at].score >= triple.score) {
        return;
    }
    for (; at > 0 && triples[at - 1].score < triple.score; at--) triples[at] = triples[at - 1];
    triples[at] = triple;
}

static int find_triples(const TagSpots *spots, SpotTriple *triples) {
    int count = 0;
    memset(triples, 0, MOST_SPOT_TRIPLES * sizeof *triples);
    for (uint32_t a = 0; a < spots->count; a++) {
        const TagSpot *corner = &spots->list[a];
        for (uint32_t b = 0; b < spots->count; b++) {
            const TagSpot *right = &spots->list[b];
            if (b == a || right->light != corner->light) continue;
            float size = tag_ratio(right->module, corner->module);
            float x1 = right->centre.x - corner->centre.x, y1 = right->centre.y - corner->centre.y;
            float across = hypotf(x1, y1);
            if (size > MOST_SPOT_RATIO || across < 5 * corner->module) continue;
            for (uint32_t c = 0; c < spots->count; c++) {
                const TagSpot *below = &spots->list[c];
                if (c == a || c == b || below->light != corner->light) continue;
                float other_size = tag_ratio(below->module, corner->module);
                if (other_size > MOST_SPOT_RATIO) continue;
                float x2 = below->centre.x - corner->centre.x,
                      y2 = below->centre.y - corner->centre.y;
                float down = hypotf(x2, y2), sides = tag_ratio(across, down);
                if (!(sides < MOST_SIDE_RATIO) || x1 * y2 - y1 * x2 <= 0) continue;
                float cosine = fabsf(x1 * x2 + y1 * y2) / (across * down);
                if (cosine > MOST_COSINE) continue;
                float score = corner->score + right->score + below->score - 0.5f * (sides - 1)
                    - 0.5f * cosine - 0.2f * (size + other_size - 2);
                keep_triple(triples, &count, (SpotTriple){corner, right, below, score});
            }
        }
    }
    return count;
}

// What is known of a symbol of one size: places and whether they are dark.
typedef struct Known {
    int count;
    float *places; // u, v, and 1 for light or -1 for dark
} Known;

static void add_known(Known *known, float u, float v, int dark) {
    float *place = known->places + 3 * known->count++;
    place[0] = u;
    place[1] = v;
    place[2] = dark ? -1 : 1;
}

// The light around a symbol counts as far as this, in modules.
#define AROUND 2

static int most_known(int dimension) {
    return dimension * dimension / 2 + 4 * (dimension + 4) * AROUND + 400;
}

static void fill_known(int dimension, uint8_t *kinds, Known *known) {
    known->count = 0;
    tag_layout_fill(dimension, kinds);
    for (int row = 0; row < dimension; row++) {
        for (int column = 0; column < dimension; column++) {
            uint8_t kind = kinds[row * dimension + column];
            if (kind != TAG_MODULE_DARK && kind != TAG_MODULE_LIGHT) continue;
            add_known(known, (float)column + 0.5f, (float)row + 0.5f, kind == TAG_MODULE_DARK);
        }
    }
    for (int i = 0; i < dimension; i++) {
        for (int k = 0; k < AROUND; k++) {
            float along = (float)i + 0.5f, beside = -0.5f - (float)k;
            float beyond = (float)dimension + 0.5f + (float)k;
            add_known(known, along, beside, 0);
            add_known(known, beside, along, 0);
            add_known(known, along, beyond, 0);
            add_known(known, beyond, along, 0);
        }
    }
}

// How much the picture looks like what is known, at every `step`th place: the correlation, -1 to 1.
static float look_alike(const TagScales *scales, const TagProjection *projection,
                        const Known *known, int step, uint32_t level, int light) {
    double sum = 0, squares = 0, both = 0, total = 0, n = 0;
    for (int i = 0; i < known->count; i += step) {
        const float *place = known->places + 3 * i;
        TagPosition at = tag_projection_apply(projection, (double)place[0], (double)place[1]);
        double value = (double)tag_sample(scales, level, at.x, at.y);
        sum += value;
        squares += value * value;
        both += value * (double)place[2];
        total += (double)place[2];
        n += 1;
    }
    double variance = squares - sum * sum / n, models = n - total * total / n;
    if (!(variance > 16 * n)) return 0;
    double correlation = (both - sum * total / n) / sqrt(variance * models);
    return (float)(light ? -correlation : correlation);
}

int tag_outline_project(const TagOutline *outline, TagProjection *projection) {
    double n = outline->dimension;
    TagMatch matches[4] = {{.u = 0, .v = 0}, {.u = n, .v = 0}, {.u = n, .v = n}, {.u = 0, .v = n}};
    for (int i = 0; i < 4; i++) {
        matches[i].x = (double)outline->corners[i].x;
        matches[i].y = (double)outline->corners[i].y;
        matches[i].weight = 1;
    }
    return tag_projection_fit(matches, 4, projection)
        && tag_projection_is_sane(projection, outline->dimension);
}

// The corners of a symbol of this size whose patterns are at these three spots.
static void place_corners(const SpotTriple *triple, int dimension, TagPosition corners[4]) {
    TagPosition a = triple->corner->centre, b = triple->right->centre, c = triple->below->centre;
    float between = (float)dimension - 7, before = -3.5f / between, after = 1 - before;
    for (int i = 0; i < 4; i++) {
        float u = i == 1 || i == 2 ? after : before, v = i >= 2 ? after : before;
        corners[i].x = a.x + u * (b.x - a.x) + v * (c.x - a.x);
        corners[i].y = a.y + u * (b.y - a.y) + v * (c.y - a.y);
    }
}

// Of what is known, one in so many is enough to reject most outlines, and for a first look at the rest.
#define REJECTION_STEP 13
#define FIRST_STEP 3

#define SMALLEST 21
#define LARGEST 85

// Moves the corners until the picture looks most like what is known, first by long steps; gives up where
// they lead to nothing.
static void refine(TagOutline *outline, const TagScales *scales, const Known *known, uint32_t level,
                   float module) {
    // How far the corners move, in modules; of what is known, one in how many counts; and the least score.
    static const struct {
        float step;
        int every;
        float least;
    } stages[] = {{0.8f, FIRST_STEP, 0}, {0.4f, FIRST_STEP, 0.55f}, {0.2f, 1, 0.62f}};
    TagProjection projection;
    for (size_t stage = 0; stage < sizeof stages / sizeof stages[0]; stage++) {
        float step = stages[stage].step;
        int every = stages[stage].every;
        if (!tag_outline_project(outline, &projection)) return;
        outline->score = look_alike(scales, &projection, known, every, level, outline->light);
        if (outline->score < stages[stage].least) return;
        for (int round = 0; round < 3; round++) {
            int moved = 0;
            for (int i = 0; i < 4; i++) {
                for (int direction = 0; direction < 4; direction++) {
                    TagOutline other = *outline;
                    float by = (direction < 2 ? step : -step) * module;
                    if (direction % 2 == 0) other.corners[i].x += by;
                    else other.corners[i].y += by;
                    if (!tag_outline_project(&other, &projection)) continue;
                    other.score = look_alike(scales, &projection, known, every, level, other.light);
                    if (other.score <= outline->score) continue;
                    *outline = other;
                    moved = 1;
                }
            }
            if (!moved) break;
        }
    }
}

// Whether two outlines are of one size and place.
static int are_alike(const TagOutline *one, const TagOutline *other) {
    if (one->dimension != other->dimension || one->light != other->light) return 0;
    for (int i = 0; i < 4; i++) {
        float dx = one->corners[i].x - other->corners[i].x;
        float dy = one->corners[i].y - other->corners[i].y;
        if (!(dx * dx + dy * dy < one->module * one->module)) return 0;
    }
    return 1;
}

static void keep_outline(TagOutlines *outlines, const TagOutline *outline) {
    for (uint32_t i = 0; i < outlines->count; i++) {
        TagOutline *known = &outlines->list[i];
        if (!are_alike(known, outline)) continue;
        if (known->score >= outline->score) return;
        memmove(known, known + 1, (--outlines->count - i) * sizeof *known);
        break;
    }
    uint32_t at = outlines->count < TAG_MOST_OUTLINES ? outlines->count++ : TAG_MOST_OUTLINES;
    if (at == TAG_MOST_OUTLINES && outlines->list[--at].score >= outline->score) return;
    for (; at > 0 && outlines->list[at - 1].score < outline->score; at--) {
        outlines->list[at] = outlines->list[at - 1];
    }
    outlines->list[at] = *outline;
}

// Of wrong outlines, hardly any looks so much like a symbol.
#define LEAST_ALIKE 0.45f
#define LEAST_BRIEFLY_ALIKE 0.25f // where few places are looked at
// Of those that were read, none looked less so in the end.
#define LEAST_REFINED 0.68f

int tag_outlines_find(TagOutlines *outlines, const TagSpots *spots, const TagScales *scales,
                      int is_glance) {
    SpotTriple triples[MOST_SPOT_TRIPLES];
    int count = find_triples(spots, triples);
    if (is_glance && count > MOST_GLANCE_TRIPLES) count = MOST_GLANCE_TRIPLES;
    outlines->count = 0;
    outlines->work = 0;
    uint8_t *kinds = malloc(LARGEST * LARGEST);
    Known known = {0, malloc((size_t)most_known(LARGEST) * 3 * sizeof(float))};
    if (kinds == NULL || known.places == NULL) {
        free(kinds);
        free(known.places);
        return 0;
    }
    for (int dimension = SMALLEST; dimension <= LARGEST; dimension += 4) {
        fill_known(dimension, kinds, &known);
        for (int i = 0; i < count; i++) {
            const SpotTriple *triple = &triples[i];
            float across = hypotf(triple->right->centre.x - triple->corner->centre.x,
                                  triple->right->centre.y - triple->corner->centre.y);
            float module = across / ((float)dimension - 7);
            float size = triple->corner->module / module;
            if (size < 0.33f || size > 1.6f || module < 1.2f) continue;
            TagOutline outline = {.dimension = dimension, .light = triple->corner->light};
            TagProjection projection;
            place_corners(triple, dimension, outline.corners);
            if (!tag_outline_project(&outline, &projection)) continue;
            uint32_t level = tag_level_for(scales, (double)module, 2);
            outlines->work += (uint64_t)known.count / REJECTION_STEP * 8;
            float briefly = look_alike(scales, &projection, &known, REJECTION_STEP, level, outline.light);
            if (briefly < LEAST_BRIEFLY_ALIKE) continue;
            outline.score = look_alike(scales, &projection, &known, FIRST_STEP, level, outline.light);
            outline.module = module;
            outlines->work += (uint64_t)known.count / FIRST_STEP * 8;
            if (outline.score >= LEAST_ALIKE) keep_outline(outlines, &outline);
        }
    }
    TagOutlines found = *outlines;
    outlines->count = 0;
    for (uint32_t i = 0; i < found.count; i++) {
        TagOutline *outline = &found.list[i];
        fill_known(outline->dimension, kinds, &known);
        uint32_t level = tag_level_for(scales, (double)outline->module, 2);
        refine(outline, scales, &known, level, outline->module);
        outlines->work += (uint64_t)known.count * 8 * 16 * 8;
        if (outline->score >= LEAST_REFINED) keep_outline(outlines, outline);
    }
    free(kinds);
    free(known.places);
    return 1;
}
