// Reads symbols that are so blurred that no finder pattern is seen.

#include "tag_engine.h"

// Finds spots on the levels of at most this many pixels, and outlines of symbols by them. Returns 0 if
// there is no memory.
static int find_outlines(TagEngine *engine, uint64_t most_pixels, int is_brief) {
    const TagScales *scales = &engine->picture->scales;
    TagSpots *spots = &engine->spots;
    spots->count = 0;
    spots->work = 0;
    for (uint32_t level = scales->count; level-- > 0;) {
        uint64_t pixels = (uint64_t)scales->level[level].width * scales->level[level].height;
        if (pixels > most_pixels) break;
        if (!tag_spots_find(spots, scales, level, tag_is_noisy(engine), is_brief)) return 0;
    }
    // Those in symbols that were read tell nothing new.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < spots->count; i++) {
        TagPosition place[4];
        for (int k = 0; k < 4; k++) place[k] = spots->list[i].centre;
        if (!tag_is_read(engine, place)) spots->list[kept++] = spots->list[i];
    }
    spots->count = kept;
    if (!tag_outlines_find(&engine->outlines, spots, scales)) return 0;
    engine->work->spent += spots->work + engine->outlines.work;
    return 1;
}

int tag_read_blurred(TagEngine *engine) {
    if (!find_outlines(engine, TAG_MOST_FILTERED, 0)) return 0;
    for (uint32_t i = 0; i < engine->outlines.count && !tag_is_over(engine); i++) {
        const TagOutline *outline = &engine->outlines.list[i];
        if (!tag_is_read(engine, outline->corners)) tag_present_outline(engine, outline);
    }
    return 1;
}

// Beside a symbol that was read, small scales show whether there is a blurred one: they cost a small
// share of what reading did.
#define GLANCE_PIXELS 80000
#define GLANCE_SHARE 4 // of the picture's pixels

int tag_glance_for_blurred(TagEngine *engine) {
    const TagPlane *whole = &engine->picture->scales.level[0];
    uint64_t pixels = (uint64_t)whole->width * whole->height;
    uint64_t most = pixels / GLANCE_SHARE;
    if (!find_outlines(engine, most < GLANCE_PIXELS ? most : GLANCE_PIXELS, 1)) return 0;
    for (uint32_t i = 0; i < engine->outlines.count; i++) {
        tag_unread_note_outline(engine, &engine->outlines.list[i]);
    }
    return 1;
}
