// The position of a symbol: the projection by its finder patterns, and by its alignment pattern.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

static size_t add_finder(const TagFinder *finder, double u, double v, double corner_weight,
                         TagMatch *matches) {
    size_t count = 0;
    matches[count++] = (TagMatch){u, v, (double)finder->centre.x, (double)finder->centre.y, 4};
    for (int i = 0; i < 4; i++) {
        double du = i % 2 == 0 ? -3.5 : 3.5, dv = i / 2 == 0 ? -3.5 : 3.5;
        matches[count++] = (TagMatch){
            u + du, v + dv,
            (double)finder->centre.x + du * (double)finder->across.x + dv * (double)finder->down.x,
            (double)finder->centre.y + du * (double)finder->across.y + dv * (double)finder->down.y,
            corner_weight,
        };
    }
    return count;
}

static size_t add_finders(const TagGroup *group, int dimension, double corner_weight,
                          TagMatch *matches) {
    size_t count = 0;
    if (!(group->missing & 1))
        count += add_finder(&group->corner, 3.5, 3.5, corner_weight, matches);
    if (!(group->missing & 2)) {
        count += add_finder(&group->right, dimension - 3.5, 3.5, corner_weight, matches + count);
    }
    if (!(group->missing & 4)) {
        count += add_finder(&group->below, 3.5, dimension - 3.5, corner_weight, matches + count);
    }
    return count;
}

int tag_outline_by_finders(const TagGroup *group, int dimension, TagProjection *projection) {
    TagMatch matches[15];
    size_t count = add_finders(group, dimension, 1, matches);
    return tag_projection_fit(matches, count, projection)
        && tag_projection_is_sane(projection, dimension);
}

int tag_outline_bend(TagWork *work, const TagGroup *group) {
    TagMatch matches[15];
    size_t count = add_finders(group, work->dimension, 1, matches);
    return tag_mesh_bend(work, matches, count);
}

// The least differences between the finder patterns, as a share of those beside them: between the
// finder patterns of neighbouring symbols there is only light. In readable pictures, blur leaves
// more than this.
#define LEAST_INNER 0.15

float tag_outline_timing(const TagWork *work, const TagScales *scales, const TagGroup *group) {
    const TagFinder *seen = group->missing & 1 ? &group->right : &group->corner;
    uint32_t level = tag_level_for(scales, (double)seen->module, 2);
    float values[TAG_MOST_DIMENSION];
    double best = -1, total = 0, outer = 0, inner = 0;
    int count =
        work->dimension - 12; // from the dark corner of one finder pattern to that of the next
    for (int line = 0; line < 2; line++) {
        double sum = 0, product = 0;
        for (int i = 0; i < count; i++) {
            double at = i + 6.5;
            TagPosition place = line == 0 ? tag_place(work, at, 6.5) : tag_place(work, 6.5, at);
            values[i] = tag_sample(scales, level, place.x, place.y);
        }
        // Differences from the mean of both neighbours, so that uneven light does not matter.
        for (int i = 1; i + 1 < count; i++) {
            double off = (double)(values[i] - (values[i - 1] + values[i + 1]) / 2);
            sum += fabs(off);
            *(i == 1 || i + 2 == count ? &outer : &inner) += fabs(off);
            product += i % 2 == 0 ? -off : off;
        }
        double score = sum > 0 ? product / sum : 0;
        if (seen->light) score = -score;
        // If a finder pattern is missing, only the line between the other two is certain.
        if ((line == 0 && group->missing == 4) || (line == 1 && group->missing == 2))
            return (float)score;
        if (line == 1 && group->missing == 4) continue;
        if (line == 0 && group->missing == 2) continue;
        total += score;
        best = score > best ? score : best;
    }
    if (inner / (count - 4) < LEAST_INNER * outer / 2) return 0;
    // Damage or curvature may spoil one of the two.
    return (float)(0.7 * total / 2 + 0.3 * best);
}

// How much a place looks like an alignment pattern, -1 to 1: dark, light ring, dark ring.
static float alignment_at(const TagWork *work, const TagScales *scales, uint32_t level, double u,
                          double v, float strength) {
    float rings[3] = {0, 0, 0};
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            int ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
            TagPosition place = tag_place(work, u + dx, v + dy);
            rings[ax > ay ? ax : ay] += tag_sample(scales, level, place.x, place.y);
        }
    }
    float contrast = rings[1] / 8 - 0.5f * rings[0] - 0.5f * rings[2] / 16;
    // The weaker of both edges counts too.
    float inner = rings[1] / 8 - rings[0], outer = rings[1] / 8 - rings[2] / 16;
    float least = inner < outer ? inner : outer;
    return (0.5f * contrast + 0.5f * least) / strength;
}

#define LEAST_ALIGNMENT 0.4f

int tag_outline_by_alignment(TagWork *work, const TagScales *scales, const TagGroup *group) {
    int dimension = work->dimension;
    if (dimension < 25) return 0;
    double centre = dimension - 6.5;
    TagPosition a = tag_place(work, centre, centre);
    TagPosition b = tag_place(work, centre + 1, centre);
    TagPosition c = tag_place(work, centre, centre + 1);
    double module = sqrt(fabs((double)(b.x - a.x) * (double)(c.y - a.y)
                              - (double)(b.y - a.y) * (double)(c.x - a.x)));
    uint32_t level = tag_level_for(scales, module, 2);
    const TagFinder *seen = group->missing & 1 ? &group->right : &group->corner;
    float strength = (float)seen->light_level - (float)seen->dark_level;
    if (strength < 8) strength = 8;
    if (group->light) strength = -strength;
    // The position of a distant alignment pattern is known less exactly.
    double reach = (group->missing ? 3 : 2) + dimension * (group->missing ? 0.1 : 0.06);
    double best_u = 0, best_v = 0;
    float best = -2;
    for (double dv = -reach; dv <= reach; dv += 0.5) {
        for (double du = -reach; du <= reach; du += 0.5) {
            float match = alignment_at(work, scales, level, centre + du, centre + dv, strength)
                - 0.015f * (float)sqrt(du * du + dv * dv);
            if (match > best) {
                best = match;
                best_u = du;
                best_v = dv;
            }
        }
    }
    work->spent += (uint64_t)(reach * reach * 16 * 25 * 20);
    for (double step = 0.25; step > 0.1; step /= 2) {
        double from_u = best_u, from_v = best_v;
        for (int i = 0; i < 9; i++) {
            double du = from_u + step * (i % 3 - 1), dv = from_v + step * (i / 3 - 1);
            float match = alignment_at(work, scales, level, centre + du, centre + dv, strength);
            if (match > best) {
                best = match;
                best_u = du;
                best_v = dv;
            }
        }
    }
    if (best < LEAST_ALIGNMENT) return 0;
    TagMatch matches[16];
    size_t count = add_finders(group, dimension, work->has_bend ? 1 : 0.15, matches);
    TagPosition place = tag_place(work, centre + best_u, centre + best_v);
    matches[count++] = (TagMatch){centre, centre, (double)place.x, (double)place.y, 4};
    if (work->has_bend) return tag_mesh_bend(work, matches, count);
    TagProjection refined;
    if (!tag_projection_fit(matches, count, &refined)
        || !tag_projection_is_sane(&refined, dimension))
        return 0;
    work->projection = refined;
    return 1;
}
