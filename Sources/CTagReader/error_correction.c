// Corrects the codewords of one block: Reed-Solomon over GF(256), as ISO/IEC 18004 uses it.
//
// A wrong codeword whose place is known, an erasure, costs half as much as one whose place must be
// found: of `parity` codewords for correction, `erased` erasures leave the rest for half as many
// errors.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

#define MOST_PARITY 30
#define LOCATOR_TERMS (MOST_PARITY + 2) // of a locator, with room for one shift

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

static inline uint8_t divided(const TagGalois *galois, uint8_t a, uint8_t b) {
    if (a == 0) return 0;
    return galois->power[galois->logarithm[a] + 255 - galois->logarithm[b]];
}

// The value of a polynomial at the power `exponent` of the generator; term `i` belongs to x^i.
static uint8_t value_at(const TagGalois *galois, const uint8_t *terms, int count, int exponent) {
    uint8_t sum = 0;
    for (int i = 0, step = 0; i < count; i++, step = (step + exponent) % 255) {
        if (terms[i] != 0) sum ^= galois->power[galois->logarithm[terms[i]] + step];
    }
    return sum;
}

// Returns whether any is not zero.
static int compute_syndromes(const TagGalois *galois, const uint8_t *block, int length, int parity,
                             uint8_t *syndromes) {
    int any = 0;
    for (int i = 0; i < parity; i++) {
        uint8_t sum = 0;
        for (int k = 0; k < length; k++) {
            sum = (uint8_t)((sum == 0 ? 0 : galois->power[galois->logarithm[sum] + i]) ^ block[k]);
        }
        syndromes[i] = sum;
        any |= sum;
    }
    return any != 0;
}

// Berlekamp and Massey: the shortest recurrence that produces the syndromes and has the erasures
// among its roots. Returns its degree.
static int find_locator(const TagGalois *galois, const uint8_t *syndromes, int parity,
                        const uint8_t *erased_exponents, int erased, uint8_t *locator) {
    uint8_t previous[LOCATOR_TERMS] = {1}, kept[LOCATOR_TERMS];
    memset(locator, 0, LOCATOR_TERMS);
    locator[0] = 1;
    for (int i = 0; i < erased; i++) {
        uint8_t root = galois->power[erased_exponents[i]];
        for (int k = i + 1; k > 0; k--) locator[k] ^= times(galois, root, locator[k - 1]);
    }
    memcpy(previous, locator, sizeof previous);
    int degree = erased;
    for (int i = erased; i < parity; i++) {
        uint8_t discrepancy = syndromes[i];
        for (int k = 1; k <= i; k++) {
            discrepancy ^= times(galois, locator[k], syndromes[i - k]);
        }
        memmove(previous + 1, previous, LOCATOR_TERMS - 1);
        previous[0] = 0;
        if (discrepancy == 0) continue;
        memcpy(kept, locator, sizeof kept);
        for (int k = 0; k < LOCATOR_TERMS; k++) {
            locator[k] ^= times(galois, discrepancy, previous[k]);
        }
        if (2 * degree <= i + erased) {
            degree = i + 1 + erased - degree;
            for (int k = 0; k < LOCATOR_TERMS; k++) {
                previous[k] = divided(galois, kept[k], discrepancy);
            }
        }
    }
    return degree;
}

int tag_block_correct(const TagGalois *galois, uint8_t *block, int length, int parity,
                      const uint8_t *erased_places, int erased) {
    uint8_t syndromes[MOST_PARITY], locator[LOCATOR_TERMS], exponents[MOST_PARITY];
    if (!compute_syndromes(galois, block, length, parity, syndromes)) return 0;
    for (int i = 0; i < erased; i++) exponents[i] = (uint8_t)(length - 1 - erased_places[i]);
    int degree = find_locator(galois, syndromes, parity, exponents, erased, locator);
    int errors = degree - erased;
    if (errors < 0 || 2 * errors + erased > parity) return -1;

    // Forney: the value of each error from the locator and the syndromes.
    uint8_t evaluator[MOST_PARITY] = {0}, slope[LOCATOR_TERMS] = {0};
    for (int i = 0; i < parity; i++) {
        for (int k = 0; k <= i && k <= degree; k++) {
            evaluator[i] ^= times(galois, locator[k], syndromes[i - k]);
        }
    }
    for (int i = 1; i <= degree; i += 2) slope[i - 1] = locator[i];

    uint8_t corrected[255];
    memcpy(corrected, block, (size_t)length);
    int roots = 0;
    for (int exponent = 0; exponent < length; exponent++) {
        int inverse = (255 - exponent) % 255;
        if (value_at(galois, locator, degree + 1, inverse) != 0) continue;
        uint8_t divisor = value_at(galois, slope, degree + 1, inverse);
        if (divisor == 0) return -1; // a double root
        uint8_t value = divided(galois, value_at(galois, evaluator, parity, inverse), divisor);
        corrected[length - 1 - exponent] ^= times(galois, value, galois->power[exponent]);
        roots++;
    }
    // Each error must be at a place of its own within the block.
    if (roots != degree) return -1;
    if (compute_syndromes(galois, corrected, length, parity, syndromes)) return -1;
    memcpy(block, corrected, (size_t)length);
    return errors;
}

double tag_block_chance(int length, int parity, int erased, int errors) {
    double sum = 0;
    for (int i = 0; i < errors; i++) {
        sum += log10((double)(length - erased - i) / (i + 1) * 255);
    }
    return sum - (parity - erased) * log10(256);
}
