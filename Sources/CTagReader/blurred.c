// Reads symbols whose finder patterns are so blurred that only spots are seen, or so worn that they tell no grid.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>

// Marks the pixels of a plane that are within an outline given in its pixels.
static void cover(const TagPlane *plane, const TagPosition outline[4], uint8_t *covered) {
    float top = (float)plane->height, bottom = 0;
    for (int i = 0; i < 4; i++) {
        top = fminf(top, outline[i].y);
        bottom = fmaxf(bottom, outline[i].y);
    }
    bottom = fminf(bottom, (float)plane->height);
    for (uint32_t y = (uint32_t)fmaxf(top, 0); (float)y < bottom; y++) {
        float line = (float)y + 0.5f, from = (float)plane->width, to = 0;
        for (int i = 0; i < 4; i++) {
            TagPosition a = outline[i], b = outline[(i + 1) % 4];
            if ((a.y <= line) == (b.y <= line)) continue;
            float x = a.x + (line - a.y) / (b.y - a.y) * (b.x - a.x);
            from = fminf(from, x);
            to = fmaxf(to, x);
        }
        for (float x = fmaxf(from, 0); x < fminf(to, (float)plane->width); x++) {
            covered[(size_t)y * plane->width + (size_t)x] = 1;
        }
    }
}

// Finds spots on one level where no symbol was read: those in one tell nothing new.
static int find_spots(TagEngine *engine, uint32_t level, int is_glance) {
    const TagScales *scales = &engine->picture->scales;
    const TagPlane *plane = &scales->level[level];
    float size = (float)(1u << level);
    uint8_t *covered = NULL;
    TagPosition outline[4];
    for (size_t i = 0; tag_read_outline(engine, i, outline); i++) {
        if (covered == NULL) covered = calloc((size_t)plane->width, plane->height);
        if (covered == NULL) return 0;
        for (int k = 0; k < 4; k++) {
            outline[k].x /= size;
            outline[k].y /= size;
        }
        cover(plane, outline, covered);
    }
    int found = tag_spots_find(&engine->spots, scales, level, tag_is_noisy(engine), covered,
                               is_glance);
    free(covered);
    return found;
}

// Finds outlines of symbols by the spots. Returns 0 if there is no memory.
static int find_outlines(TagEngine *engine, int is_glance) {
    const TagScales *scales = &engine->picture->scales;
    if (!tag_outlines_find(&engine->outlines, &engine->spots, scales, is_glance)) return 0;
    engine->work->spent += engine->spots.work + engine->outlines.work;
    return 1;
}

// The same by spots on this level and the smaller ones.
static int find_blurred(TagEngine *engine, uint32_t largest, int is_glance) {
    engine->spots.count = 0;
    engine->spots.work = 0;
    for (uint32_t level = engine->picture->scales.count; level-- > largest;) {
        if (!find_spots(engine, level, is_glance)) return 0;
    }
    return find_outlines(engine, is_glance);
}

// The same by finder patterns, as spots: where print is missing, their frames and sizes may be wrong, and what is
// known of a symbol tells better which belong together.
static int find_worn(TagEngine *engine) {
    engine->spots.count = 0;
    engine->spots.work = 0;
    for (uint32_t i = 0; i < engine->finders.count; i++) {
        const TagFinder *finder = &engine->finders.list[i];
        TagSpot spot = {finder->centre, finder->module, finder->quality, finder->light};
        if (!engine->used[i]) tag_spots_keep(&engine->spots, spot);
    }
    return find_outlines(engine, 0);
}

static void read_outlines(TagEngine *engine) {
    for (uint32_t i = 0; i < engine->outlines.count && !tag_is_over(engine); i++) {
        const TagOutline *outline = &engine->outlines.list[i];
        if (!tag_is_read(engine, outline->corners)) tag_present_outline(engine, outline);
    }
}

// The largest level of at most this many pixels.
static uint32_t level_of(const TagScales *scales, uint64_t most_pixels) {
    uint32_t level = 0;
    while (level < scales->count
           && (uint64_t)scales->level[level].width * scales->level[level].height > most_pixels) {
        level++;
    }
    return level;
}

int tag_read_blurred(TagEngine *engine) {
    uint32_t level = level_of(&engine->picture->scales, TAG_MOST_FILTERED);
    if (!find_blurred(engine, level, 0)) return 0;
    read_outlines(engine);
    if (!find_worn(engine)) return 0;
    read_outlines(engine);
    return 1;
}

// Beside a symbol that was read, there may be a blurred one that is not much smaller. A small level shows
// it; larger ones would take long.
#define GLANCE_SHARE 0.7 // of the shortest module that was read
#define GLANCE_PIXELS 80000 // are looked at in any case

int tag_glance_for_blurred(TagEngine *engine) {
    const TagScales *scales = &engine->picture->scales;
    uint32_t level = tag_level_for(scales, (double)engine->least_module * GLANCE_SHARE,
                                   (double)TAG_LEAST_SPOT_MODULE);
    uint32_t small = level_of(scales, GLANCE_PIXELS), large = level_of(scales, TAG_MOST_FILTERED);
    if (level > small) level = small;
    if (level < large) level = large;
    if (!find_blurred(engine, level, 1)) return 0;
    for (uint32_t i = 0; i < engine->outlines.count; i++) {
        tag_unread_note_outline(engine, &engine->outlines.list[i]);
    }
    return 1;
}
