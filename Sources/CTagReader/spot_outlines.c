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

typedef struct SpotTriples {
    int count, most;
    SpotTriple list[120]; // the best ones, the best first
} SpotTriples;

#define MOST_GLANCE_TRIPLES 40
#define MOST_GLANCE_SPOTS 40
#define MOST_SPOT_RATIO 1.6f
#define MOST_SIDE_RATIO 1.6f
#define MOST_COSINE 0.5f

static float least_kept(const SpotTriples *triples) {
    return triples->count < triples->most ? -INFINITY : triples->list[triples->most - 1].score;
}

// Keeps a triple that is better than the least one.
static void keep_triple(SpotTriples *triples, SpotTriple triple) {
    SpotTriple *list = triples->list;
    int at = triples->count < triples->most ? triples->count++ : triples->most - 1;
    for (; at > 0 && list[at - 1].score < triple.score; at--) list[at] = list[at - 1];
    list[at] = triple;
}

// A spot as another one may see it: where it is from there, and how far.
typedef struct SpotNear {
    const TagSpot *spot;
    float x, y, apart, size; // the ratio of their modules
} SpotNear;

static int find_near(const TagSpots *spots, const TagSpot *corner, SpotNear *near) {
    int count = 0;
    for (uint32_t i = 0; i < spots->count; i++) {
        const TagSpot *spot = &spots->list[i];
        if (spot == corner || spot->light != corner->light) continue;
        float x = spot->centre.x - corner->centre.x, y = spot->centre.y - corner->centre.y;
        float size = tag_ratio(spot->module, corner->module);
        if (size > MOST_SPOT_RATIO) continue;
        near[count++] = (SpotNear){spot, x, y, hypotf(x, y), size};
    }
    return count;
}

static int is_better_spot(const void *one, const void *other) {
    float a = ((const TagSpot *)one)->score, b = ((const TagSpot *)other)->score;
    return (a < b) - (a > b);
}

// The best spots come first: the search for more ends where even a perfect triple would not be kept.
static void find_triples(const TagSpots *spots, SpotTriples *triples) {
    SpotNear near[TAG_MOST_SPOTS];
    for (uint32_t a = 0; a < spots->count; a++) {
        const TagSpot *corner = &spots->list[a];
        int others = find_near(spots, corner, near);
        for (int b = 0; b < others; b++) {
            const SpotNear *right = &near[b];
            if (right->apart < 5 * corner->module) continue;
            float both = corner->score + right->spot->score;
            for (int c = 0; c < others; c++) {
                const SpotNear *below = &near[c];
                if (both + below->spot->score <= least_kept(triples)) break;
                // Most are ruled out here, without a division; so is the right one itself.
                if (right->x * below->y - right->y * below->x <= 0) continue;
                float across = right->apart, down = below->apart;
                if (!(across < MOST_SIDE_RATIO * down && down < MOST_SIDE_RATIO * across)) continue;
                float along = fabsf(right->x * below->x + right->y * below->y);
                if (along > MOST_COSINE * across * down) continue;
                float score = both + below->spot->score - 0.5f * (tag_ratio(across, down) - 1)
                    - 0.5f * along / (across * down) - 0.2f * (right->size + below->size - 2);
                if (score <= least_kept(triples)) continue;
                keep_triple(triples, (SpotTriple){corner, right->spot, below->spot, score});
            }
        }
    }
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

#define BLOCK 64

// Where some of the places that are known lie on a plane, and how bright it is there: in steps of their own, so that
// compilers can vectorise all but the one that fetches pixels.
typedef struct Block {
    float u[BLOCK], v[BLOCK], x[BLOCK], y[BLOCK];
    int32_t columns[BLOCK], rows[BLOCK], pixels[4][BLOCK]; // the pixels around each place
    float values[BLOCK];
} Block;

static void place_block(Block *block, int count, const TagProjection *projection, double size) {
    const double *m = projection->m;
    if (m[6] == 0 && m[7] == 0) { // as at a first look: without a division for each
        double by = size / m[8];
        for (int i = 0; i < count; i++) {
            double u = (double)block->u[i], v = (double)block->v[i];
            block->x[i] = (float)((m[0] * u + m[1] * v + m[2]) * by);
            block->y[i] = (float)((m[3] * u + m[4] * v + m[5]) * by);
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        double u = (double)block->u[i], v = (double)block->v[i];
        double by = size / (m[6] * u + m[7] * v + m[8]);
        block->x[i] = (float)((m[0] * u + m[1] * v + m[2]) * by);
        block->y[i] = (float)((m[3] * u + m[4] * v + m[5]) * by);
    }
}

// What tag_plane_sample gives for the first `count` places.
static void sample_block(Block *block, const TagPlane *plane, int count) {
    float right = (float)(plane->width - 1), bottom = (float)(plane->height - 1);
    for (int i = 0; i < count; i++) {
        float x = block->x[i] - 0.5f, y = block->y[i] - 0.5f;
        x = x > 0 ? (x < right ? x : right) : 0;
        y = y > 0 ? (y < bottom ? y : bottom) : 0;
        block->columns[i] = (int32_t)x;
        block->rows[i] = (int32_t)y;
        block->x[i] = x - (float)block->columns[i];
        block->y[i] = y - (float)block->rows[i];
    }
    for (int i = 0; i < count; i++) {
        uint32_t column = (uint32_t)block->columns[i], row = (uint32_t)block->rows[i];
        uint32_t next = column + 1 < plane->width ? 1 : 0;
        const uint8_t *above = plane->pixels + (size_t)row * plane->width + column;
        const uint8_t *below = row + 1 < plane->height ? above + plane->width : above;
        block->pixels[0][i] = above[0];
        block->pixels[1][i] = above[next];
        block->pixels[2][i] = below[0];
        block->pixels[3][i] = below[next];
    }
    for (int i = 0; i < count; i++) {
        float a = (float)block->pixels[0][i], b = (float)block->pixels[1][i];
        float c = (float)block->pixels[2][i], d = (float)block->pixels[3][i];
        float upper = a + (b - a) * block->x[i], lower = c + (d - c) * block->x[i];
        block->values[i] = upper + (lower - upper) * block->y[i];
    }
}

// How much the picture looks like what is known, at every `step`th place: the correlation, -1 to 1. The
// projection is sane, so no place is near the horizon; that and the level are seen to once, not for each place.
static float look_alike(const TagScales *scales, const TagProjection *projection,
                        const Known *known, int step, uint32_t level, int light) {
    double sum = 0, squares = 0, both = 0, total = 0, n = 0;
    Block block;
    for (int first = 0; first < known->count; first += step * BLOCK) {
        const float *places = known->places + 3 * first;
        int count = (known->count - first + step - 1) / step;
        if (count > BLOCK) count = BLOCK;
        for (int i = 0; i < count; i++) {
            block.u[i] = places[3 * step * i];
            block.v[i] = places[3 * step * i + 1];
        }
        place_block(&block, count, projection, 1.0 / (double)(1u << level));
        sample_block(&block, &scales->level[level], count);
        for (int i = 0; i < count; i++) {
            double value = (double)block.values[i], light_there = (double)places[3 * step * i + 2];
            sum += value;
            squares += value * value;
            both += value * light_there;
            total += light_there;
        }
        n += count;
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

// Where the modules of a symbol of this size are whose patterns are at these three spots, as far as three
// places tell.
static TagProjection project_evenly(const SpotTriple *triple, int dimension) {
    TagPosition a = triple->corner->centre, b = triple->right->centre, c = triple->below->centre;
    double between = dimension - 7;
    double across[2] = {(double)(b.x - a.x) / between, (double)(b.y - a.y) / between};
    double down[2] = {(double)(c.x - a.x) / between, (double)(c.y - a.y) / between};
    return (TagProjection){{
        across[0], down[0], (double)a.x - 3.5 * (across[0] + down[0]),
        across[1], down[1], (double)a.y - 3.5 * (across[1] + down[1]),
        0, 0, 1,
    }};
}

static void place_corners(const TagProjection *projection, int dimension, TagPosition corners[4]) {
    for (int i = 0; i < 4; i++) {
        corners[i] = tag_projection_apply(projection, i == 1 || i == 2 ? dimension : 0,
                                          i >= 2 ? dimension : 0);
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

int tag_outlines_find(TagOutlines *outlines, TagSpots *spots, const TagScales *scales, int is_glance) {
    SpotTriples triples;
    triples.count = 0;
    triples.most = is_glance ? MOST_GLANCE_TRIPLES : (int)(sizeof triples.list / sizeof triples.list[0]);
    qsort(spots->list, spots->count, sizeof spots->list[0], is_better_spot);
    if (is_glance && spots->count > MOST_GLANCE_SPOTS) spots->count = MOST_GLANCE_SPOTS;
    find_triples(spots, &triples);
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
        for (int i = 0; i < triples.count; i++) {
            const SpotTriple *triple = &triples.list[i];
            float across = hypotf(triple->right->centre.x - triple->corner->centre.x,
                                  triple->right->centre.y - triple->corner->centre.y);
            float module = across / ((float)dimension - 7);
            float size = triple->corner->module / module;
            if (size < 0.33f || size > 1.6f || module < 1.2f) continue;
            TagOutline outline = {.dimension = dimension, .light = triple->corner->light};
            TagProjection projection = project_evenly(triple, dimension);
            if (!tag_projection_is_sane(&projection, dimension)) continue;
            place_corners(&projection, dimension, outline.corners);
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
