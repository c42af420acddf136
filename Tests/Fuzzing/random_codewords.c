// Measures how often error correction passes random words, against the chance that it allows.
//
// First single blocks with erasures, in shapes of which enough pass to be counted; then whole symbols
// with random modules and random certainties, of which none may pass. The argument is the number of
// symbols of each version and level; 100,000 take some minutes.
//
// cc -O2 -D_GNU_SOURCE -ISources/CTagReader -ISources/CTagReader/include \
//     Tests/Fuzzing/random_codewords.c Sources/CTagReader/*.c -lpng16 -ldeflate -ljpeg -lzbar -lm

#include "tag_engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

// Returns whether more blocks pass than the chance allows.
static int measure_blocks(const TagGalois *galois, int length, int parity, int erased, int errors) {
    double chance = pow(10, tag_block_chance(length, parity, erased, errors));
    long count = lround(2000 / chance), passed = 0;
    if (count < 10000) count = 10000;
    for (long i = 0; i < count; i++) {
        uint8_t block[255], places[255];
        for (int k = 0; k < length; k++) {
            block[k] = (uint8_t)(next_random() >> 32);
            places[k] = (uint8_t)k;
        }
        for (int k = 0; k < erased; k++) {
            int other = k + (int)(next_random() % (uint64_t)(length - k));
            uint8_t place = places[k];
            places[k] = places[other];
            places[other] = place;
        }
        int found = tag_block_correct(galois, block, length, parity, places, erased);
        passed += found >= 0 && found <= errors;
    }
    double rate = (double)passed / (double)count;
    printf("%3d codewords, %d for correction, %d erased, %d errors: allowed %.3e, measured %.3e\n",
           length, parity, erased, errors, chance, rate);
    return rate > chance * 1.15;
}

static long measure_symbols(TagWork *work, int version, int level, long count) {
    long passed = 0;
    work->dimension = 17 + 4 * version;
    tag_layout_fill(work->dimension, work->kinds);
    for (long i = 0; i < count; i++) {
        uint64_t bits = 0;
        for (int k = 0; k < work->dimension * work->dimension; k++) {
            if (k % 8 == 0) bits = next_random();
            work->modules[k] = bits >> 7 & 1;
            // Every second time, dark modules are more certain than light ones.
            float certainty = (float)(bits & 127) / 127;
            if (i % 2 && work->modules[k]) certainty = 1;
            work->certainty[k] = certainty;
            bits >>= 8;
        }
        uint32_t format = tag_format_bits(level, (int)(next_random() >> 40 & 7));
        for (int bit = 0; bit < 15; bit++) {
            int column, row;
            tag_format_place(work->dimension, 0, bit, &column, &row);
            work->modules[row * work->dimension + column] = format >> bit & 1;
        }
        TagVerdict verdict;
        tag_codewords_correct(work, 1, &verdict);
        passed += verdict.passed;
    }
    return passed;
}

int main(int count, char **words) {
    long symbols = count > 1 ? atol(words[1]) : 10000, passed = 0;
    int failures = 0;
    static const int shapes[][4] = {
        {26, 4, 0, 2}, {26, 5, 1, 2}, {26, 5, 3, 1}, {44, 6, 2, 2}, {60, 7, 5, 1},
        {100, 8, 5, 1}, {100, 8, 6, 1}, {26, 7, 6, 0}, {44, 8, 2, 3}, {153, 10, 7, 1},
    };
    static TagWork work;
    tag_galois_fill(&work.galois);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const int *shape = shapes[i];
        failures += measure_blocks(&work.galois, shape[0], shape[1], shape[2], shape[3]);
    }
    for (int version = 1; version <= 4; version++) {
        for (int level = 0; level < 4; level++) {
            passed += measure_symbols(&work, version, level, symbols);
        }
    }
    printf("%ld of %ld random symbols passed\n", passed, symbols * 16);
    return failures != 0 || passed != 0;
}
