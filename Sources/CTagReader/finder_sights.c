// How finder patterns see one another: each in its own frame of two axes, one module long.

#include "tag_finding.h"

#include <math.h>
#include <string.h>

// Triples that are looked at: a picture of nothing but finder patterns has millions.
#define MOST_TRIPLES 120000

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

static void look_around(const TagFinders *finders, const uint8_t *used, TagSight *sights) {
    uint32_t count = finders->count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count; k++) {
            const TagFinder *from = &finders->list[i], *to = &finders->list[k];
            int alike = i != k && from->light == to->light && !used[i] && !used[k]
                && tag_ratio(from->module, to->module) <= 3.5f;
            sights[i * count + k] = alike ? tag_sight(from, to) : (TagSight){.axis = -1};
        }
    }
}

// Whether each of two finders sees the other along an axis, at about the same distance.
static int see_each_other(const TagSight *sights, uint32_t count, uint32_t one, uint32_t other) {
    const TagSight *there = &sights[one * count + other], *back = &sights[other * count + one];
    return there->axis >= 0 && back->axis >= 0 && tag_ratio(there->modules, back->modules) <= 2.6f;
}

#define FINDER_MODULES 7.0f // a side

// Whether a finder seen from `corner` lies on the straight line to one behind it, apart from both.
static int is_between(const TagFinders *finders, const TagSight *seen, uint32_t corner,
                      uint32_t nearer, uint32_t farther) {
    const TagFinder *from = &finders->list[corner], *to = &finders->list[farther],
                    *middle = &finders->list[nearer];
    if (seen[nearer].modules > seen[farther].modules - FINDER_MODULES) return 0;
    if (tag_ratio(middle->module, from->module) > 2) return 0;
    float p, q, p2, q2;
    if (!tag_in_frame(from, to->centre.x - from->centre.x, to->centre.y - from->centre.y, &p, &q)
        || !tag_in_frame(from, middle->centre.x - from->centre.x, middle->centre.y - from->centre.y,
                     &p2, &q2)) {
        return 0;
    }
    return fabsf(p * q2 - q * p2) < FINDER_MODULES / 2 * hypotf(p, q);
}

// Marks, of all that one finder sees, the nearest along each axis, and what is behind another. In a
// crowd the partners of a symbol are near: this way every finder comes to its turn. Returns whether
// any were left out.
static int choose_near(const TagFinders *finders, TagSight *sights, uint32_t corner,
                       uint32_t most) {
    uint32_t count = finders->count;
    TagSight *seen = &sights[corner * count];
    uint16_t nearest[4][TAG_MOST_FINDERS];
    uint32_t counts[4] = {0};
    int is_cut = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (!see_each_other(sights, count, corner, k)) continue;
        uint16_t *list = nearest[seen[k].axis];
        uint32_t *length = &counts[seen[k].axis], at = *length;
        while (at > 0 && seen[list[at - 1]].modules > seen[k].modules) at--;
        if (*length < most) {
            *length += 1;
        } else {
            is_cut = 1;
            if (at == most) continue;
        }
        memmove(&list[at + 1], &list[at], (*length - 1 - at) * sizeof *list);
        list[at] = (uint16_t)k;
    }
    for (int axis = 0; axis < 4; axis++) {
        for (uint32_t i = 0; i < counts[axis]; i++) {
            TagSight *sight = &seen[nearest[axis][i]];
            sight->is_near = 1;
            for (uint32_t k = 0; k < i && !sight->is_behind; k++) {
                sight->is_behind =
                    is_between(finders, seen, corner, nearest[axis][k], nearest[axis][i]);
            }
        }
    }
    return is_cut;
}

// How many finders are looked at along each axis of one, so that the triples of all are not too many:
// each of the four pairs of neighbouring axes is looked at in both orders.
static uint32_t most_near(uint32_t count) {
    uint32_t most = 1;
    while (most < count && (most + 1) * (most + 1) * 8 * count <= MOST_TRIPLES) most++;
    return most;
}

int tag_sights_make(const TagFinders *finders, const uint8_t *used, TagSight *sights) {
    uint32_t count = finders->count, most = most_near(count);
    int is_cut = 0;
    look_around(finders, used, sights);
    for (uint32_t corner = 0; corner < count; corner++) {
        is_cut |= choose_near(finders, sights, corner, most);
    }
    return is_cut;
}
