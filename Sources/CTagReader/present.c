// Presents a candidate in one way after the other until one can be decoded.
//
// The ways are in the order of their cost. Error correction (codeword_check.c) tells whether a way
// succeeded.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

typedef struct Attempt {
    TagEngine *engine;
    const TagGroup *group;
    TagVerdict verdict;
    TagHypothesis hypothesis;
    uint32_t tried;
    float agreement; // the best of all, for the explanation
    uint64_t end; // of the work for this candidate
} Attempt;

// The least agreement of modules of known colour; symbols that were read had 0.8 and more.
#define LEAST_FINAL_AGREEMENT 0.7f
#define LEAST_ERASED_AGREEMENT 0.8f

// Corrects the decided modules, the second time with erasures if so many are right that it is worth it.
static int passes(Attempt *attempt, TagHypothesis hypothesis) {
    TagWork *work = attempt->engine->work;
    attempt->tried++;
    tag_codewords_correct(work, 0, &attempt->verdict);
    work->spent += (uint64_t)work->dimension * (uint64_t)work->dimension * 8;
    float agreement = tag_modules_agreement(work);
    if (agreement > attempt->agreement) attempt->agreement = agreement;
    if (!attempt->verdict.passed && agreement >= LEAST_ERASED_AGREEMENT) {
        tag_modules_distrust_areas(work);
        tag_codewords_correct(work, 1, &attempt->verdict);
        work->spent += (uint64_t)work->dimension * (uint64_t)work->dimension * 16;
    }
    // A second test, which matters for the small versions: their codewords alone would pass by
    // chance once in some ten million attempts.
    if (!attempt->verdict.passed || agreement < LEAST_FINAL_AGREEMENT) return 0;
    attempt->hypothesis = hypothesis;
    return 1;
}

static int decide_and_check(Attempt *attempt, TagHypothesis hypothesis, int radius) {
    TagWork *work = attempt->engine->work;
    tag_modules_decide(work, work->values, radius);
    return passes(attempt, hypothesis);
}

static void resample(Attempt *attempt, int finer) {
    TagEngine *engine = attempt->engine;
    tag_patch_sample(engine->work, &engine->picture->scales, attempt->group->light, finer);
    tag_patch_values(engine->work, 0);
}

static int equalise_and_check(Attempt *attempt, int reach, int rounds) {
    return tag_modules_equalise(attempt->engine->work, reach, rounds)
        && passes(attempt, TAG_HYPOTHESIS_EQUALISED);
}

// Whether the candidate has used its share of work.
static int is_spent(const Attempt *attempt) {
    return attempt->engine->work->spent > attempt->end;
}

// Tries all ways with the present grid.
static int try_grid(Attempt *attempt, TagHypothesis hypothesis, int deep) {
    TagWork *work = attempt->engine->work;
    resample(attempt, 0);
    if (decide_and_check(attempt, hypothesis, 6)) return 1;
    if (equalise_and_check(attempt, 1, 2)) return 1;
    if (!deep || is_spent(attempt)) return 0;
    if (equalise_and_check(attempt, 2, 3)) return 1;
    if (tag_patch_sharpen(work)) {
        tag_patch_sharp_values(work);
        if (decide_and_check(attempt, TAG_HYPOTHESIS_SHARPENED, 6)) return 1;
    }
    tag_patch_even_values(work);
    if (decide_and_check(attempt, TAG_HYPOTHESIS_THRESHOLD, 3)) return 1;
    if (equalise_and_check(attempt, 1, 3)) return 1;
    tag_patch_values(work, 1);
    if (decide_and_check(attempt, TAG_HYPOTHESIS_THRESHOLD, 4)) return 1;
    return equalise_and_check(attempt, 3, 4);
}

// Of the modules of known colour, more than half are right by chance. Among a thousand symbols that
// were finally read, none had less than 0.69 in the first attempt.
#define LEAST_AGREEMENT 0.65f
#define PROMISING_AGREEMENT 0.75f

// Tries all ways with one projection, which is already bent if the group is.
static int try_projection(Attempt *attempt, TagHypothesis hypothesis) {
    TagWork *work = attempt->engine->work;
    resample(attempt, 0);
    if (decide_and_check(attempt, hypothesis, 6)) return 1;
    float agreement = tag_modules_agreement(work);
    if (agreement < LEAST_AGREEMENT) return 0;
    if (agreement > PROMISING_AGREEMENT) attempt->engine->promising[attempt->group->light] = 1;
    if (agreement > 0.8f && equalise_and_check(attempt, 2, 3)) return 1;
    for (int order = 2; order <= 4 && !is_spent(attempt); order++) {
        tag_mesh_follow(work, order, 3);
        if (try_grid(attempt, TAG_HYPOTHESIS_MESH, order == 3)) return 1;
        if (order == 2 && tag_modules_agreement(work) < LEAST_AGREEMENT) return 0;
    }
    if (is_spent(attempt)) return 0;
    tag_mesh_follow(work, 0, 2);
    return try_grid(attempt, TAG_HYPOTHESIS_MESH, 1);
}

#define MOST_SIZES 10

typedef struct Size {
    int dimension;
    int bent;
    float score;
} Size;

// Prepares the flat or bent grid of a group for one dimension.
static int set_up_sampling(TagWork *work, const TagGroup *group, int dimension, int bent) {
    work->dimension = dimension;
    work->has_mesh = 0;
    work->has_bend = 0;
    work->anchors = 7 & ~group->missing;
    if (!tag_outline_by_finders(group, dimension, &work->projection)) return 0;
    return !bent || tag_outline_bend(work, group);
}

// The most likely dimensions by the timing patterns, the best first.
static int guess_sizes(const TagEngine *engine, const TagGroup *group, Size sizes[MOST_SIZES]) {
    int nearest = (int)lroundf((group->modules + 7 - 17) / 4) * 4 + 17;
    int count = 0;
    for (int i = 0; i < MOST_SIZES; i++) {
        int dimension = nearest + (i % 5 - 2) * 4, bent = i / 5;
        if (dimension < TAG_LEAST_DIMENSION || dimension > TAG_MOST_DIMENSION) continue;
        if (bent && (group->missing || engine->is_brief || (count > 0 && sizes[0].score > 0.9f))) {
            continue;
        }
        if (!set_up_sampling(engine->work, group, dimension, bent)) continue;
        Size size = {dimension, bent,
                     tag_outline_timing(engine->work, &engine->picture->scales, group)};
        size.score -= 0.01f * fabsf((float)(dimension - nearest)) + 0.03f * (float)bent;
        engine->work->spent += (uint64_t)dimension * 80 + 5000;
        int at = count++;
        while (at > 0 && sizes[at - 1].score < size.score) {
            sizes[at] = sizes[at - 1];
            at--;
        }
        sizes[at] = size;
    }
    return count;
}

int tag_present(TagEngine *engine, const TagGroup *group, uint64_t share,
                TagHypothesis *succeeded) {
    Attempt attempt = {.engine = engine, .group = group, .end = engine->work->spent + share};
    TagWork *work = engine->work;
    Size sizes[MOST_SIZES];
    int count = guess_sizes(engine, group, sizes);
    int read = 0;
    work->dimension = 0;
    for (int i = 0; i < count && i < 3 && !read; i++) {
        const Size *size = &sizes[i];
        // Timing patterns rarely alternate this well by chance. If one finder pattern is missing,
        // only one timing pattern lies between the other two, so its score must be higher.
        if (size->score < (group->missing ? engine->least_pair_score : engine->least_score)) break;
        if (i > 0 && sizes[0].score > 0.9f && size->score < 0.7f) break;
        if (i > 0 && is_spent(&attempt)) break;
        if (!set_up_sampling(work, group, size->dimension, 0)) continue;
        tag_layout_fill(size->dimension, work->kinds);
        if (size->bent) {
            if (!set_up_sampling(work, group, size->dimension, 1)) continue;
            if (tag_outline_by_alignment(work, &engine->picture->scales, group)) {
                read = try_projection(&attempt, TAG_HYPOTHESIS_MESH);
            }
            if (!read) {
                read = set_up_sampling(work, group, size->dimension, 1)
                       && try_projection(&attempt, TAG_HYPOTHESIS_MESH);
            }
            continue;
        }
        if (tag_outline_by_alignment(work, &engine->picture->scales, group)) {
            read = try_projection(&attempt, TAG_HYPOTHESIS_ALIGNMENT);
        }
        if (!read) {
            read = set_up_sampling(work, group, size->dimension, 0)
                   && try_projection(&attempt, group->missing ? TAG_HYPOTHESIS_TWO_FINDERS
                                                              : TAG_HYPOTHESIS_GRID);
        }
    }
    *succeeded = read ? attempt.hypothesis : TAG_HYPOTHESIS_NONE;
    TagPosition outline[4] = {0};
    if (work->dimension > 0) {
        double n = work->dimension;
        outline[0] = tag_place(work, 0, 0);
        outline[1] = tag_place(work, n, 0);
        outline[2] = tag_place(work, n, n);
        outline[3] = tag_place(work, 0, n);
    }
    if (read) read = tag_decode(engine, &attempt.verdict, outline);
    if (!read) *succeeded = TAG_HYPOTHESIS_NONE;
    TagCandidate candidate = {
        .dimension = (uint32_t)work->dimension, .tried = attempt.tried,
        .succeeded = *succeeded, .agreement = attempt.agreement,
    };
    tag_explain(engine, group, outline, candidate);
    return read;
}
