// Makes symbols of corrected data, and joins the parts of structured appends.

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_corner(TagReaderSymbol *symbol, float x, float y) {
    symbol->corners[symbol->corner_count++] = tag_point(x, y);
}

// In zbar's order: top left, then anticlockwise.
static void put_outline(TagReaderSymbol *symbol, const TagPosition outline[4]) {
    for (int k = 0; k < 4; k++) put_corner(symbol, outline[(4 - k) % 4].x, outline[(4 - k) % 4].y);
}

// Adds a text as a symbol, at the corners that are already in `symbol`. Returns 0 after a failure.
static int add_text(TagEngine *engine, const TagText *text, TagReaderSymbol *symbol) {
    int added = tag_text_tell(text, symbol);
    if (added) added = tag_symbols_add(engine->result, symbol);
    free((void *)(uintptr_t)symbol->bytes);
    if (!added) {
        tag_fail(engine->result, TAG_READER_OUT_OF_MEMORY, "memory ran out while symbols were kept");
    }
    return added;
}

static int keep_part(TagEngine *engine, TagAppend append, int version,
                     const TagPosition outline[4]) {
    if (engine->part_count == TAG_MOST_PARTS) {
        engine->is_cut = 1;
        return 0;
    }
    const TagWork *work = engine->work;
    TagPart part = {.append = append, .version = version, .count = work->data_count};
    part.data = malloc(part.count);
    if (part.data == NULL) {
        tag_fail(engine->result, TAG_READER_OUT_OF_MEMORY, "memory ran out while symbols were kept");
        return 0;
    }
    memcpy(part.data, work->data, part.count);
    memcpy(part.outline, outline, sizeof part.outline);
    engine->parts[engine->part_count++] = part;
    return 1;
}

int tag_decode(TagEngine *engine, const TagVerdict *verdict, const TagPosition outline[4]) {
    TagWork *work = engine->work;
    int version = (work->dimension - 17) / 4;
    TagText text = {0};
    TagAppend append;
    TagPosition upright[4];
    for (int i = 0; i < 4; i++) upright[i] = outline[verdict->mirrored ? (4 - i) % 4 : i];
    int decoded = 0;
    switch (tag_segments_read(work->data, work->data_count, version, &text, &append)) {
    case TAG_SEGMENTS_READ:
        if (append.count > 1) {
            decoded = keep_part(engine, append, version, upright);
        } else {
            TagReaderSymbol symbol = {0};
            put_outline(&symbol, upright);
            decoded = add_text(engine, &text, &symbol);
        }
        break;
    case TAG_SEGMENTS_NO_MEMORY:
        tag_fail(engine->result, TAG_READER_OUT_OF_MEMORY, "memory ran out while symbols were kept");
        break;
    case TAG_SEGMENTS_SENSELESS: engine->has_senseless = 1; break;
    }
    tag_text_free(&text);
    if (decoded) {
        float module = tag_module_of(outline, work->dimension);
        engine->least_module = fminf(engine->least_module, module);
    }
    work->spent += work->data_count * 16;
    return decoded;
}

// --- Structured appends ---

#define MOST_IN_APPEND 16

static int is_same_part(const TagPart *one, const TagPart *other) {
    return one->append.index == other->append.index && one->count == other->count
        && one->version == other->version && memcmp(one->data, other->data, one->count) == 0;
}

// The parts of one append, each at most once.
typedef struct Append {
    const TagPart *parts[MOST_IN_APPEND];
    uint32_t count;  // of different parts that were found
    int is_disputed; // two different parts claim one place
} Append;

// Gathers what seems to belong to the append of `parts[first]`, and marks it as taken.
static void gather_parts(const TagEngine *engine, uint32_t first, uint8_t *taken, Append *append) {
    TagAppend wanted = engine->parts[first].append;
    memset(append, 0, sizeof *append);
    for (uint32_t i = first; i < engine->part_count; i++) {
        const TagPart *part = &engine->parts[i];
        if (part->append.count != wanted.count || part->append.parity != wanted.parity) continue;
        taken[i] = 1;
        const TagPart **place = &append->parts[part->append.index];
        if (*place == NULL) {
            *place = part;
            append->count++;
        } else if (!is_same_part(*place, part)) {
            append->is_disputed = 1;
        }
    }
}

// Whether the parity that the parts carry is that of the text. It is the sum of all bytes before they
// were encoded. Some printers compute it from ISO 8859-1 and then encode UTF-8.
static int has_parity(const TagText *text, uint8_t parity) {
    uint8_t sum = 0, latin = 0;
    for (size_t i = 0; i < text->count; i++) {
        uint8_t byte = text->bytes[i];
        sum ^= byte;
        if (byte < 0xC0) latin ^= byte;
        if (byte == 0xC3) latin ^= 0x40;
        // Of FNC1, only the text after it counts; whether as a separator is not agreed.
        if (text->fnc1 != 0) return 1;
    }
    return sum == parity || latin == parity;
}

// Adds the whole text if every part is there and they belong together. Returns whether it did.
static int add_joined(TagEngine *engine, const Append *append) {
    const TagPart *first = append->parts[0];
    if (append->is_disputed || first == NULL || append->count < first->append.count) return 0;
    TagText text = {0};
    TagAppend header;
    float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    int is_read = 1;
    for (uint32_t i = 0; i < append->count && is_read; i++) {
        const TagPart *part = append->parts[i];
        is_read = tag_segments_read(part->data, part->count, part->version, &text, &header)
            == TAG_SEGMENTS_READ;
        for (int k = 0; k < 4; k++) {
            left = fminf(left, part->outline[k].x);
            right = fmaxf(right, part->outline[k].x);
            top = fminf(top, part->outline[k].y);
            bottom = fmaxf(bottom, part->outline[k].y);
        }
    }
    int added = 0;
    if (is_read && has_parity(&text, first->append.parity)) {
        TagReaderSymbol symbol = {0};
        put_corner(&symbol, left, top);
        put_corner(&symbol, left, bottom);
        put_corner(&symbol, right, bottom);
        put_corner(&symbol, right, top);
        added = add_text(engine, &text, &symbol);
    }
    tag_text_free(&text);
    return added;
}

static void add_part(TagEngine *engine, const TagPart *part) {
    TagText text = {0};
    TagAppend header;
    if (tag_segments_read(part->data, part->count, part->version, &text, &header)
        == TAG_SEGMENTS_READ) {
        TagReaderSymbol symbol = {.is_partial = 1};
        put_outline(&symbol, part->outline);
        add_text(engine, &text, &symbol);
    }
    tag_text_free(&text);
}

void tag_join_parts(TagEngine *engine) {
    uint8_t taken[TAG_MOST_PARTS] = {0};
    for (uint32_t i = 0; i < engine->part_count; i++) {
        if (taken[i] || engine->result->status != TAG_READER_OK) continue;
        Append append;
        gather_parts(engine, i, taken, &append);
        if (add_joined(engine, &append)) continue;
        for (uint32_t k = i; k < engine->part_count; k++) {
            const TagAppend *other = &engine->parts[k].append;
            if (other->count == engine->parts[i].append.count
                && other->parity == engine->parts[i].append.parity) {
                add_part(engine, &engine->parts[k]);
            }
        }
    }
    for (uint32_t i = 0; i < engine->part_count; i++) free(engine->parts[i].data);
    engine->part_count = 0;
}
