// Checks whether error correction of a symbol would succeed on the decided modules.
//
// This changes nothing and gives no payload: zbar decodes. It decides in microseconds what would
// take zbar a thousand times as long. So many ways of reading a difficult symbol can be compared,
// and zbar gets only the one that will succeed. It is also stricter: it rejects a block that a
// random word would pass too easily, as ISO/IEC 18004 requires for the small versions.
//
// The numbers of blocks and of their codewords are those of ISO/IEC 18004, table 9.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

// By level as the format encodes it: 0 M, 1 L, 2 H, 3 Q; then by version from 1.
static const uint8_t parity_counts[4][40] = {
    {10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
     26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28},
    {7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
     28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30},
    {17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28,
     30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30},
    {13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30,
     28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30},
};
static const uint8_t block_counts[4][40] = {
    {1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
     17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49},
    {1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
     8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25},
    {1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25,
     25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81},
    {1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20,
     23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68},
};

// The logarithm to base 10 of the chance that random words pass; blocks above this are rejected.
#define MOST_CHANCE -7.5

void tag_galois_fill(TagGalois *galois) {
    unsigned value = 1;
    memset(galois, 0, sizeof *galois);
    for (unsigned i = 0; i < 255; i++) {
        galois->power[i] = (uint8_t)value;
        galois->power[i + 255] = (uint8_t)value;
        galois->logarithm[value] = (uint8_t)i;
        value <<= 1;
        if (value & 0x100) value ^= 0x11D;
    }
}

static inline uint8_t times(const TagGalois *galois, uint8_t a, uint8_t b) {
    if (a == 0 || b == 0) return 0;
    return galois->power[galois->logarithm[a] + galois->logarithm[b]];
}

uint32_t tag_format_bits(int level, int mask) {
    uint32_t data = (uint32_t)(level << 3 | mask), remainder = data << 10;
    for (int bit = 14; bit >= 10; bit--) {
        if (remainder >> bit & 1) remainder ^= UINT32_C(0x537) << (bit - 10);
    }
    return (data << 10 | remainder) ^ UINT32_C(0x5412);
}

static int is_masked(int mask, int x, int y) {
    switch (mask) {
    case 0: return (x + y) % 2 == 0;
    case 1: return y % 2 == 0;
    case 2: return x % 3 == 0;
    case 3: return (x + y) % 3 == 0;
    case 4: return (x / 3 + y / 2) % 2 == 0;
    case 5: return x * y % 2 + x * y % 3 == 0;
    case 6: return (x * y % 2 + x * y % 3) % 2 == 0;
    default: return ((x + y) % 2 + x * y % 3) % 2 == 0;
    }
}

static int module_at(int dimension, const uint8_t *modules, int mirrored, int column, int row) {
    return mirrored ? modules[column * dimension + row] : modules[row * dimension + column];
}

static int bits_set(uint32_t bits) {
    int count = 0;
    for (; bits != 0; bits &= bits - 1) count++;
    return count;
}

// The nearest valid format of either copy. Returns its distance in bits.
static int read_format(int dimension, const uint8_t *modules, int mirrored, int *level, int *mask) {
    uint32_t copies[2] = {0, 0};
    for (int copy = 0; copy < 2; copy++) {
        for (int bit = 0; bit < 15; bit++) {
            int column, row;
            tag_format_place(dimension, copy, bit, &column, &row);
            if (module_at(dimension, modules, mirrored, column, row))
                copies[copy] |= UINT32_C(1) << bit;
        }
    }
    int least = 16;
    for (int format = 0; format < 32; format++) {
        uint32_t valid = tag_format_bits(format >> 3, format & 7);
        for (int copy = 0; copy < 2; copy++) {
            int distance = bits_set(copies[copy] ^ valid);
            if (distance >= least) continue;
            least = distance;
            *level = format >> 3;
            *mask = format & 7;
        }
    }
    return least;
}

// Reads the codewords in the symbol's order. Returns their number.
static int read_codewords(int dimension, const uint8_t *kinds, const uint8_t *modules, int mirrored,
                          int mask, uint8_t *codewords) {
    int count = 0, bits = 0;
    unsigned value = 0;
    int upwards = 1;
    for (int right = dimension - 1; right >= 1; right -= 2) {
        if (right == 6) right = 5; // the timing pattern takes a whole column
        for (int i = 0; i < dimension; i++) {
            int row = upwards ? dimension - 1 - i : i;
            for (int column = right; column >= right - 1; column--) {
                if (kinds[row * dimension + column] != TAG_MODULE_DATA) continue;
                int dark = module_at(dimension, modules, mirrored, column, row);
                value = value << 1 | (unsigned)(dark ^ is_masked(mask, column, row));
                if (++bits < 8) continue;
                if (count < TAG_MOST_CODEWORDS) codewords[count++] = (uint8_t)value;
                bits = 0;
                value = 0;
            }
        }
        upwards = !upwards;
    }
    return count;
}

// The number of wrong codewords in a block, or -1 if there are too many to correct.
static int count_errors(const TagGalois *galois, const uint8_t *block, int length, int parity) {
    uint8_t syndromes[30];
    int any = 0;
    for (int i = 0; i < parity; i++) {
        uint8_t sum = 0;
        for (int k = 0; k < length; k++) {
            sum = (uint8_t)((sum == 0 ? 0 : galois->power[galois->logarithm[sum] + i]) ^ block[k]);
        }
        syndromes[i] = sum;
        any |= sum;
    }
    if (!any) return 0;
    // Berlekamp and Massey: the shortest recurrence that produces the syndromes.
    uint8_t locator[32] = {1}, previous[32] = {1}, kept[32];
    int errors = 0, distance = 1;
    uint8_t last = 1;
    for (int i = 0; i < parity; i++) {
        uint8_t discrepancy = syndromes[i];
        for (int k = 1; k <= errors; k++)
            discrepancy ^= times(galois, locator[k], syndromes[i - k]);
        if (discrepancy == 0) {
            distance++;
            continue;
        }
        uint8_t factor = times(galois, discrepancy, galois->power[255 - galois->logarithm[last]]);
        memcpy(kept, locator, sizeof kept);
        for (int k = 0; k + distance < 32; k++)
            locator[k + distance] ^= times(galois, factor, previous[k]);
        if (2 * errors <= i) {
            errors = i + 1 - errors;
            memcpy(previous, kept, sizeof previous);
            last = discrepancy;
            distance = 1;
        } else {
            distance++;
        }
    }
    if (2 * errors > parity) return -1;
    // Each error must be at a position within the block.
    int roots = 0;
    for (int place = 0; place < length; place++) {
        uint8_t sum = 0;
        for (int k = 0; k <= errors; k++) {
            if (locator[k] == 0) continue;
            sum ^= galois->power[(galois->logarithm[locator[k]] + (255 - place) * k) % 255];
        }
        roots += sum == 0;
    }
    return roots == errors ? errors : -1;
}

// log10 of the chance that a random word has at most this many errors.
static double chance(int length, int parity, int errors) {
    double sum = 0;
    for (int i = 0; i < errors; i++) sum += log10((double)(length - i) / (i + 1) * 255);
    return sum - parity * log10(256);
}

static void check_blocks(const TagGalois *galois, int version, const uint8_t *codewords, int count,
                         TagVerdict *verdict) {
    int parity = parity_counts[verdict->level][version - 1];
    int blocks = block_counts[verdict->level][version - 1];
    int shorter = count / blocks, longer_count = count % blocks;
    double likelihood = 0;
    uint8_t block[256];
    for (int i = 0; i < blocks; i++) {
        int is_longer = i >= blocks - longer_count;
        int data = shorter - parity + is_longer;
        if (data + parity > 255) {
            verdict->failed_blocks++;
            continue;
        }
        for (int k = 0; k < data; k++) {
            // The last codeword of the longer blocks comes after all others.
            int at = k < shorter - parity
                         ? k * blocks + i
                         : (shorter - parity) * blocks + i - (blocks - longer_count);
            block[k] = codewords[at];
        }
        int first = count - parity * blocks;
        for (int k = 0; k < parity; k++) block[data + k] = codewords[first + k * blocks + i];
        int errors = count_errors(galois, block, data + parity, parity);
        if (errors < 0) {
            verdict->failed_blocks++;
        } else {
            verdict->errors += errors;
            likelihood += chance(data + parity, parity, errors);
        }
    }
    verdict->passed = verdict->failed_blocks == 0 && likelihood < MOST_CHANCE;
}

void tag_codewords_check(const TagGalois *galois, int dimension, const uint8_t *kinds,
                         const uint8_t *modules, TagVerdict *verdict) {
    uint8_t codewords[TAG_MOST_CODEWORDS];
    int version = (dimension - 17) / 4;
    int level = 0, mask = 0, mirrored_level = 0, mirrored_mask = 0;
    memset(verdict, 0, sizeof *verdict);
    int distance = read_format(dimension, modules, 0, &level, &mask);
    int mirrored_distance = read_format(dimension, modules, 1, &mirrored_level, &mirrored_mask);
    if (mirrored_distance < distance) {
        verdict->mirrored = 1;
        distance = mirrored_distance;
        level = mirrored_level;
        mask = mirrored_mask;
    }
    verdict->level = level;
    verdict->mask = mask;
    verdict->format_distance = distance;
    verdict->failed_blocks = 0;
    if (distance > 3) {
        verdict->failed_blocks = block_counts[level][version - 1];
        return;
    }
    int count = read_codewords(dimension, kinds, modules, verdict->mirrored, mask, codewords);
    check_blocks(galois, version, codewords, count, verdict);
}
