// The engine: finds symbols on one ground after the other and has them read.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is done to the scales before finder patterns are looked for.
typedef enum Filter {
    FILTER_NONE,
    FILTER_SHARPEN, // against blur, and where modules are hardly a pixel
    FILTER_SMOOTH,  // against noise
} Filter;

// Larger scales than this are not filtered: filters visit every pixel.
#define MOST_FILTERED 3200000

// Looks for finder patterns on all scales, the smallest first.
static int locate(TagEngine *engine, Filter filter) {
    const TagScales *scales = &engine->picture->scales;
    for (uint32_t level = scales->count; level-- > 0;) {
        TagPlane plane = scales->level[level];
        uint64_t pixels = (uint64_t)plane.width * plane.height;
        // The innermost square of a pattern that only this scale shows is three to six pixels high.
        uint32_t step = pixels > 6000000 ? 4 : pixels > 1200000 ? 3 : pixels > 250000 ? 2 : 1;
        uint8_t *filtered = NULL;
        if (filter != FILTER_NONE) {
            step = step > 2 ? 2 : step;
            if (pixels > MOST_FILTERED) continue;
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

// Reads the groups that are listed, as long as the work since `start` is within the budget; moves
// `start` on by what is not to count. Returns whether there may be more to read.
static int read_listed(TagEngine *engine, uint64_t *start) {
    int read = 0;
    for (uint32_t i = 0; i < engine->groups.count; i++) {
        const TagGroup *group = &engine->groups.list[i];
        if (is_used(engine, group) || is_tried(engine, group)) continue;
        if (engine->work->spent - *start > engine->budget) return 0;
        uint64_t before = engine->work->spent;
        TagHypothesis succeeded;
        if (!tag_present(engine, group, &succeeded)) continue;
        read = 1;
        // The budget is for what is in vain: many symbols that are read must not use it up.
        uint64_t cost = engine->work->spent - before;
        *start += cost < engine->budget / 32 ? cost : engine->budget / 32;
        for (int k = 0; k < 3; k++) engine->used[group->indexes[k]] = 1;
        if (engine->result->status != TAG_READER_OK) return 0;
        if (engine->result->symbol_count > engine->limits->symbols) return 0;
    }
    return read && engine->groups.is_cut;
}

// A list holds the groups of some twenty symbols. Where it was read from and is not all, the next one
// begins with the penalty at which it ended, and without the finders of what was read.
static void read_groups(TagEngine *engine) {
    TagGroups *groups = &engine->groups;
    uint64_t start = engine->work->spent;
    float least_penalty = -INFINITY;
    do {
        tag_groups_make(&engine->finders, engine->used, least_penalty, groups);
        if (groups->count == TAG_MOST_GROUPS) {
            least_penalty = groups->list[groups->count - 1].penalty;
        }
    } while (read_listed(engine, &start));
    engine->tried_finders = engine->finders.count;
}

// zbar on the picture as it is, or with light and dark exchanged.
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

// Larger scales than this are scanned as they are only when thoroughness is asked for.
#define MOST_PLAIN 1000000

// The last resort: what looked like a symbol and would not be read is left to zbar's own ways. A
// picture without anything of the kind is not scanned, since that costs more than all the rest.
static void read_plain(TagEngine *engine) {
    const TagScales *scales = &engine->picture->scales;
    int thorough = engine->limits->effort == TAG_READER_THOROUGH;
    if (engine->limits->effort == TAG_READER_FAST) return;
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

// In noise every few pixels are another colour. Most other pictures have far fewer changes, and fine
// print less than one in seven pixels.
static int is_noisy(const TagEngine *engine) {
    return engine->finders.edges * 6 > engine->finders.row_pixels;
}

static void read_ground(TagEngine *engine) {
    static const Filter filters[] = {FILTER_NONE, FILTER_SHARPEN, FILTER_SMOOTH};
    engine->finders.count = 0;
    engine->finders.edges = 0;
    engine->finders.row_pixels = 0;
    engine->tried_finders = 0;
    memset(engine->used, 0, sizeof engine->used);
    memset(engine->promising, 0, sizeof engine->promising);
    int thorough = engine->limits->effort == TAG_READER_THOROUGH;
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        if (filters[i] != FILTER_NONE && engine->limits->effort == TAG_READER_FAST) break;
        if (filters[i] == FILTER_SHARPEN && is_noisy(engine) && !thorough) continue;
        if (filters[i] == FILTER_SMOOTH && !is_noisy(engine) && !thorough) continue;
        if (!locate(engine, filters[i])) {
            tag_fail(engine->result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
            return;
        }
        read_groups(engine);
        if (engine->result->symbol_count > 0 || engine->part_count > 0) break;
        if (engine->result->status != TAG_READER_OK) break;
    }
    if (engine->result->symbol_count == 0 && engine->part_count == 0
        && engine->result->status == TAG_READER_OK) {
        read_plain(engine);
    }
    if (engine->part_count > 0 && engine->result->status == TAG_READER_OK) {
        tag_scan_drawings(engine->parts, engine->part_count, 0, engine->result);
    }
    for (uint32_t i = 0; i < engine->part_count; i++) free(engine->parts[i].modules);
    engine->part_count = 0;
}

static void set_effort(TagEngine *engine) {
    switch (engine->limits->effort) {
    case TAG_READER_FAST:
        engine->budget = UINT64_C(10000000);
        engine->share = UINT64_C(2000000);
        engine->least_score = 0.7f;
        engine->least_pair_score = 0.8f;
        break;
    case TAG_READER_THOROUGH:
        engine->budget = UINT64_C(400000000);
        engine->share = UINT64_C(60000000);
        engine->least_score = 0.3f;
        engine->least_pair_score = 0.35f;
        break;
    default:
        engine->budget = UINT64_C(40000000);
        engine->share = UINT64_C(12000000);
        engine->least_score = 0.45f;
        engine->least_pair_score = 0.55f;
    }
}

void tag_engine_read(TagPicture *picture, const TagReaderLimits *limits, TagReaderResult *result,
                     TagReaderExplanation *explanation) {
    TagEngine *engine = calloc(1, sizeof *engine);
    TagWork *work = malloc(sizeof *work); // large, and most of it is never touched
    if (engine == NULL || work == NULL) {
        free(engine);
        free(work);
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory for scanning cannot be had");
        return;
    }
    engine->picture = picture;
    engine->limits = limits;
    engine->result = result;
    engine->explanation = explanation;
    engine->work = work;
    set_effort(engine);
    work->spent = 0;
    tag_galois_fill(&work->galois);

    if (picture->alpha != NULL) {
        tag_picture_from_black_to_white(picture);
        tag_scales_fill(&picture->scales);
    }
    read_ground(engine);
    if (picture->alpha != NULL && result->symbol_count == 0 && result->status == TAG_READER_OK) {
        tag_picture_from_white_to_black(picture);
        tag_scales_fill(&picture->scales);
        read_ground(engine);
    }
    tag_explain_picture(engine);
    if (explanation != NULL) explanation->work = work->spent + engine->finders.work;
    free(work);
    free(engine);
}
