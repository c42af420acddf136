// libFuzzer target: bytes as the data of two parts of one text, and as the modules of a symbol and how
// certain they are. The first byte gives the version, the second the length of the first part.
//
// clang -O1 -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -ISources/CTagReader \
//     -ISources/CTagReader/include Tests/Fuzzing/fuzz_codewords.c Sources/CTagReader/*.c \
//     -lpng16 -ldeflate -ljpeg -lzbar -lm

#include "tag_engine.h"

#include <stdlib.h>
#include <string.h>

static int is_utf8(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count;) {
        size_t more = bytes[i] < 0x80 ? 0 : bytes[i] < 0xE0 ? 1 : bytes[i] < 0xF0 ? 2 : 3;
        if (bytes[i] >= 0x80 && (bytes[i] < 0xC2 || bytes[i] > 0xF4)) return 0;
        if (count - i <= more) return 0;
        for (i++; more > 0; more--, i++) {
            if ((bytes[i] & 0xC0) != 0x80) return 0;
        }
    }
    return 1;
}

static void read_text(const uint8_t *data, size_t count, size_t first, int version) {
    TagText text = {0};
    TagAppend append;
    TagSegments outcome = tag_segments_read(data, first, version, &text, &append);
    if (outcome == TAG_SEGMENTS_READ) {
        outcome = tag_segments_read(data + first, count - first, version, &text, &append);
    }
    if (outcome == TAG_SEGMENTS_READ) {
        if (append.count > 16 || (append.count > 0 && append.index >= append.count)) abort();
        TagReaderSymbol symbol = {0};
        if (!tag_text_tell(&text, &symbol)) abort();
        if (symbol.refusal != TAG_READER_TOLD && symbol.bytes != NULL) abort();
        // Declared text is always told in UTF-8.
        int is_declared = symbol.refusal == TAG_READER_TOLD;
        for (size_t i = 0; i < text.count; i++) {
            uint32_t set = text.sets[i];
            if (set == TAG_SET_UNDECLARED || set == TAG_SET_BINARY) is_declared = 0;
        }
        if (is_declared && !is_utf8(symbol.bytes, symbol.count)) abort();
        free((void *)(uintptr_t)symbol.bytes);
    }
    tag_text_free(&text);
}

static void correct_modules(const uint8_t *data, size_t count, int version) {
    static TagWork work;
    if (work.galois.power[0] == 0) tag_galois_fill(&work.galois);
    work.dimension = 17 + 4 * version;
    tag_layout_fill(work.dimension, work.kinds);
    size_t modules = (size_t)work.dimension * (size_t)work.dimension;
    for (size_t i = 0; i < modules; i++) {
        uint8_t byte = data[i % count];
        work.modules[i] = byte >> (i / count % 8) & 1;
        work.certainty[i] = (float)byte / 255;
    }
    // Valid formats, which mutated bytes hardly ever hold.
    uint32_t format = tag_format_bits(data[0] & 3, data[0] >> 2 & 7);
    for (int bit = 0; bit < 15; bit++) {
        int column, row;
        tag_format_place(work.dimension, 0, bit, &column, &row);
        work.modules[row * work.dimension + column] = format >> bit & 1;
    }
    tag_modules_distrust_areas(&work);
    TagVerdict verdict;
    for (int erases = 0; erases < 2; erases++) {
        tag_codewords_correct(&work, erases, &verdict);
        if (work.data_count > TAG_MOST_CODEWORDS) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
    if (count < 3) return 0;
    int version = 1 + data[0] % 40;
    size_t first = data[1];
    data += 2;
    count -= 2;
    read_text(data, count, first < count ? first : count, version);
    correct_modules(data, count, version);
    return 0;
}
