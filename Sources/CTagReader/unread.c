// Remembers places that look like symbols and could not be read, so that the search goes on, and a tag
// that stays unread beside others is reported.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

typedef struct Extent {
    float left, top, right, bottom;
} Extent;

static void widen(Extent *box, float x, float y) {
    box->left = fminf(box->left, x);
    box->right = fmaxf(box->right, x);
    box->top = fminf(box->top, y);
    box->bottom = fmaxf(box->bottom, y);
}

static const Extent nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static Extent extent_of(const TagPosition outline[4]) {
    Extent box = nowhere;
    for (int i = 0; i < 4; i++) widen(&box, outline[i].x, outline[i].y);
    return box;
}

static int holds_middle(const Extent *box, const Extent *other) {
    float x = (other->left + other->right) / 2, y = (other->top + other->bottom) / 2;
    return x >= box->left && x <= box->right && y >= box->top && y <= box->bottom;
}

// Two symbols that can be read do not overlap so far that the middle of one is in the other.
static int overlap(const Extent *one, const Extent *other) {
    return holds_middle(one, other) || holds_middle(other, one);
}

// The length of a module, by one side.
static float module_of(const TagPosition outline[4], int dimension) {
    return hypotf(outline[1].x - outline[0].x, outline[1].y - outline[0].y) / (float)dimension;
}

int tag_is_read(const TagEngine *engine, const TagPosition outline[4]) {
    Extent box = extent_of(outline);
    for (size_t i = 0; i < engine->result->symbol_count; i++) {
        const TagReaderSymbol *symbol = &engine->result->symbols[i];
        Extent other = nowhere;
        for (uint32_t k = 0; k < symbol->corner_count; k++) {
            widen(&other, (float)symbol->corners[k].x, (float)symbol->corners[k].y);
        }
        if (overlap(&box, &other)) return 1;
    }
    for (uint32_t i = 0; i < engine->part_count; i++) {
        Extent other = extent_of(engine->parts[i].outline);
        if (overlap(&box, &other)) return 1;
    }
    return 0;
}

// Places that look less like a symbol are not taken for an unread one.
#define LEAST_LIKENESS 0.85f

void tag_unread_note_outline(TagEngine *engine, const TagOutline *outline) {
    // Of outlines that were read, none was less alike than 0.7, and of groups, none agreed less than the
    // least likeness.
    tag_unread_note(engine, outline->corners, outline->dimension, outline->score + 0.15f);
}

void tag_unread_note(TagEngine *engine, const TagPosition outline[4], int dimension,
                     float likeness) {
    if (!(likeness > LEAST_LIKENESS)) return;
    TagUnread *unread = &engine->unread;
    Extent box = extent_of(outline);
    for (uint32_t i = 0; i < unread->count; i++) {
        Extent other = extent_of(unread->list[i].outline);
        if (!overlap(&box, &other)) continue;
        if (unread->list[i].likeness >= likeness) return;
        unread->list[i] = unread->list[--unread->count];
        i--;
    }
    if (unread->count == TAG_MOST_UNREAD) return;
    TagUnreadPlace *place = &unread->list[unread->count++];
    memcpy(place->outline, outline, sizeof place->outline);
    place->likeness = likeness;
    place->module = module_of(outline, dimension);
}

#define LEAST_APART 0.4f // in modules

int tag_try_out(TagEngine *engine, const TagPosition outline[4], int dimension) {
    float reach = LEAST_APART * module_of(outline, dimension);
    TagTriedOut *tried = &engine->tried_out;
    for (uint32_t i = 0; i < tried->count; i++) {
        int near = tried->dimensions[i] == dimension;
        for (int k = 0; k < 4 && near; k++) {
            float dx = tried->outlines[i][k].x - outline[k].x;
            float dy = tried->outlines[i][k].y - outline[k].y;
            near = dx * dx + dy * dy < reach * reach;
        }
        if (near) return 0;
    }
    if (tried->count == TAG_MOST_TRIED_OUT) return 0;
    memcpy(tried->outlines[tried->count], outline, sizeof tried->outlines[0]);
    tried->dimensions[tried->count++] = dimension;
    return 1;
}

uint32_t tag_unread_settle(TagEngine *engine) {
    TagUnread *unread = &engine->unread;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < unread->count; i++) {
        if (!tag_is_read(engine, unread->list[i].outline)) unread->list[kept++] = unread->list[i];
    }
    unread->count = kept;
    return kept;
}

void tag_unread_tell(TagEngine *engine) {
    TagReaderResult *result = engine->result;
    uint32_t count = tag_unread_settle(engine);
    result->unread_count = count < TAG_READER_MOST_UNREAD ? count : TAG_READER_MOST_UNREAD;
    for (uint32_t i = 0; i < result->unread_count; i++) {
        const TagPosition *outline = engine->unread.list[i].outline;
        for (int k = 0; k < 4; k++) {
            result->unread[i].corners[k] = tag_point(outline[k].x, outline[k].y);
        }
    }
}
