// Remembers places that look like symbols and could not be read, so that the search goes on, and a tag
// that stays unread beside others is reported.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

static TagPosition middle_of(const TagPosition outline[4]) {
    TagPosition middle = {0, 0};
    for (int i = 0; i < 4; i++) {
        middle.x += outline[i].x / 4;
        middle.y += outline[i].y / 4;
    }
    return middle;
}

// Whether a place is within an outline: on the same side of all its sides.
static int holds(const TagPosition outline[4], TagPosition place) {
    int left = 0, right = 0;
    for (int i = 0; i < 4; i++) {
        TagPosition from = outline[i], to = outline[(i + 1) % 4];
        float side = (to.x - from.x) * (place.y - from.y) - (to.y - from.y) * (place.x - from.x);
        left += side >= 0;
        right += side <= 0;
    }
    // An outline whose corners are all in one place has no sides, and holds nothing.
    return (left == 4) != (right == 4);
}

// Two symbols that can be read do not overlap so far that the middle of one is in the other.
static int overlap(const TagPosition one[4], const TagPosition other[4]) {
    return holds(one, middle_of(other)) || holds(other, middle_of(one));
}

float tag_module_of(const TagPosition outline[4], int dimension) {
    return hypotf(outline[1].x - outline[0].x, outline[1].y - outline[0].y) / (float)dimension;
}

int tag_read_outline(const TagEngine *engine, size_t index, TagPosition outline[4]) {
    const TagReaderResult *result = engine->result;
    if (index >= result->symbol_count) {
        size_t part = index - result->symbol_count;
        if (part >= engine->part_count) return 0;
        memcpy(outline, engine->parts[part].outline, sizeof engine->parts[part].outline);
        return 1;
    }
    const TagReaderSymbol *symbol = &result->symbols[index];
    for (uint32_t i = 0; i < 4; i++) {
        // Where corners are missing, all are in one place, and hold nothing.
        uint32_t k = symbol->corner_count == 4 ? i : 0;
        outline[i] = (TagPosition){(float)symbol->corners[k].x, (float)symbol->corners[k].y};
    }
    return 1;
}

int tag_is_read(const TagEngine *engine, const TagPosition outline[4]) {
    TagPosition read[4];
    for (size_t i = 0; tag_read_outline(engine, i, read); i++) {
        if (overlap(outline, read)) return 1;
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
    for (uint32_t i = 0; i < unread->count; i++) {
        if (!overlap(outline, unread->list[i].outline)) continue;
        if (unread->list[i].likeness >= likeness) return;
        unread->list[i] = unread->list[--unread->count];
        i--;
    }
    if (unread->count == TAG_MOST_UNREAD) return;
    TagUnreadPlace *place = &unread->list[unread->count++];
    memcpy(place->outline, outline, sizeof place->outline);
    place->likeness = likeness;
    place->module = tag_module_of(outline, dimension);
}

#define LEAST_APART 0.4f // in modules

int tag_try_out(TagEngine *engine, const TagPosition outline[4], int dimension) {
    float reach = LEAST_APART * tag_module_of(outline, dimension);
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
