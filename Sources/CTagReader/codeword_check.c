// Corrects the codewords of a symbol, from its decided modules.
//
// It takes microseconds, so many ways of reading a difficult symbol can be compared. It is stricter
// than correction alone: it rejects what random words would pass too easily, as ISO/IEC 18004
// requires for the small versions.
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

#define FORMAT_MASK UINT32_C(0x5412) // over the 15 bits, so that they are never all alike

uint32_t tag_format_bits(int level, int mask) {
    uint32_t data = (uint32_t)(level << 3 | mask), remainder = data << 10;
    for (int bit = 14; bit >= 10; bit--) {
        if (remainder >> bit & 1) remainder ^= UINT32_C(0x537) << (bit - 10);
    }
    return (data << 10 | remainder) ^ FORMAT_MASK;
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

static int index_of(int dimension, int mirrored, int column, int row) {
    return mirrored ? column * dimension + row : row * dimension + column;
}

static int bits_set(uint32_t bits) {
    int count = 0;
    for (; bits != 0; bits &= bits - 1) count++;
    return count;
}

// The two copies of the format's 15 bits.
static void read_copies(int dimension, const uint8_t *modules, int mirrored, uint32_t copies[2]) {
    copies[0] = copies[1] = 0;
    for (int copy = 0; copy < 2; copy++) {
        for (int bit = 0; bit < 15; bit++) {
            int column, row;
            tag_format_place(dimension, copy, bit, &column, &row);
            if (modules[index_of(dimension, mirrored, column, row)]) {
                copies[copy] |= UINT32_C(1) << bit;
            }
        }
    }
}

// The nearest valid format of either copy. Returns its distance in bits.
static int read_format(const uint32_t copies[2], int *level, int *mask) {
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

// Some programs leave out the mask of the format. That is believed only where both copies say so, each with
// one wrong bit at most: random bits do so once in 65,000 times, which adds nothing to the chances below.
// `copies` are those as they are and mirrored. Returns 0 if neither does.
static int read_bare_format(uint32_t copies[2][2], TagVerdict *verdict) {
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        for (int format = 0; format < 32; format++) {
            uint32_t bare = tag_format_bits(format >> 3, format & 7) ^ FORMAT_MASK;
            if (bits_set(copies[mirrored][0] ^ bare) > 1) continue;
            if (bits_set(copies[mirrored][1] ^ bare) > 1) continue;
            *verdict = (TagVerdict){.mirrored = mirrored, .level = format >> 3, .mask = format & 7};
            return 1;
        }
    }
    return 0;
}

// The codewords of a symbol, in its order.
typedef struct Codewords {
    int count;
    uint8_t values[TAG_MOST_CODEWORDS];
    float doubts[TAG_MOST_CODEWORDS]; // how much the modules of each are guesses
} Codewords;

static void read_codewords(const TagWork *work, const TagVerdict *verdict, Codewords *codewords) {
    int dimension = work->dimension, bits = 0, upwards = 1;
    unsigned value = 0;
    float doubt = 0;
    codewords->count = 0;
    for (int right = dimension - 1; right >= 1; right -= 2) {
        if (right == 6) right = 5; // the timing pattern takes a whole column
        for (int i = 0; i < dimension; i++) {
            int row = upwards ? dimension - 1 - i : i;
            for (int column = right; column >= right - 1; column--) {
                if (work->kinds[row * dimension + column] != TAG_MODULE_DATA) continue;
                int at = index_of(dimension, verdict->mirrored, column, row);
                unsigned bit = work->modules[at] ^ (unsigned)is_masked(verdict->mask, column, row);
                float guess = 1 - work->certainty[at];
                value = value << 1 | bit;
                doubt += guess * guess * guess;
                if (++bits < 8) continue;
                if (codewords->count < TAG_MOST_CODEWORDS) {
                    codewords->values[codewords->count] = (uint8_t)value;
                    codewords->doubts[codewords->count++] = doubt;
                }
                bits = 0;
                value = 0;
                doubt = 0;
            }
        }
        upwards = !upwards;
    }
}

// The shape of the blocks of a symbol. The last ones have one codeword more.
typedef struct BlockShape {
    int count;
    int parity;  // codewords for correction in each
    int shorter; // data codewords in the first ones
    int shorter_count;
} BlockShape;

static BlockShape shape_blocks(int level, int version, int codewords) {
    int count = block_counts[level][version - 1], parity = parity_counts[level][version - 1];
    return (BlockShape){count, parity, codewords / count - parity, count - codewords % count};
}

// The place of codeword `k` of a block among all.
static int place_of(const BlockShape *blocks, int block, int data, int total, int k) {
    if (k >= data) return total - (blocks->parity - (k - data)) * blocks->count + block;
    // The last codeword of the longer blocks comes after all others.
    if (k == blocks->shorter) return k * blocks->count + block - blocks->shorter_count;
    return k * blocks->count + block;
}

// The logarithm to base 10 of the chance that random words pass without erasures; what is above it
// is rejected.
#define MOST_CHANCE -7.5

// The same for all attempts with erasures on one set of decided modules together: each number of erasures that is
// tried with each block counts. What passes without erasures has at most -9.3 in any version, so
// both sums together stay below the limit above.
#define MOST_ERASED_CHANCE -10.0

// The numbers of erasures that are tried, in eighths of the codewords for correction.
static const int erased_eighths[] = {1, 2, 3, 4, 5, 6};

#define ERASED_TRIALS (int)(sizeof erased_eighths / sizeof erased_eighths[0])

// The places of a block, the most doubtful first.
static void order_places(const float *doubts, int length, uint8_t *places) {
    for (int i = 0; i < length; i++) {
        int at = i;
        for (; at > 0 && doubts[places[at - 1]] < doubts[i]; at--) places[at] = places[at - 1];
        places[at] = (uint8_t)i;
    }
}

// Corrects a block without its most doubtful codewords, of which it tries several numbers. Returns
// the number of errors elsewhere, or -1.
static int correct_without_doubtful(const TagGalois *galois, uint8_t *block, int length, int parity,
                                    const float *doubts, double most_chance) {
    uint8_t places[255];
    order_places(doubts, length, places);
    for (int i = 0; i < ERASED_TRIALS; i++) {
        int erased = parity * erased_eighths[i] / 8;
        if (erased == 0) continue;
        uint8_t trial[255];
        memcpy(trial, block, (size_t)length);
        int errors = tag_block_correct(galois, trial, length, parity, places, erased);
        if (errors < 0 || tag_block_chance(length, parity, erased, errors) > most_chance) continue;
        memcpy(block, trial, (size_t)length);
        return errors;
    }
    return -1;
}

static void correct_blocks(TagWork *work, const Codewords *codewords, const BlockShape *blocks, int erases,
                           TagVerdict *verdict) {
    double chance = 0, most_erased_chance = MOST_ERASED_CHANCE - log10(blocks->count * ERASED_TRIALS);
    work->data_count = 0;
    for (int i = 0; i < blocks->count; i++) {
        int data = blocks->shorter + (i >= blocks->shorter_count), length = data + blocks->parity;
        uint8_t block[255];
        float doubts[255];
        if (length > 255) return; // no version has such blocks
        for (int k = 0; k < length; k++) {
            int at = place_of(blocks, i, data, codewords->count, k);
            block[k] = codewords->values[at];
            doubts[k] = codewords->doubts[at];
        }
        int errors = tag_block_correct(&work->galois, block, length, blocks->parity, NULL, 0);
        if (errors >= 0) {
            chance += tag_block_chance(length, blocks->parity, 0, errors);
        } else if (erases) {
            errors = correct_without_doubtful(&work->galois, block, length, blocks->parity, doubts,
                                              most_erased_chance);
            verdict->erased_blocks++;
        }
        if (errors < 0) return;
        memcpy(work->data + work->data_count, block, (size_t)data);
        work->data_count += (size_t)data;
    }
    // Every block with erasures has passed a limit of its own.
    verdict->passed = verdict->erased_blocks > 0 || chance < MOST_CHANCE;
}

#define PADDING_RIGHT 4 // the score of a byte of padding that is as it must be
#define PADDING_WRONG 1
#define LEAST_PADDING 16

// What follows the text up to the end of the data is known: two bytes in turn. Where most of them are there, the others
// are mended, and none is erased. A random word stays one, so this adds nothing to the chances.
static void mend_padding(const BlockShape *blocks, Codewords *codewords) {
    static const uint8_t padding[2] = {0xEC, 0x11};
    uint16_t places[TAG_MOST_CODEWORDS];
    int count = 0, first = 0, most = LEAST_PADDING, scores[2] = {0, 0}; // by where the first byte is, even or odd
    for (int i = 0; i < blocks->count; i++) {
        int data = blocks->shorter + (i >= blocks->shorter_count);
        for (int k = 0; k < data; k++) {
            places[count++] = (uint16_t)place_of(blocks, i, data, codewords->count, k);
        }
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int odd = 0; odd < 2; odd++) {
            int is_right = codewords->values[places[i]] == padding[(i + odd) % 2];
            scores[odd] += is_right ? PADDING_RIGHT : -PADDING_WRONG;
        }
        if (scores[i % 2] > most) {
            most = scores[i % 2];
            first = i;
        }
    }
    for (int i = first; first > 0 && i < count; i++) {
        codewords->values[places[i]] = padding[(i - first) % 2];
        codewords->doubts[places[i]] = -1;
    }
}

static void correct(TagWork *work, int erases, TagVerdict *verdict) {
    Codewords codewords;
    read_codewords(work, verdict, &codewords);
    BlockShape blocks = shape_blocks(verdict->level, (work->dimension - 17) / 4, codewords.count);
    if (erases) mend_padding(&blocks, &codewords);
    correct_blocks(work, &codewords, &blocks, erases, verdict);
}

void tag_codewords_correct(TagWork *work, int erases, TagVerdict *verdict) {
    int level = 0, mask = 0;
    memset(verdict, 0, sizeof *verdict);
    uint32_t copies[2][2]; // as they are, and mirrored
    for (int i = 0; i < 2; i++) read_copies(work->dimension, work->modules, i, copies[i]);
    int distance = read_format(copies[0], &verdict->level, &verdict->mask);
    int mirrored_distance = read_format(copies[1], &level, &mask);
    if (mirrored_distance < distance) {
        *verdict = (TagVerdict){.mirrored = 1, .level = level, .mask = mask};
        distance = mirrored_distance;
    }
    if (distance <= 3) correct(work, erases, verdict);
    TagVerdict bare;
    if (verdict->passed || !read_bare_format(copies, &bare)) return;
    correct(work, erases, &bare);
    if (bare.passed) *verdict = bare;
}
