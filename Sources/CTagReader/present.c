// Presents a candidate in one way after the other until one can be decoded.
//
// The ways are in the order of their cost. Error correction (codeword_check.c) tells whether a way
// succeeded.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

// A grid: how to sample the symbol of a group.
typedef struct Grid {
    int dimension;
    int bent;
    int aligned;
    int follows;     // times that the mesh was followed
    float agreement; // of known modules once equalised; 0 for no grid
} Grid;

typedef struct Attempt {
    TagEngine *engine;
    const TagGroup *group;
    Grid grid; // the present one
    Grid best; // by its agreement
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
// `agreement` is that of modules which were decided without knowing the known ones.
static int passes(Attempt *attempt, TagHypothesis hypothesis, float agreement) {
    TagWork *work = attempt->engine->work;
    attempt->tried++;
    tag_codewords_correct(work, 0, &attempt->verdict);
    work->spent += (uint64_t)work->dimension * (uint64_t)work->dimension * 8;
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
    return passes(attempt, hypothesis, tag_modules_agreement(work));
}

static void resample(Attempt *attempt, int finer) {
    TagEngine *engine = attempt->engine;
    tag_patch_sample(engine->work, &engine->picture->scales, attempt->group->light, finer);
    tag_patch_values(engine->work, 0);
}

static int equalise_and_check(Attempt *attempt, TagHypothesis hypothesis, int reach, int rounds) {
    TagWork *work = attempt->engine->work;
    return tag_modules_equalise(work, reach, rounds)
        && passes(attempt, hypothesis, tag_modules_agreement(work));
}

// Remembers the grid whose modules were just equalised, if it is the best one.
static void keep_grid(Attempt *attempt) {
    attempt->grid.agreement = tag_modules_agreement(attempt->engine->work);
    if (attempt->grid.agreement > attempt->best.agreement) attempt->best = attempt->grid;
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
    if (equalise_and_check(attempt, TAG_HYPOTHESIS_EQUALISED, 1, 2)) return 1;
    keep_grid(attempt);
    if (!deep || is_spent(attempt)) return 0;
    if (equalise_and_check(attempt, TAG_HYPOTHESIS_EQUALISED, 2, 3)) return 1;
    if (tag_patch_sharpen(work)) {
        tag_patch_sharp_values(work);
        if (decide_and_check(attempt, TAG_HYPOTHESIS_SHARPENED, 6)) return 1;
    }
    tag_patch_even_values(work);
    if (decide_and_check(attempt, TAG_HYPOTHESIS_THRESHOLD, 3)) return 1;
    if (equalise_and_check(attempt, TAG_HYPOTHESIS_EQUALISED, 1, 3)) return 1;
    tag_patch_values(work, 1);
    if (decide_and_check(attempt, TAG_HYPOTHESIS_THRESHOLD, 4)) return 1;
    return equalise_and_check(attempt, TAG_HYPOTHESIS_EQUALISED, 3, 4);
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
    attempt->grid.follows = 0;
    if (equalise_and_check(attempt, TAG_HYPOTHESIS_EQUALISED, 1, 2)) return 1;
    keep_grid(attempt);
    if (agreement > PROMISING_AGREEMENT) attempt->engine->promising[attempt->group->light] = 1;
    if (agreement > 0.8f && equalise_and_check(attempt, TAG_HYPOTHESIS_EQUALISED, 2, 3)) return 1;
    for (int order = 2; order <= 4 && !is_spent(attempt); order++) {
        tag_mesh_follow(work, order, 3);
        attempt->grid.follows++;
        if (try_grid(attempt, TAG_HYPOTHESIS_MESH, order == 3)) return 1;
        if (order == 2 && tag_modules_agreement(work) < LEAST_AGREEMENT) return 0;
    }
    if (is_spent(attempt)) return 0;
    tag_mesh_follow(work, 0, 2);
    attempt->grid.follows++;
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

// Prepares a grid of a group.
static int set_up_grid(Attempt *attempt, const Grid *grid) {
    TagWork *work = attempt->engine->work;
    attempt->grid = *grid;
    if (work->dimension != grid->dimension) tag_layout_fill(grid->dimension, work->kinds);
    if (!set_up_sampling(work, attempt->group, grid->dimension, grid->bent)) return 0;
    return !grid->aligned
        || tag_outline_by_alignment(work, &attempt->engine->picture->scales, attempt->group);
}

// Tries all ways with a group's grids of one size.
static int try_size(Attempt *attempt, const Size *size) {
    for (int aligned = 1; aligned >= 0; aligned--) {
        Grid grid = {.dimension = size->dimension, .bent = size->bent, .aligned = aligned};
        TagHypothesis hypothesis = size->bent ? TAG_HYPOTHESIS_MESH
            : aligned                         ? TAG_HYPOTHESIS_ALIGNMENT
            : attempt->group->missing         ? TAG_HYPOTHESIS_TWO_FINDERS
                                              : TAG_HYPOTHESIS_GRID;
        if (set_up_grid(attempt, &grid) && try_projection(attempt, hypothesis)) return 1;
    }
    return 0;
}

#define LEAST_BLURRED_AGREEMENT 0.85f
#define DECONVOLUTIONS 6
#define STILL 500 // one module of so many that changes is none

// The corners of the symbol in the picture, clockwise.
static void place_outline(const TagWork *work, TagPosition outline[4]) {
    for (int i = 0; i < 4; i++) {
        outline[i] = tag_place(work, i == 1 || i == 2 ? work->dimension : 0,
                               i >= 2 ? work->dimension : 0);
    }
}

// Decides the modules of the present grid by what blur would make of them.
static int deconvolve_present(Attempt *attempt) {
    TagEngine *engine = attempt->engine;
    TagWork *work = engine->work;
    TagPosition outline[4];
    place_outline(work, outline);
    // Whatever the picture, this is not done for ever.
    uint64_t cost = tag_deconvolution_cost(work->dimension);
    if (engine->last_budget < cost) return 0;
    if (!tag_try_out(engine, outline, work->dimension)) return 0;
    if (!tag_modules_equalise(work, 2, 3)) return 0;
    // What is known stays as it is, so that it agrees tells nothing afterwards.
    float agreement = tag_modules_agreement(work);
    TagDeconvolution *deconvolution = tag_deconvolution_begin(work);
    int passed = 0;
    for (int i = 0; i < DECONVOLUTIONS && !passed && deconvolution != NULL; i++) {
        if (engine->last_budget < cost) break;
        engine->last_budget -= cost;
        int changed = tag_deconvolution_improve(deconvolution, work);
        if (changed < 0) break;
        passed = passes(attempt, TAG_HYPOTHESIS_DECONVOLVED, agreement);
        if (i > 1 && changed * STILL < work->dimension * work->dimension) break;
        if (passed || i % 2 == 0) continue;
        if (!tag_deconvolution_align(deconvolution, work)) break;
        resample(attempt, 0);
        tag_deconvolution_look(deconvolution, work);
    }
    tag_deconvolution_end(deconvolution);
    return passed;
}

// Samples a grid of before once more. Returns 0 if that is impossible.
static int return_to(Attempt *attempt, Grid grid) {
    TagWork *work = attempt->engine->work;
    if (!set_up_grid(attempt, &grid)) return 0;
    resample(attempt, 0);
    for (int i = 1; i <= grid.follows; i++) {
        tag_mesh_follow(work, i < 4 ? i + 1 : 0, i < 4 ? 3 : 2);
        resample(attempt, 0);
    }
    return 1;
}

static int passes_printed(Attempt *attempt, const TagPrintedLines *printed) {
    TagWork *work = attempt->engine->work;
    tag_modules_distrust_lines(work, printed);
    tag_modules_trust_dark(work);
    return passes(attempt, TAG_HYPOTHESIS_WORN, tag_modules_agreement(work));
}

// Reads a print of which lines or dots are missing.
static int try_worn(Attempt *attempt) {
    TagWork *work = attempt->engine->work;
    TagPrintedLines printed;
    tag_patch_find_lines(work, &printed);
    tag_patch_line_values(work, &printed);
    tag_modules_decide(work, work->values, 6);
    if (passes_printed(attempt, &printed)) return 1;
    if (tag_modules_equalise(work, 1, 2) && passes_printed(attempt, &printed)) return 1;
    tag_patch_dark_values(work);
    tag_modules_decide(work, work->values, 6);
    tag_modules_trust_dark(work);
    if (passes(attempt, TAG_HYPOTHESIS_WORN, tag_modules_agreement(work))) return 1;
    return equalise_and_check(attempt, TAG_HYPOTHESIS_WORN, 1, 2);
}

#define LEAST_WORN_AGREEMENT 0.7f

// Reads a worn print by the best grid, and by its meshes: where modules are missing, that of the best
// agreement may not be the right one.
static int read_worn(Attempt *attempt) {
    TagEngine *engine = attempt->engine;
    if (attempt->best.agreement < LEAST_WORN_AGREEMENT) return 0;
    int read = 0, follows[] = {attempt->best.follows, 2, 4};
    for (int i = 0; i < 3 && !read && engine->last_budget > 0; i++) {
        Grid grid = attempt->best;
        if (i > 0 && follows[i] == grid.follows) continue;
        grid.follows = follows[i];
        uint64_t before = engine->work->spent;
        read = return_to(attempt, grid) && try_worn(attempt);
        uint64_t cost = engine->work->spent - before;
        engine->work->spent = before; // what other places may cost is not for this
        engine->last_budget -= cost < engine->last_budget ? cost : engine->last_budget;
    }
    return read;
}

// Decides the modules of a grid by what blur would make of them.
static int deconvolve(Attempt *attempt, Grid grid) {
    if (grid.agreement < LEAST_BLURRED_AGREEMENT) return 0;
    if (attempt->engine->last_budget < tag_deconvolution_cost(grid.dimension)) return 0;
    return return_to(attempt, grid) && deconvolve_present(attempt);
}

// Has a symbol decoded whose modules were decided, and explains the attempt. Returns the way that
// succeeded.
static TagHypothesis conclude(Attempt *attempt, int read) {
    TagEngine *engine = attempt->engine;
    TagWork *work = engine->work;
    TagPosition outline[4] = {0};
    if (work->dimension > 0) place_outline(work, outline);
    if (read) read = tag_decode(engine, &attempt->verdict, outline);
    TagHypothesis succeeded = read ? attempt->hypothesis : TAG_HYPOTHESIS_NONE;
    TagCandidate candidate = {
        .dimension = (uint32_t)work->dimension, .tried = attempt->tried,
        .succeeded = succeeded, .agreement = attempt->agreement,
    };
    tag_explain(engine, attempt->group, outline, candidate);
    return succeeded;
}

// Of the modules of known colour, this many are right in a blurred symbol once it is equalised.
#define LEAST_SPOT_AGREEMENT 0.75f

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
        read = try_size(&attempt, size);
    }
    if (!read && !engine->is_brief) {
        // The edges that a mesh follows are blurred too, so it may mislead.
        Grid best = attempt.best, plain = best;
        plain.follows = 0;
        read = read_worn(&attempt) || deconvolve(&attempt, plain)
            || (best.follows > 0 && deconvolve(&attempt, best));
    }
    *succeeded = conclude(&attempt, read);
    if (*succeeded != TAG_HYPOTHESIS_NONE) return 1;
    if (attempt.best.agreement > 0 && set_up_grid(&attempt, &attempt.best)) {
        TagPosition outline[4];
        place_outline(work, outline);
        tag_unread_note(engine, outline, work->dimension, attempt.best.agreement);
    }
    return 0;
}

int tag_present_outline(TagEngine *engine, const TagOutline *outline) {
    TagGroup group = {.light = outline->light, .corner.module = outline->module};
    Attempt attempt = {.engine = engine, .group = &group, .end = UINT64_MAX};
    TagWork *work = engine->work;
    work->dimension = outline->dimension;
    work->has_mesh = 0;
    work->has_bend = 0;
    work->anchors = 7;
    if (!tag_outline_project(outline, &work->projection)) return 0;
    tag_layout_fill(work->dimension, work->kinds);
    resample(&attempt, 0);
    int read = decide_and_check(&attempt, TAG_HYPOTHESIS_GRID, 6)
        || equalise_and_check(&attempt, TAG_HYPOTHESIS_EQUALISED, 1, 2);
    if (!read && tag_modules_agreement(work) >= LEAST_SPOT_AGREEMENT) {
        read = try_worn(&attempt);
        if (!read) {
            resample(&attempt, 0);
            tag_mesh_follow(work, 2, 3);
            resample(&attempt, 0);
            read = try_worn(&attempt);
        }
        if (!read) {
            work->has_mesh = 0;
            resample(&attempt, 0);
            read = deconvolve_present(&attempt);
        }
    }
    read = conclude(&attempt, read) != TAG_HYPOTHESIS_NONE;
    if (!read) tag_unread_note_outline(engine, outline);
    return read;
}
