// Groups finder patterns that belong together: the three corners of a symbol.
//
// Each pattern has its own frame: two axes of one module's length. In that frame, a neighbour in
// the same symbol lies straight ahead along one axis, at an integer number of modules, and the same
// is true the other way round. Perspective and curvature bend that a little, so the tests are
// generous. The remaining groups are sorted by penalty, and only the best ones are tried.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>

#define PAIR_PENALTY 1.2f // of two patterns without a third

// Turns a frame by quarters so that the direction `axis` becomes `across`. Mirrors it if necessary,
// so that `down` is to the right of `across`, as in a picture whose y grows downwards.
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

// Turns the frame of a finder so that its axes agree with another's.
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

// Groups with more than this are not tried: among a thousand symbols that were read, none had more.
#define MOST_PENALTY 1.8f
#define MOST_PAIR_PENALTY 2.1f

// For each side on which another finder lies between.
#define BEHIND_PENALTY 0.4f

static int by_penalty(const void *left, const void *right) {
    const TagGroup *a = left, *b = right;
    if (a->penalty != b->penalty) return a->penalty < b->penalty ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void sort_groups(TagGroups *groups) {
    if (groups->count > 1) qsort(groups->list, groups->count, sizeof *groups->list, by_penalty);
}

// The limits of a sure group. Symbols on sheets, also turned and seen from the side, have half of it.
#define MOST_SURE_PENALTY 1.0f
#define MOST_SURE_PAIR_PENALTY 1.6f

// Whether a group is sure: finders form many groups with false patterns in noise beside them.
static int is_sure(const TagGroup *group) {
    if (group->penalty > (group->missing ? MOST_SURE_PAIR_PENALTY : MOST_SURE_PENALTY)) return 0;
    int good = tag_finder_is_good(&group->corner) + tag_finder_is_good(&group->right)
        + tag_finder_is_good(&group->below);
    return good >= (group->missing ? 3 : 2);
}

// Keeps a group; a full list drops its worse half.
static void keep_group(TagGroups *groups, const TagGroup *group) {
    if (!(group->penalty < (group->missing ? MOST_PAIR_PENALTY : MOST_PENALTY))) return;
    if (group->penalty < groups->wanted.least_penalty) return;
    if (groups->wanted.is_sure && !is_sure(group)) return;
    if (group->penalty >= groups->most_penalty) {
        groups->is_cut = 1;
        return;
    }
    if (groups->count == groups->room) {
        sort_groups(groups);
        groups->count /= 2;
        groups->most_penalty = groups->list[groups->count].penalty;
        groups->is_cut = 1;
        if (group->penalty >= groups->most_penalty) return;
    }
    TagGroup *kept = &groups->list[groups->count++];
    *kept = *group;
    kept->number = groups->considered++;
}

static void consider_pair(const TagFinders *finders, uint32_t corner, const TagNear *near_one,
                          const TagNear *near_other, TagGroups *groups) {
    const TagSight *to_one = &near_one->there, *to_other = &near_other->there;
    uint32_t one = near_one->index, other = near_other->index;
    if ((to_one->axis ^ to_other->axis) % 2 == 0) return; // both along the same axis
    const TagFinder *list = finders->list;
    float x1 = list[one].centre.x - list[corner].centre.x,
          y1 = list[one].centre.y - list[corner].centre.y;
    float x2 = list[other].centre.x - list[corner].centre.x,
          y2 = list[other].centre.y - list[corner].centre.y;
    if (x1 * y2 - y1 * x2 < 0) return; // the pair is considered the other way round too
    const TagSight *from_one = &near_one->back, *from_other = &near_other->back;
    float right = 2 / (1 / to_one->modules + 1 / from_one->modules);
    float below = 2 / (1 / to_other->modules + 1 / from_other->modules);
    float sides = tag_ratio(right, below);
    if (sides > 1.7f) return;
    float sizes = tag_ratio(list[one].module, list[corner].module)
                  * tag_ratio(list[other].module, list[corner].module);
    if (sizes > 5) return;
    TagGroup group = {
        .indexes = {(uint16_t)corner, (uint16_t)one, (uint16_t)other},
        .light = list[corner].light,
        .modules = (right + below) / 2,
    };
    group.corner = turned(&list[corner], to_one->axis);
    group.right = turned_like(&list[one], &group.corner);
    group.below = turned_like(&list[other], &group.corner);
    // Each must see the corner straight behind or above it.
    if (tag_sight(&group.right, &group.corner).axis != 2
        || tag_sight(&group.below, &group.corner).axis != 3) {
        return;
    }
    group.penalty = (sides - 1) + 0.3f * (sizes - 1)
        + to_one->beside + from_one->beside + to_other->beside + from_other->beside
        + 0.5f * (3 - list[corner].quality - list[one].quality - list[other].quality);
    // Nothing lies between the finders of a symbol. If another finder does, the three belong to
    // different symbols. Nearer ones are tried first.
    group.penalty += 0.002f * group.modules
        + BEHIND_PENALTY * (float)(near_one->is_behind + near_other->is_behind);
    keep_group(groups, &group);
}

// Considers pairs whose third pattern is missing: covered, torn off or washed out by light. The
// inside of the symbol may be on either side of the line between them, and either of them may be
// its corner.
static void consider_side(const TagFinders *finders, uint32_t one, const TagNear *near,
                          TagGroups *groups) {
    const TagSight *there = &near->there, *back = &near->back;
    uint32_t other = near->index;
    if (there->beside > 0.25f || back->beside > 0.25f) return;
    const TagFinder *list = finders->list;
    float size = tag_ratio(list[one].module, list[other].module);
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
    if (tag_sight(&group.right, &group.corner).axis != 2) return;
    group.penalty = PAIR_PENALTY + 0.3f * (size - 1) + there->beside + back->beside
        + 0.5f * (2 - list[one].quality - list[other].quality) + 0.002f * group.modules
        + BEHIND_PENALTY * (float)near->is_behind;
    keep_group(groups, &group);
    // ... or, turned by a quarter, its left side.
    TagGroup left = group;
    left.missing = 2;
    left.indexes[0] = (uint16_t)other;
    left.indexes[1] = (uint16_t)other;
    left.indexes[2] = (uint16_t)one;
    left.corner = group.right;
    left.below = group.corner;
    // Turned back by a quarter: the direction from `one` to `other` is upwards in this symbol.
    TagFinder *turn[2] = {&left.corner, &left.below};
    for (int i = 0; i < 2; i++) {
        TagPosition across = turn[i]->across, down = turn[i]->down;
        turn[i]->across = down;
        turn[i]->down = (TagPosition){-across.x, -across.y};
    }
    left.right = left.corner;
    keep_group(groups, &left);
}

// Considers two patterns at opposite corners, with the corner between them missing.
static void consider_diagonal(const TagFinders *finders, uint32_t right, uint32_t below,
                              TagGroups *groups) {
    const TagFinder *list = finders->list;
    float dx = list[below].centre.x - list[right].centre.x,
          dy = list[below].centre.y - list[right].centre.y;
    float p, q, p2, q2;
    if (tag_ratio(list[right].module, list[below].module) > 1.6f) return;
    if (!tag_in_frame(&list[right], dx, dy, &p, &q)
        || !tag_in_frame(&list[below], -dx, -dy, &p2, &q2)) {
        return;
    }
    float lopsided = tag_ratio(fabsf(p), fabsf(q)), lopsided_back = tag_ratio(fabsf(p2), fabsf(q2));
    if (lopsided > 1.35f || lopsided_back > 1.35f) return;
    TagGroup group = {
        .indexes = {(uint16_t)right, (uint16_t)right, (uint16_t)below},
        .light = list[right].light,
        .missing = 1,
        .modules = (fabsf(p) + fabsf(q) + fabsf(p2) + fabsf(q2)) / 4,
    };
    if (group.modules < TAG_LEAST_SEEN_MODULES || group.modules > TAG_MOST_SEEN_MODULES) return;
    // From the right one, the one below lies against `across` and along `down`.
    for (int axis = 0; axis < 4; axis++) {
        TagFinder candidate = turned(&list[right], axis);
        if (tag_in_frame(&candidate, dx, dy, &p, &q) && p < 0 && q > 0) group.right = candidate;
    }
    group.below = turned_like(&list[below], &group.right);
    group.corner = group.right;
    group.penalty = PAIR_PENALTY + 0.2f + lopsided + lopsided_back - 2 + 0.002f * group.modules
        + 0.5f * (2 - list[right].quality - list[below].quality);
    keep_group(groups, &group);
}

int tag_groups_make(const TagFinders *finders, const uint8_t *used, const TagGroupsWanted *wanted,
                    TagGroups *groups) {
    uint32_t count = finders->count;
    groups->count = 0;
    groups->considered = 0;
    groups->is_cut = 0;
    groups->wanted = *wanted;
    groups->most_penalty = INFINITY;
    // A full list drops half of its groups.
    groups->room = wanted->most < TAG_MOST_GROUPS / 2 ? 2 * wanted->most : TAG_MOST_GROUPS;
    if (count < 2) return 1;
    TagNeighbours neighbours;
    if (!tag_neighbours_make(finders, used, &neighbours)) return 0;
    groups->is_cut = neighbours.is_cut;
    for (uint32_t corner = 0; corner < count; corner++) {
        const TagNear *near = neighbours.list + (size_t)corner * neighbours.stride;
        for (uint32_t one = 0; one < neighbours.counts[corner]; one++) {
            consider_side(finders, corner, &near[one], groups);
            for (uint32_t other = 0; other < neighbours.counts[corner]; other++) {
                if (other != one) consider_pair(finders, corner, &near[one], &near[other], groups);
            }
        }
    }
    tag_neighbours_free(&neighbours);
    for (uint32_t one = 0; one < count; one++) {
        if (used[one]) continue;
        for (uint32_t other = 0; other < count; other++) {
            if (one != other && finders->list[one].light == finders->list[other].light
                && !used[other]) {
                consider_diagonal(finders, one, other, groups);
            }
        }
    }
    sort_groups(groups);
    if (groups->count > wanted->most) {
        groups->count = wanted->most;
        groups->most_penalty = groups->list[groups->count - 1].penalty;
        groups->is_cut = 1;
    }
    return 1;
}
