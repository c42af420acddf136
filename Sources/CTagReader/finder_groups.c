// Which finder patterns belong together: the three corners of a symbol.
//
// Each pattern has a frame of its own: two axes of one module's length. Seen in that frame, a
// neighbour in the same symbol lies straight ahead along one axis, at a whole number of modules, and
// sees the same in its own. Perspective and curvature bend that a little, so the tests are generous;
// what passes is put in order of its penalty, and only the best ones are tried.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_MODULES 9.0f    // between centres; 14 in the smallest symbol, as seen in perspective
#define MOST_MODULES 220.0f   // 170 in the largest
#define PAIR_PENALTY 1.2f     // of two patterns without a third

// A vector in modules of a finder's frame. Returns 0 for a degenerate frame.
static int in_frame(const TagFinder *finder, float dx, float dy, float *p, float *q) {
    float ax = finder->across.x, ay = finder->across.y, bx = finder->down.x, by = finder->down.y;
    float determinant = ax * by - ay * bx;
    if (!(fabsf(determinant) > 1e-6f)) return 0;
    *p = (dx * by - dy * bx) / determinant;
    *q = (dy * ax - dx * ay) / determinant;
    return 1;
}

// One finder seen from another: along which of the four directions of the frame, how far, and how
// much beside the axis.
typedef struct Sight {
    int axis;      // 0 across, 1 down, 2 against across, 3 against down; -1 not along an axis
    float modules;
    float beside;  // a share of `modules`
    int is_near;   // among the nearest along this axis
    int is_behind; // another finder is between the two
} Sight;

static Sight look(const TagFinder *from, const TagFinder *to) {
    Sight sight = {.axis = -1};
    float p, q;
    if (!in_frame(from, to->centre.x - from->centre.x, to->centre.y - from->centre.y, &p, &q))
        return sight;
    float ahead = fabsf(p) > fabsf(q) ? p : q, beside = fabsf(p) > fabsf(q) ? q : p;
    sight.modules = fabsf(ahead);
    if (!(sight.modules > LEAST_MODULES && sight.modules < MOST_MODULES)) return sight;
    sight.beside = fabsf(beside) / sight.modules;
    if (sight.beside > 0.5f) return sight;
    sight.axis = (fabsf(p) > fabsf(q) ? 0 : 1) + (ahead < 0 ? 2 : 0);
    return sight;
}

// Turns a frame by quarters so that what was the direction `axis` becomes `across`, and mirrors it
// where needed so that `down` is to the right hand of `across`, as in a picture whose y grows down.
static TagFinder turned(const TagFinder *finder, int axis) {
    TagFinder result = *finder;
    TagPosition axes[4] = {
        finder->across, finder->down,
        {-finder->across.x, -finder->across.y}, {-finder->down.x, -finder->down.y},
    };
    result.across = axes[axis];
    TagPosition down = axes[(axis + 1) % 4];
    float cross = result.across.x * down.y - result.across.y * down.x;
    result.down = cross >= 0 ? down : (TagPosition){-down.x, -down.y};
    return result;
}

// The frame of a finder turned so that its axes go the way of another's.
static TagFinder turned_like(const TagFinder *finder, const TagFinder *model) {
    int best = 0;
    float most = -INFINITY;
    for (int axis = 0; axis < 4; axis++) {
        TagFinder candidate = turned(finder, axis);
        float agreement =
            (candidate.across.x * model->across.x + candidate.across.y * model->across.y)
                / hypotf(candidate.across.x, candidate.across.y)
            + (candidate.down.x * model->down.x + candidate.down.y * model->down.y)
                  / hypotf(candidate.down.x, candidate.down.y);
        if (agreement > most) {
            most = agreement;
            best = axis;
        }
    }
    return turned(finder, best);
}

static float ratio(float a, float b) {
    float greater = a > b ? a : b, less = a > b ? b : a;
    return less > 0 ? greater / less : 1000;
}

// Beyond these a group is not worth a look: among a thousand symbols that were read, none had more.
#define MOST_PENALTY 1.8f
#define MOST_PAIR_PENALTY 2.1f

// Triples that are looked at: a picture of nothing but finder patterns has millions.
#define MOST_TRIPLES 120000

// For each side on which another finder is in the way.
#define BEHIND_PENALTY 0.4f

// Keeps the groups in order of their penalty; a full list drops its last.
static void keep(TagGroups *groups, const TagGroup *group) {
    if (!(group->penalty < (group->missing ? MOST_PAIR_PENALTY : MOST_PENALTY))) return;
    if (group->penalty < groups->least_penalty) return;
    uint32_t at = groups->count;
    if (at == TAG_MOST_GROUPS) {
        groups->is_cut = 1;
        if (groups->list[at - 1].penalty <= group->penalty) return;
        at--;
    } else {
        groups->count++;
    }
    while (at > 0 && groups->list[at - 1].penalty > group->penalty) {
        groups->list[at] = groups->list[at - 1];
        at--;
    }
    groups->list[at] = *group;
}

static void consider(const TagFinders *finders, const Sight *sights, uint32_t corner, uint32_t one,
                     uint32_t other, TagGroups *groups) {
    uint32_t count = finders->count;
    const Sight *to_one = &sights[corner * count + one],
                *to_other = &sights[corner * count + other];
    if ((to_one->axis ^ to_other->axis) % 2 == 0) return; // along the same axis
    const TagFinder *list = finders->list;
    float x1 = list[one].centre.x - list[corner].centre.x,
          y1 = list[one].centre.y - list[corner].centre.y;
    float x2 = list[other].centre.x - list[corner].centre.x,
          y2 = list[other].centre.y - list[corner].centre.y;
    if (x1 * y2 - y1 * x2 < 0) return; // the pair is looked at the other way round as well
    const Sight *from_one = &sights[one * count + corner],
                *from_other = &sights[other * count + corner];
    float right = 2 / (1 / to_one->modules + 1 / from_one->modules);
    float below = 2 / (1 / to_other->modules + 1 / from_other->modules);
    float sides = ratio(right, below);
    if (sides > 1.7f) return;
    float sizes = ratio(list[one].module, list[corner].module)
                  * ratio(list[other].module, list[corner].module);
    if (sizes > 5) return;
    TagGroup group = {
        .indexes = {(uint16_t)corner, (uint16_t)one, (uint16_t)other},
        .light = list[corner].light,
        .modules = (right + below) / 2,
    };
    group.corner = turned(&list[corner], to_one->axis);
    group.right = turned_like(&list[one], &group.corner);
    group.below = turned_like(&list[other], &group.corner);
    // Each must see the corner straight behind or above itself.
    if (look(&group.right, &group.corner).axis != 2 || look(&group.below, &group.corner).axis != 3)
        return;
    group.penalty = (sides - 1) + 0.3f * (sizes - 1)
        + to_one->beside + from_one->beside + to_other->beside + from_other->beside
        + 0.5f * (3 - list[corner].quality - list[one].quality - list[other].quality);
    // A symbol has nothing in the way between its finders; where there is another finder, the
    // three are of different symbols. The nearer ones are to be tried first.
    group.penalty += 0.002f * group.modules
        + BEHIND_PENALTY * (float)(to_one->is_behind + to_other->is_behind);
    keep(groups, &group);
}

// Pairs of which the third is missing: covered, torn off or washed out by light. Either side of the
// line between them may be the inside of the symbol, and either of them its corner.
static void consider_side(const TagFinders *finders, const Sight *sights, uint32_t one,
                          uint32_t other, TagGroups *groups) {
    const Sight *there = &sights[one * finders->count + other],
                *back = &sights[other * finders->count + one];
    if (there->beside > 0.25f || back->beside > 0.25f) return;
    const TagFinder *list = finders->list;
    float size = ratio(list[one].module, list[other].module);
    if (size > 2) return;
    TagGroup group = {
        .indexes = {(uint16_t)one, (uint16_t)other, (uint16_t)one},
        .light = list[one].light,
        .missing = 4,
        .modules = 2 / (1 / there->modules + 1 / back->modules),
    };
    // The line is the upper side of a symbol below it ...
    group.corner = turned(&list[one], there->axis);
    group.right = turned_like(&list[other], &group.corner);
    group.below = group.corner;
    if (look(&group.right, &group.corner).axis != 2) return;
    group.penalty = PAIR_PENALTY + 0.3f * (size - 1) + there->beside + back->beside
        + 0.5f * (2 - list[one].quality - list[other].quality) + 0.002f * group.modules
        + BEHIND_PENALTY * (float)there->is_behind;
    keep(groups, &group);
    // ... or, turned by a quarter, its left side.
    TagGroup left = group;
    left.missing = 2;
    left.indexes[0] = (uint16_t)other;
    left.indexes[1] = (uint16_t)other;
    left.indexes[2] = (uint16_t)one;
    left.corner = group.right;
    left.below = group.corner;
    // Turned back by a quarter: what went from `one` to `other` goes up in this symbol.
    TagFinder *turn[2] = {&left.corner, &left.below};
    for (int i = 0; i < 2; i++) {
        TagPosition across = turn[i]->across, down = turn[i]->down;
        turn[i]->across = down;
        turn[i]->down = (TagPosition){-across.x, -across.y};
    }
    left.right = left.corner;
    keep(groups, &left);
}

// Two patterns at opposite corners, with the corner between them missing.
static void consider_diagonal(const TagFinders *finders, uint32_t right, uint32_t below,
                              TagGroups *groups) {
    const TagFinder *list = finders->list;
    float dx = list[below].centre.x - list[right].centre.x,
          dy = list[below].centre.y - list[right].centre.y;
    float p, q, p2, q2;
    if (ratio(list[right].module, list[below].module) > 1.6f) return;
    if (!in_frame(&list[right], dx, dy, &p, &q) || !in_frame(&list[below], -dx, -dy, &p2, &q2))
        return;
    float lopsided = ratio(fabsf(p), fabsf(q)), lopsided_back = ratio(fabsf(p2), fabsf(q2));
    if (lopsided > 1.35f || lopsided_back > 1.35f) return;
    TagGroup group = {
        .indexes = {(uint16_t)right, (uint16_t)right, (uint16_t)below},
        .light = list[right].light,
        .missing = 1,
        .modules = (fabsf(p) + fabsf(q) + fabsf(p2) + fabsf(q2)) / 4,
    };
    if (group.modules < LEAST_MODULES || group.modules > MOST_MODULES) return;
    // From the right, the one below is against `across` and along `down`.
    for (int axis = 0; axis < 4; axis++) {
        TagFinder candidate = turned(&list[right], axis);
        if (in_frame(&candidate, dx, dy, &p, &q) && p < 0 && q > 0) group.right = candidate;
    }
    group.below = turned_like(&list[below], &group.right);
    group.corner = group.right;
    group.penalty = PAIR_PENALTY + 0.2f + lopsided + lopsided_back - 2 + 0.002f * group.modules
        + 0.5f * (2 - list[right].quality - list[below].quality);
    keep(groups, &group);
}

// How every finder sees every other: from `i` to `k` at i * count + k. Used ones neither see nor are
// seen.
static void look_around(const TagFinders *finders, const uint8_t *used, Sight *sights) {
    uint32_t count = finders->count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count; k++) {
            const TagFinder *from = &finders->list[i], *to = &finders->list[k];
            int alike = i != k && from->light == to->light && !used[i] && !used[k]
                && ratio(from->module, to->module) <= 3.5f;
            sights[i * count + k] = alike ? look(from, to) : (Sight){.axis = -1};
        }
    }
}

// Whether each of two finders sees the other along an axis, at about the same distance.
static int see_each_other(const Sight *sights, uint32_t count, uint32_t one, uint32_t other) {
    const Sight *there = &sights[one * count + other], *back = &sights[other * count + one];
    return there->axis >= 0 && back->axis >= 0 && ratio(there->modules, back->modules) <= 2.6f;
}

#define FINDER_MODULES 7.0f

// Whether a finder seen from `corner` lies on the straight line to one behind it, apart from both.
static int is_between(const TagFinders *finders, const Sight *seen, uint32_t corner,
                      uint32_t nearer, uint32_t farther) {
    const TagFinder *from = &finders->list[corner], *to = &finders->list[farther],
                    *middle = &finders->list[nearer];
    if (seen[nearer].modules > seen[farther].modules - FINDER_MODULES) return 0;
    if (ratio(middle->module, from->module) > 2) return 0;
    float p, q, p2, q2;
    if (!in_frame(from, to->centre.x - from->centre.x, to->centre.y - from->centre.y, &p, &q)
        || !in_frame(from, middle->centre.x - from->centre.x, middle->centre.y - from->centre.y,
                     &p2, &q2)) {
        return 0;
    }
    return fabsf(p * q2 - q * p2) < FINDER_MODULES / 2 * hypotf(p, q);
}

// Marks, of all that one finder sees, the nearest along each axis, and what is behind another. In a
// crowd the partners of a symbol are near: this way every finder comes to its turn.
static void choose_near(const TagFinders *finders, Sight *sights, uint32_t corner, uint32_t most,
                        TagGroups *groups) {
    uint32_t count = finders->count;
    Sight *seen = &sights[corner * count];
    uint16_t nearest[4][TAG_MOST_FINDERS];
    uint32_t counts[4] = {0};
    for (uint32_t k = 0; k < count; k++) {
        if (!see_each_other(sights, count, corner, k)) continue;
        uint16_t *list = nearest[seen[k].axis];
        uint32_t *length = &counts[seen[k].axis], at = *length;
        while (at > 0 && seen[list[at - 1]].modules > seen[k].modules) at--;
        if (*length < most) {
            *length += 1;
        } else {
            groups->is_cut = 1;
            if (at == most) continue;
        }
        memmove(&list[at + 1], &list[at], (*length - 1 - at) * sizeof *list);
        list[at] = (uint16_t)k;
    }
    for (int axis = 0; axis < 4; axis++) {
        for (uint32_t i = 0; i < counts[axis]; i++) {
            Sight *sight = &seen[nearest[axis][i]];
            sight->is_near = 1;
            for (uint32_t k = 0; k < i && !sight->is_behind; k++) {
                sight->is_behind =
                    is_between(finders, seen, corner, nearest[axis][k], nearest[axis][i]);
            }
        }
    }
}

// How many finders are looked at along each axis of one, so that the triples of all are not too many:
// each of the four pairs of neighbouring axes is looked at in both orders.
static uint32_t most_near(uint32_t count) {
    uint32_t most = 1;
    while (most < count && (most + 1) * (most + 1) * 8 * count <= MOST_TRIPLES) most++;
    return most;
}

void tag_groups_make(const TagFinders *finders, const uint8_t *used, float least_penalty,
                     TagGroups *groups) {
    uint32_t count = finders->count;
    groups->count = 0;
    groups->is_cut = 0;
    groups->least_penalty = least_penalty;
    if (count < 2) return;
    Sight *sights = malloc((size_t)count * count * sizeof *sights);
    if (sights == NULL) return;
    look_around(finders, used, sights);
    uint32_t most = most_near(count);
    for (uint32_t corner = 0; corner < count; corner++) {
        choose_near(finders, sights, corner, most, groups);
    }
    for (uint32_t corner = 0; corner < count; corner++) {
        const Sight *seen = &sights[corner * count];
        for (uint32_t one = 0; one < count; one++) {
            if (!seen[one].is_near) continue;
            consider_side(finders, sights, corner, one, groups);
            for (uint32_t other = 0; other < count; other++) {
                if (other == one || !seen[other].is_near) continue;
                consider(finders, sights, corner, one, other, groups);
            }
        }
    }
    for (uint32_t one = 0; one < count; one++) {
        for (uint32_t other = 0; other < count; other++) {
            if (one != other && finders->list[one].light == finders->list[other].light
                && !used[one] && !used[other]) {
                consider_diagonal(finders, one, other, groups);
            }
        }
    }
    free(sights);
}
