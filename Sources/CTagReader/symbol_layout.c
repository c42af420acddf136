// The common modules of all symbols of a version, from ISO/IEC 18004: finder, timing and alignment
// patterns, and the positions of the format.

#include "tag_engine.h"

#include <string.h>

static void set(uint8_t *kinds, int dimension, int column, int row, uint8_t kind) {
    if (column < 0 || row < 0 || column >= dimension || row >= dimension) return;
    kinds[row * dimension + column] = kind;
}

// Draws nested squares around a centre, the outermost `reach` modules to each side; bit i of `dark`
// tells whether the square at distance i is dark.
static void set_squares(uint8_t *kinds, int dimension, int column, int row, int reach,
                        unsigned dark) {
    for (int dy = -reach; dy <= reach; dy++) {
        for (int dx = -reach; dx <= reach; dx++) {
            int ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
            int distance = ax > ay ? ax : ay;
            set(kinds, dimension, column + dx, row + dy,
                dark >> distance & 1 ? TAG_MODULE_DARK : TAG_MODULE_LIGHT);
        }
    }
}

int tag_layout_alignments(int dimension, int centres[7]) {
    int version = (dimension - 17) / 4;
    if (version < 2) return 0;
    int count = version / 7 + 2;
    // In even steps from the far end; the first step takes the remainder. Only version 32 is an
    // exception.
    int step = version == 32 ? 26 : (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2;
    centres[0] = 6;
    for (int i = 1; i < count; i++) centres[i] = dimension - 7 - (count - 1 - i) * step;
    return count;
}

static void set_version(uint8_t *kinds, int dimension) {
    int version = (dimension - 17) / 4;
    if (version < 7) return;
    uint32_t remainder = (uint32_t)version << 12;
    for (int bit = 17; bit >= 12; bit--) {
        if (remainder >> bit & 1) remainder ^= UINT32_C(0x1F25) << (bit - 12);
    }
    uint32_t bits = (uint32_t)version << 12 | remainder;
    for (int i = 0; i < 18; i++) {
        uint8_t kind = bits >> i & 1 ? TAG_MODULE_DARK : TAG_MODULE_LIGHT;
        int far = dimension - 11 + i % 3, near = i / 3;
        set(kinds, dimension, far, near, kind);
        set(kinds, dimension, near, far, kind);
    }
}

void tag_format_place(int dimension, int copy, int bit, int *column, int *row) {
    if (copy == 0) {
        *column = bit < 8 ? 8 : bit == 8 ? 7 : 14 - bit;
        *row = bit < 6 ? bit : bit < 8 ? bit + 1 : 8;
    } else {
        *column = bit < 8 ? dimension - 1 - bit : 8;
        *row = bit < 8 ? 8 : dimension - 15 + bit;
    }
}

void tag_layout_fill(int dimension, uint8_t *kinds) {
    memset(kinds, TAG_MODULE_DATA, (size_t)dimension * (size_t)dimension);
    for (int i = 0; i < dimension; i++) {
        uint8_t kind = i % 2 == 0 ? TAG_MODULE_DARK : TAG_MODULE_LIGHT;
        set(kinds, dimension, i, 6, kind);
        set(kinds, dimension, 6, i, kind);
    }
    int centres[7];
    int count = tag_layout_alignments(dimension, centres);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            int in_finder =
                (i == 0 && k == 0) || (i == 0 && k == count - 1) || (i == count - 1 && k == 0);
            if (!in_finder) set_squares(kinds, dimension, centres[i], centres[k], 2, 0x5);
        }
    }
    set_version(kinds, dimension);
    for (int copy = 0; copy < 2; copy++) {
        for (int bit = 0; bit < 15; bit++) {
            int column, row;
            tag_format_place(dimension, copy, bit, &column, &row);
            set(kinds, dimension, column, row, TAG_MODULE_FORMAT);
        }
    }
    set(kinds, dimension, 8, dimension - 8, TAG_MODULE_DARK);
    // Last, because their light borders cover the ends of the timing patterns.
    set_squares(kinds, dimension, 3, 3, 4, 0xB);
    set_squares(kinds, dimension, dimension - 4, 3, 4, 0xB);
    set_squares(kinds, dimension, 3, dimension - 4, 4, 0xB);
}
