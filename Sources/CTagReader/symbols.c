// The symbols of one picture: copied, sorted, without duplicates.

#include "tag_picture.h"

#include <stdlib.h>
#include <string.h>

TagReaderPoint tag_point(float x, float y) {
    // NaN fails both comparisons.
    float most = 1e9f;
    return (TagReaderPoint){
        x > -most ? (x < most ? (int32_t)x : (int32_t)most) : (int32_t)-most,
        y > -most ? (y < most ? (int32_t)y : (int32_t)most) : (int32_t)-most,
    };
}

typedef struct Box {
    int64_t left, top, right, bottom;
} Box;

static Box box_of(const TagReaderSymbol *symbol) {
    Box box = {symbol->corners[0].x, symbol->corners[0].y, symbol->corners[0].x,
               symbol->corners[0].y};
    for (uint32_t i = 1; i < symbol->corner_count; i++) {
        TagReaderPoint corner = symbol->corners[i];
        if (corner.x < box.left) box.left = corner.x;
        if (corner.x > box.right) box.right = corner.x;
        if (corner.y < box.top) box.top = corner.y;
        if (corner.y > box.bottom) box.bottom = corner.y;
    }
    return box;
}

// Whether the centre of each lies in the other's box. Then one symbol was read twice, because two
// readable symbols cannot overlap so far. A symbol without corners matches any place.
static int same_place(const TagReaderSymbol *one, const TagReaderSymbol *other) {
    if (one->corner_count == 0 || other->corner_count == 0) return 1;
    Box a = box_of(one);
    Box b = box_of(other);
    int64_t ax = (a.left + a.right) / 2, ay = (a.top + a.bottom) / 2;
    int64_t bx = (b.left + b.right) / 2, by = (b.top + b.bottom) / 2;
    return ax >= b.left && ax <= b.right && ay >= b.top && ay <= b.bottom
        && bx >= a.left && bx <= a.right && by >= a.top && by <= a.bottom;
}

static int is_known_symbol(const TagReaderResult *result, const TagReaderSymbol *symbol) {
    for (size_t i = 0; i < result->symbol_count; i++) {
        const TagReaderSymbol *known = &result->symbols[i];
        if (known->count == symbol->count && known->is_partial == symbol->is_partial
            && known->refusal == symbol->refusal && known->character_set == symbol->character_set
            && (symbol->count == 0 || memcmp(known->bytes, symbol->bytes, symbol->count) == 0)
            && same_place(known, symbol)) {
            return 1;
        }
    }
    return 0;
}

int tag_symbols_add(TagReaderResult *result, const TagReaderSymbol *symbol) {
    if (is_known_symbol(result, symbol)) return 1;
    TagReaderSymbol *grown = realloc(result->symbols, (result->symbol_count + 1) * sizeof *grown);
    if (grown == NULL) return 0;
    result->symbols = grown;
    uint8_t *bytes = malloc(symbol->count + 1); // never 0 bytes
    if (bytes == NULL) return 0;
    if (symbol->count > 0) memcpy(bytes, symbol->bytes, symbol->count);
    grown[result->symbol_count] = *symbol;
    grown[result->symbol_count].bytes = bytes;
    result->symbol_count += 1;
    return 1;
}

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

static int compare(const void *left, const void *right) {
    const TagReaderSymbol *a = left;
    const TagReaderSymbol *b = right;
    // Without corners there is no position: such a symbol comes last.
    COMPARE(a->corner_count == 0, b->corner_count == 0);
    if (a->corner_count > 0) {
        // By the outline, because the first corner depends on the rotation of the tag.
        Box a_box = box_of(a), b_box = box_of(b);
        COMPARE(a_box.top, b_box.top);
        COMPARE(a_box.left, b_box.left);
    }
    size_t shared = a->count < b->count ? a->count : b->count;
    int order = shared == 0 ? 0 : memcmp(a->bytes, b->bytes, shared);
    if (order != 0) return order;
    COMPARE(a->count, b->count);
    return 0;
}

void tag_symbols_sort(TagReaderResult *result) {
    if (result->symbol_count > 1) {
        qsort(result->symbols, result->symbol_count, sizeof *result->symbols, compare);
    }
}
