// How finder patterns see one another: each in its own frame of two axes, one module long.

#include "tag_finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The most triples that are considered: a picture full of finder patterns has millions.
#define MOST_TRIPLES 120000

// Even in a crowd, each finder sees this many along each axis: the partners of a symbol are among them.
#define LEAST_NEAR 6

int tag_in_frame(const TagFinder *finder, float dx, float dy, float *p, float *q) {
    float ax = finder->across.x, ay = finder->across.y, bx = finder->down.x, by = finder->down.y;
    float determinant = ax * by - ay * bx;
    if (!(fabsf(determinant) > 1e-6f)) return 0;
    *p = (dx * by - dy * bx) / determinant;
    *q = (dy * ax - dx * ay) / determinant;
    return 1;
}

TagSight tag_sight(const TagFinder *from, const TagFinder *to) {
    TagSight sight = {.axis = -1};
    float p, q;
    if (!tag_in_frame(from, to->centre.x - from->centre.x, to->centre.y - from->centre.y, &p, &q))
        return sight;
    float ahead = fabsf(p) > fabsf(q) ? p : q, beside = fabsf(p) > fabsf(q) ? q : p;
    sight.modules = fabsf(ahead);
    if (!(sight.modules > TAG_LEAST_SEEN_MODULES && sight.modules < TAG_MOST_SEEN_MODULES))
        return sight;
    sight.beside = fabsf(beside) / sight.modules;
    if (sight.beside > 0.5f) return sight;
    sight.axis = (fabsf(p) > fabsf(q) ? 0 : 1) + (ahead < 0 ? 2 : 0);
    return sight;
}

float tag_ratio(float a, float b) {
    float greater = a > b ? a : b, less = a > b ? b : a;
    return less > 0 ? greater / less : 1000;
}

// Whether each of two finders sees the other along an axis, at about the same distance.
static int see_each_other(const TagFinder *from, const TagFinder *to, TagNear *near) {
    near->back = tag_sight(to, from);
    return near->back.axis >= 0 && tag_ratio(near->there.modules, near->back.modules) <= 2.6f;
}

#define FINDER_MODULES 7.0f // a side

// Whether a finder seen from `from` lies on the straight line to one behind it, separate from both.
static int is_between(const TagFinders *finders, const TagFinder *from, const TagNear *nearer,
                      const TagNear *farther) {
    const TagFinder *to = &finders->list[farther->index], *middle = &finders->list[nearer->index];
    if (nearer->there.modules > farther->there.modules - FINDER_MODULES) return 0;
    if (tag_ratio(middle->module, from->module) > 2) return 0;
    float p, q, p2, q2;
    if (!tag_in_frame(from, to->centre.x - from->centre.x, to->centre.y - from->centre.y, &p, &q)
        || !tag_in_frame(from, middle->centre.x - from->centre.x, middle->centre.y - from->centre.y,
                     &p2, &q2)) {
        return 0;
    }
    return fabsf(p * q2 - q * p2) < FINDER_MODULES / 2 * hypotf(p, q);
}

static int by_index(const void *left, const void *right) {
    const TagNear *a = left, *b = right;
    return (int)a->index - (int)b->index;
}

// Chooses the nearest of all finders that one sees along each axis, and marks those behind another.
// In a crowd the partners of a symbol are near, so every finder gets its turn. `near` has room for
// `most` along each axis. Returns their number.
static uint32_t choose_near(const TagFinders *finders, const uint8_t *used, uint32_t corner,
                            uint32_t most, TagNear *near, int *is_cut) {
    const TagFinder *from = &finders->list[corner];
    uint32_t counts[4] = {0};
    for (uint32_t k = 0; k < finders->count; k++) {
        const TagFinder *to = &finders->list[k];
        if (k == corner || from->light != to->light || used[k]
            || tag_ratio(from->module, to->module) > 3.5f) {
            continue;
        }
        TagNear seen = {.index = (uint16_t)k, .there = tag_sight(from, to)};
        if (seen.there.axis < 0) continue;
        TagNear *list = near + (uint32_t)seen.there.axis * most;
        uint32_t *length = &counts[seen.there.axis], at = *length;
        int is_far = at == most && list[most - 1].there.modules <= seen.there.modules;
        if ((is_far && *is_cut) || !see_each_other(from, to, &seen)) continue;
        if (*length < most) {
            *length += 1;
        } else {
            *is_cut = 1;
            if (is_far) continue;
        }
        while (at > 0 && list[at - 1].there.modules > seen.there.modules) at--;
        memmove(&list[at + 1], &list[at], (*length - 1 - at) * sizeof *list);
        list[at] = seen;
    }
    uint32_t count = 0;
    for (uint32_t axis = 0; axis < 4; axis++) {
        TagNear *list = near + axis * most;
        for (uint32_t i = 0; i < counts[axis]; i++) {
            for (uint32_t k = 0; k < i && !list[i].is_behind; k++) {
                list[i].is_behind = (uint8_t)is_between(finders, from, &list[k], &list[i]);
            }
        }
        memmove(near + count, list, counts[axis] * sizeof *list);
        count += counts[axis];
    }
    if (count > 1) qsort(near, count, sizeof *near, by_index);
    return count;
}

// The number of finders to consider along each axis of one, which limits the number of all triples:
// each of the four pairs of neighbouring axes is considered in both orders.
static uint32_t most_near(uint32_t count) {
    uint32_t most = 1;
    while (most < count && (most < LEAST_NEAR || (most + 1) * (most + 1) * 8 * count <= MOST_TRIPLES))
        most++;
    return most;
}

int tag_neighbours_make(const TagFinders *finders, const uint8_t *used, TagNeighbours *neighbours) {
    uint32_t count = finders->count, most = most_near(count);
    *neighbours = (TagNeighbours){.stride = 4 * most};
    neighbours->counts = calloc(count, sizeof *neighbours->counts);
    neighbours->list = malloc((size_t)count * neighbours->stride * sizeof *neighbours->list);
    if (neighbours->counts == NULL || neighbours->list == NULL) {
        tag_neighbours_free(neighbours);
        return 0;
    }
    for (uint32_t corner = 0; corner < count; corner++) {
        if (used[corner]) continue;
        TagNear *near = neighbours->list + (size_t)corner * neighbours->stride;
        neighbours->counts[corner] =
            (uint16_t)choose_near(finders, used, corner, most, near, &neighbours->is_cut);
    }
    return 1;
}

void tag_neighbours_free(TagNeighbours *neighbours) {
    free(neighbours->counts);
    free(neighbours->list);
}
