// The engine: finds and reads symbols, first on one ground, then on the other.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The filter for the scales before the search for finder patterns.
typedef enum Filter {
    FILTER_NONE,
    FILTER_SHARPEN, // against blur, and for modules of hardly a pixel
    FILTER_SMOOTH,  // against noise
} Filter;

// Looks for finder patterns on all scales, the smallest first.
static int locate(TagEngine *engine, Filter filter) {
    const TagScales *scales = &engine->picture->scales;
    for (uint32_t level = scales->count; level-- > 0;) {
        TagPlane plane = scales->level[level];
        uint64_t pixels = (uint64_t)plane.width * plane.height;
        // The innermost square of a pattern that shows only on this scale is three to six pixels high.
        uint32_t step = pixels > 6000000 ? 4 : pixels > 1200000 ? 3 : pixels > 250000 ? 2 : 1;
        uint8_t *filtered = NULL;
        if (filter != FILTER_NONE) {
            step = step > 2 ? 2 : step;
            if (pixels > TAG_MOST_FILTERED) continue;
            filtered = malloc(pixels);
            int made = filtered != NULL
                && (filter == FILTER_SHARPEN ? tag_filter_sharpen(&plane, 3, 3, filtered)
                                             : tag_filter_smooth(&plane, 1, filtered));
            if (!made) {
                free(filtered);
                return 0;
            }
            plane.pixels = filtered;
            engine->finders.work += pixels * 3;
        }
        int located = tag_finders_locate(&engine->finders, scales, level, &plane, step);
        free(filtered);
        if (!located) return 0;
    }
    return 1;
}

static int is_used(const TagEngine *engine, const TagGroup *group) {
    return engine->used[group->indexes[0]] || engine->used[group->indexes[1]]
        || engine->used[group->indexes[2]];
}

static int is_tried(const TagEngine *engine, const TagGroup *group) {
    return group->indexes[0] < engine->tried_finders && group->indexes[1] < engine->tried_finders
        && group->indexes[2] < engine->tried_finders;
}

// The budget for a crowd of symbols. In a crowd, neighbouring patterns are also taken for one
// symbol, which costs work in vain for each; and no possible symbol may be given up silently.
#define BUDGET_PER_FINDER 1500000
#define MOST_CROWD_BUDGET UINT64_C(2500000000)
#define LEFT_OVER_BUDGET 120000000 // more than otherwise, for the rest

// Groups in a list: those of some twenty symbols, or of all symbols in a crowd.
#define MOST_LISTED 256
#define LISTED_PER_FINDER 8

// The cost of considering a group.
#define GROUP_WORK 500

// The scores of the timing patterns that are needed if little work may be wasted.
#define FAST_SCORE 0.7f
#define FAST_PAIR_SCORE 0.8f

// The first budget of a group in a crowd; most symbols that were read cost less.
#define CROWD_SHARE 250000

// A budget for work in vain.
typedef struct Patience {
    uint64_t start; // of the work that counts
    uint64_t budget;
} Patience;

// Whether there may be symbols that were not examined.
static int is_cut(const TagEngine *engine) {
    return engine->is_cut || tag_finders_overflow(&engine->finders);
}

int tag_is_over(const TagEngine *engine) {
    return engine->result->status != TAG_READER_OK || is_cut(engine)
        || engine->result->symbol_count > engine->limits->symbols;
}

static int is_exhausted(const TagEngine *engine, const Patience *patience) {
    return engine->work->spent - patience->start > patience->budget;
}

// Tries the listed groups, the best first, while the budget lasts, each with `share` of work.
// Returns whether any were read.
static int try_listed(TagEngine *engine, Patience *patience, uint64_t share) {
    int read = 0;
    for (uint32_t i = 0; i < engine->groups.count; i++) {
        const TagGroup *group = &engine->groups.list[i];
        if (is_used(engine, group) || is_tried(engine, group)) continue;
        if (is_exhausted(engine, patience)) break;
        uint64_t before = engine->work->spent;
        TagHypothesis succeeded;
        if (!tag_present(engine, group, share, &succeeded)) continue;
        read = 1;
        // The budget is only for work in vain: reading many symbols must not use it up.
        uint64_t cost = engine->work->spent - before;
        patience->start += cost < engine->budget / 32 ? cost : engine->budget / 32;
        for (int k = 0; k < 3; k++) engine->used[group->indexes[k]] = 1;
        if (tag_is_over(engine)) break;
    }
    return read;
}

// Reads the wanted groups, each with `share` of work. If a list was incomplete and symbols were
// read from it, the next list begins with the penalty at which it ended, and leaves out the finders
// of those symbols. Sure groups are all tried, unless the budget ends first. Returns 0 if there is
// no memory.
static int read_lists(TagEngine *engine, Patience *patience, uint64_t share,
                      TagGroupsWanted wanted) {
    TagGroups *groups = &engine->groups;
    wanted.least_penalty = -INFINITY;
    int goes_on, is_more;
    do {
        if (!tag_groups_make(&engine->finders, engine->used, &wanted, groups)) return 0;
        if (wanted.is_sure) engine->work->spent += groups->considered * GROUP_WORK;
        is_more = groups->most_penalty < INFINITY;
        int advances = is_more && groups->most_penalty > wanted.least_penalty;
        if (is_more) wanted.least_penalty = groups->most_penalty;
        int read = try_listed(engine, patience, share);
        goes_on = !tag_is_over(engine) && !is_exhausted(engine, patience)
            && ((read && groups->is_cut) || (wanted.is_sure && advances));
    } while (goes_on);
    if (wanted.is_sure && (is_more || is_exhausted(engine, patience))) engine->is_cut = 1;
    return 1;
}

// In a crowd, the easily read symbols come first, so that the remaining finders belong to the rest.
static int read_crowd(TagEngine *engine) {
    uint32_t good = engine->finders.good;
    uint64_t budget = (uint64_t)good * BUDGET_PER_FINDER;
    Patience patience = {
        engine->work->spent, budget < MOST_CROWD_BUDGET ? budget : MOST_CROWD_BUDGET};
    TagGroupsWanted wanted = {.most = MOST_LISTED + good * LISTED_PER_FINDER, .is_sure = 1};
    float least_score = engine->least_score, least_pair_score = engine->least_pair_score;
    engine->least_score = fmaxf(least_score, FAST_SCORE);
    engine->least_pair_score = fmaxf(least_pair_score, FAST_PAIR_SCORE);
    engine->is_brief = 1;
    int made = read_lists(engine, &patience, CROWD_SHARE, wanted);
    engine->is_brief = 0;
    engine->least_score = least_score;
    engine->least_pair_score = least_pair_score;
    return made;
}

// Returns 0 if there is no memory.
static int read_groups(TagEngine *engine) {
    int is_crowd = tag_finders_are_crowd(&engine->finders);
    int made = !is_crowd || read_crowd(engine);
    if (made && !tag_is_over(engine)) {
        uint64_t budget = engine->budget + (is_crowd ? LEFT_OVER_BUDGET : 0);
        Patience patience = {engine->work->spent, budget};
        TagGroupsWanted wanted = {.most = MOST_LISTED};
        made = read_lists(engine, &patience, engine->share, wanted);
    }
    engine->tried_finders = engine->finders.count;
    return made;
}

// Runs zbar on the unchanged picture, or with light and dark exchanged.
static int scan_plain(TagEngine *engine, uint32_t level, int light) {
    const TagPlane *plane = &engine->picture->scales.level[level];
    size_t pixels = (size_t)plane->width * plane->height;
    if (engine->explanation != NULL) engine->explanation->plain_scans++;
    engine->work->spent += pixels * 20;
    // In place: level 0 is the picture's only copy.
    for (size_t i = 0; light && i < pixels; i++) plane->pixels[i] = (uint8_t)~plane->pixels[i];
    int scanned = tag_scan(plane, level, engine->result);
    for (size_t i = 0; light && i < pixels; i++) plane->pixels[i] = (uint8_t)~plane->pixels[i];
    return scanned;
}

// Larger scales than this are scanned unchanged only with thorough effort.
#define MOST_PLAIN 1000000

// The last resort: if something looked like a symbol and could not be read, zbar tries by itself.
// Other pictures are not scanned, because that costs more than everything else.
static void read_plain(TagEngine *engine) {
    const TagScales *scales = &engine->picture->scales;
    int thorough = engine->limits->effort == TAG_READER_THOROUGH;
    // zbar would accept what was rejected as senseless.
    if (engine->limits->effort == TAG_READER_FAST || engine->has_senseless) return;
    for (int light = 0; light < 2; light++) {
        if (!thorough && !engine->promising[light]) continue;
        int scans = 0;
        for (uint32_t level = 0; level < scales->count && level < 3; level++) {
            uint64_t pixels = (uint64_t)scales->level[level].width * scales->level[level].height;
            if (!thorough && (pixels > MOST_PLAIN || scans == 1)) continue;
            scans++;
            if (!scan_plain(engine, level, light) || engine->result->symbol_count > 0) return;
        }
    }
}

// In noise, the colour changes every few pixels. Most other pictures have far fewer changes; fine
// print changes at less than one in seven pixels.
int tag_is_noisy(const TagEngine *engine) {
    return engine->finders.edges * 6 > engine->finders.row_pixels;
}

static int has_read(const TagEngine *engine) {
    return engine->result->symbol_count > 0 || engine->part_count > 0;
}

// Whether this is a crowd in which some symbols seem to be unread.
static int has_unread_crowd(const TagEngine *engine) {
    uint32_t unread = 0;
    for (uint32_t i = 0; i < engine->finders.count; i++) {
        unread += !engine->used[i] && tag_finder_is_good(&engine->finders.list[i]);
    }
    return tag_finders_are_crowd(&engine->finders) && unread > 1;
}

static int has_unread(TagEngine *engine) {
    return tag_unread_settle(engine) > 0 || has_unread_crowd(engine);
}

static void read_ground(TagEngine *engine) {
    // In noise, what is smooth shows most, and edges the rest; elsewhere there is nothing to smooth.
    static const Filter filters[] = {FILTER_NONE, FILTER_SMOOTH, FILTER_SHARPEN};
    engine->finders.count = 0;
    engine->finders.good = 0;
    engine->finders.is_cut = 0;
    engine->finders.edges = 0;
    engine->finders.row_pixels = 0;
    engine->tried_finders = 0;
    engine->is_cut = 0;
    engine->has_senseless = 0;
    engine->least_module = INFINITY;
    engine->unread.count = 0;
    engine->tried_out.count = 0;
    memset(engine->used, 0, sizeof engine->used);
    memset(engine->promising, 0, sizeof engine->promising);
    int thorough = engine->limits->effort == TAG_READER_THOROUGH;
    int has_answer = 0;  // a pass has looked at all places and read something
    int is_answered = 0; // and has read all that it saw
    int was_crowd = 0;
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        if (filters[i] != FILTER_NONE && engine->limits->effort == TAG_READER_FAST) break;
        if (filters[i] == FILTER_SMOOTH && !tag_is_noisy(engine) && !thorough) continue;
        int located = locate(engine, filters[i]);
        // In noise that a filter brings out, a crowd would be looked for in vain.
        int is_crowd = tag_finders_are_crowd(&engine->finders);
        if (located && has_answer && is_crowd && !was_crowd) break;
        was_crowd = is_crowd;
        if (!located || !read_groups(engine)) {
            tag_fail(engine->result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
            break;
        }
        if (tag_is_over(engine)) break;
        if (filters[i] == FILTER_NONE && has_read(engine) && engine->limits->effort != TAG_READER_FAST
            && !tag_glance_for_blurred(engine)) {
            tag_fail(engine->result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
            break;
        }
        has_answer = has_answer || has_read(engine);
        is_answered = is_answered || (has_read(engine) && !has_unread(engine));
        if (is_answered && !thorough) break;
    }
    int goes_on = !tag_is_over(engine) && engine->limits->effort != TAG_READER_FAST;
    if (goes_on && (thorough || !is_answered) && !tag_read_blurred(engine)) {
        tag_fail(engine->result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
    }
    if (!has_read(engine) && !tag_is_over(engine)) read_plain(engine);
    tag_join_parts(engine);
    if (is_cut(engine) && !has_answer && engine->result->symbol_count <= engine->limits->symbols) {
        tag_fail(engine->result, TAG_READER_TOO_MANY_SYMBOLS,
                 "more places look like symbols than can be tried; the limit is %u symbols",
                 (unsigned)engine->limits->symbols);
    }
}

static void set_effort(TagEngine *engine) {
    switch (engine->limits->effort) {
    case TAG_READER_FAST:
        engine->budget = UINT64_C(10000000);
        engine->share = UINT64_C(2000000);
        engine->last_budget = 0;
        engine->least_score = FAST_SCORE;
        engine->least_pair_score = FAST_PAIR_SCORE;
        break;
    case TAG_READER_THOROUGH:
        engine->budget = UINT64_C(400000000);
        engine->share = UINT64_C(60000000);
        engine->last_budget = UINT64_C(400000000);
        engine->least_score = 0.3f;
        engine->least_pair_score = 0.35f;
        break;
    default:
        engine->budget = UINT64_C(40000000);
        engine->share = UINT64_C(12000000);
        engine->last_budget = UINT64_C(40000000);
        engine->least_score = 0.45f;
        engine->least_pair_score = 0.55f;
    }
}

static int is_settled(const TagEngine *engine) {
    return engine->result->symbol_count > 0 || engine->result->status != TAG_READER_OK;
}

// Pictures of at most this many pixels are enlarged if nothing was found. Their modules may be hardly
// larger than a pixel, too small for all ways to look at them.
#define MOST_DOUBLED 130000

#define MOST_DOUBLED_MODULE 2.5f // in pixels

static int is_worth_doubling(const TagEngine *engine) {
    uint64_t pixels = (uint64_t)engine->picture->width * engine->picture->height;
    if (pixels > MOST_DOUBLED || engine->limits->effort == TAG_READER_FAST) return 0;
    for (uint32_t i = 0; i < engine->unread.count; i++) {
        if (engine->unread.list[i].module > MOST_DOUBLED_MODULE) return 0;
    }
    return 1;
}

static void read_doubled(TagEngine *engine) {
    TagPicture doubled, *picture = engine->picture;
    uint32_t explained = engine->explanation ? engine->explanation->candidate_count : 0;
    if (tag_picture_double(picture, &doubled)) {
        engine->picture = &doubled;
        read_ground(engine);
        engine->picture = picture;
        tag_halve_places(engine, explained);
    } else {
        tag_fail(engine->result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
    }
    tag_picture_free(&doubled);
}

// Reads the present ground, and enlarges it if nothing was found.
static void read_sizes(TagEngine *engine) {
    read_ground(engine);
    if (!is_settled(engine) && is_worth_doubling(engine)) read_doubled(engine);
}

// Reads a picture on a white ground, and what is transparent on a black one too.
static void read_grounds(TagEngine *engine, TagPicture *picture) {
    if (picture->alpha != NULL) {
        tag_picture_from_black_to_white(picture);
        tag_scales_fill(&picture->scales);
    }
    read_sizes(engine);
    if (picture->alpha != NULL && !is_settled(engine)) {
        tag_picture_from_white_to_black(picture);
        tag_scales_fill(&picture->scales);
        read_sizes(engine);
    }
}

void tag_engine_read(TagPicture *picture, const TagReaderLimits *limits, TagReaderResult *result,
                     TagReaderExplanation *explanation) {
    TagEngine *engine = malloc(sizeof *engine);
    TagWork *work = malloc(sizeof *work); // large, and most of it is never touched
    if (engine == NULL || work == NULL) {
        free(engine);
        free(work);
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
        return;
    }
    memset(engine, 0, offsetof(TagEngine, parts));
    engine->finders.work = 0;
    engine->picture = picture;
    engine->limits = limits;
    engine->result = result;
    engine->explanation = explanation;
    engine->work = work;
    set_effort(engine);
    work->spent = 0;
    tag_galois_fill(&work->galois);

    read_grounds(engine, picture);
    if (result->status == TAG_READER_OK) tag_unread_tell(engine);
    tag_explain_picture(engine);
    if (explanation != NULL) explanation->work = work->spent + engine->finders.work;
    free(work);
    free(engine);
}
