// From the data of a symbol to the bytes of its text: the segments of ISO/IEC 18004.
//
// Data that a printer could not have meant is refused as a whole: half a text is worse than none.

#include "tag_engine.h"

#include <stdlib.h>
#include <string.h>

typedef enum Mode {
    MODE_END = 0,
    MODE_NUMERIC = 1,
    MODE_ALPHANUMERIC = 2,
    MODE_APPEND = 3,
    MODE_BYTE = 4,
    MODE_FNC1_FIRST = 5,
    MODE_ECI = 7,
    MODE_KANJI = 8,
    MODE_FNC1_SECOND = 9,
    MODE_HANZI = 13, // of GB/T 18284
} Mode;

// The bits that are left.
typedef struct Bits {
    const uint8_t *bytes;
    size_t at, end; // in bits
} Bits;

// Takes a number of up to 16 bits. Returns 0 if there are fewer.
static int take_bits(Bits *bits, size_t count, uint32_t *value) {
    if (bits->end - bits->at < count) return 0;
    *value = 0;
    for (size_t i = bits->at; i < bits->at + count; i++) {
        *value = *value << 1 | (bits->bytes[i / 8] >> (7 - i % 8) & 1);
    }
    bits->at += count;
    return 1;
}

// The state of one symbol.
typedef struct Segments {
    Bits bits;
    int size;      // 0, 1 or 2: versions to 9, to 26, to 40
    uint32_t set;  // that was declared, or TAG_SET_UNDECLARED
    int has_begun; // there was a segment with text
    TagText *text;
    TagAppend *append;
} Segments;

// The text has room for all that a symbol can hold.
static void put_byte(Segments *segments, uint32_t set, uint32_t byte) {
    TagText *text = segments->text;
    text->bytes[text->count] = (uint8_t)byte;
    text->sets[text->count++] = set;
}

static int take_count(Segments *segments, const uint8_t widths[3], uint32_t *count) {
    segments->has_begun = 1;
    return take_bits(&segments->bits, widths[segments->size], count);
}

static void refuse_as_ambiguous(Segments *segments) {
    segments->text->is_ambiguous = 1;
    segments->text->ambiguous_set = segments->set;
}

// Digits and letters are bytes of the declared set, unless its characters have two or four bytes:
// then nobody knows what was meant.
static void check_width(Segments *segments) {
    switch (segments->set) {
    case TAG_SET_UTF16:
    case TAG_SET_UTF16_LITTLE:
    case TAG_SET_UTF32:
    case TAG_SET_UTF32_LITTLE: refuse_as_ambiguous(segments); break;
    default: break;
    }
}

static int read_numeric(Segments *segments) {
    static const uint8_t widths[3] = {10, 12, 14};
    uint32_t count, value;
    if (!take_count(segments, widths, &count)) return 0;
    if (count > 0) check_width(segments);
    while (count > 0) {
        uint32_t digits = count < 3 ? count : 3, limit = digits == 3 ? 1000 : digits == 2 ? 100 : 10;
        if (!take_bits(&segments->bits, digits * 3 + 1, &value) || value >= limit) return 0;
        for (limit /= 10; limit > 0; limit /= 10) {
            put_byte(segments, segments->set, '0' + value / limit % 10);
        }
        count -= digits;
    }
    return 1;
}

static int read_alphanumeric(Segments *segments) {
    static const uint8_t widths[3] = {9, 11, 13};
    static const char characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
    uint32_t count, value;
    if (!take_count(segments, widths, &count)) return 0;
    if (count > 0) check_width(segments);
    int is_escaped = 0; // after a percent sign that stands for something else
    while (count > 0) {
        uint32_t pair = count < 2 ? count : 2;
        if (!take_bits(&segments->bits, pair == 2 ? 11 : 6, &value)) return 0;
        if (value >= (pair == 2 ? 45 * 45 : 45)) return 0;
        for (uint32_t i = 0; i < pair; i++) {
            char character = characters[pair == 2 && i == 0 ? value / 45 : value % 45];
            // With FNC1, a percent sign is the separator of groups, and two of them are one.
            if (segments->text->fnc1 == 0 || (character != '%' && !is_escaped)) {
                put_byte(segments, segments->set, (uint8_t)character);
            } else if (character != '%') {
                put_byte(segments, segments->set, 0x1D);
                put_byte(segments, segments->set, (uint8_t)character);
                is_escaped = 0;
            } else if (is_escaped) {
                put_byte(segments, segments->set, '%');
                is_escaped = 0;
            } else {
                is_escaped = 1;
            }
        }
        count -= pair;
    }
    if (is_escaped) put_byte(segments, segments->set, 0x1D);
    return 1;
}

static int read_bytes(Segments *segments) {
    static const uint8_t widths[3] = {8, 16, 16};
    uint32_t count, value;
    if (!take_count(segments, widths, &count)) return 0;
    for (; count > 0; count--) {
        if (!take_bits(&segments->bits, 8, &value)) return 0;
        put_byte(segments, segments->set, value);
    }
    return 1;
}

// How a mode packs characters of two bytes into 13 bits.
typedef struct Packing {
    uint32_t set;
    uint32_t seconds;  // how many second bytes are counted
    uint32_t least;    // the first character
    uint32_t gap_from; // from here on …
    uint32_t gap;      // … so many are left out
} Packing;

static const Packing kanji_packing = {TAG_SET_KANJI, 0xC0, 0x8140, 0x1F00, 0x4000};
static const Packing hanzi_packing = {TAG_SET_GB2312, 0x60, 0xA1A1, 0x0A00, 0x0500};

static int is_same_set(uint32_t set, uint32_t declared) {
    if (set == TAG_SET_KANJI) return declared == TAG_SET_SHIFT_JIS;
    return declared == TAG_SET_GB2312 || declared == TAG_SET_GBK || declared == TAG_SET_GB18030;
}

static int read_packed(Segments *segments, const Packing *packing) {
    static const uint8_t widths[3] = {8, 10, 12};
    uint32_t count, value, set = packing->set;
    if (!take_count(segments, widths, &count)) return 0;
    if (segments->set != TAG_SET_UNDECLARED) {
        if (count > 0 && !is_same_set(set, segments->set)) refuse_as_ambiguous(segments);
        set = segments->set;
    }
    for (; count > 0; count--) {
        if (!take_bits(&segments->bits, 13, &value)) return 0;
        value = (value / packing->seconds) << 8 | value % packing->seconds;
        value += packing->least + (value < packing->gap_from ? 0 : packing->gap);
        put_byte(segments, set, value >> 8);
        put_byte(segments, set, value & 0xFF);
    }
    return 1;
}

// A number tells which characters follow; only one is assigned.
static int read_hanzi(Segments *segments) {
    uint32_t subset;
    return take_bits(&segments->bits, 4, &subset) && subset == 1
        && read_packed(segments, &hanzi_packing);
}

// One to three bytes; the first tells how many.
static int read_eci(Segments *segments) {
    uint32_t first, rest = 0;
    if (!take_bits(&segments->bits, 8, &first)) return 0;
    size_t more = first < 0x80 ? 0 : first < 0xC0 ? 8 : 16;
    if (first >= 0xE0 || !take_bits(&segments->bits, more, &rest)) return 0;
    uint32_t kept = more == 0 ? first : more == 8 ? first & 0x3F : first & 0x1F;
    segments->set = kept << more | rest;
    return segments->set <= 999999;
}

static int read_append(Segments *segments) {
    uint32_t index, last, parity;
    if (segments->has_begun || segments->append->count > 0) return 0;
    if (!take_bits(&segments->bits, 4, &index) || !take_bits(&segments->bits, 4, &last)
        || !take_bits(&segments->bits, 8, &parity)) {
        return 0;
    }
    *segments->append = (TagAppend){(uint8_t)index, (uint8_t)(last + 1), (uint8_t)parity};
    return index <= last;
}

// FNC1 marks all text that follows; in the second position, with a number or a letter. The parts of
// a structured append may repeat it.
static int read_fnc1(Segments *segments, Mode mode) {
    TagText *text = segments->text;
    uint32_t application = 0;
    if (mode == MODE_FNC1_SECOND && !take_bits(&segments->bits, 8, &application)) return 0;
    uint32_t letter = application - 100;
    int is_letter = (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
    if (application >= 100 && !is_letter) return 0;
    uint32_t fnc1 = (uint32_t)mode << 8 | application;
    if (segments->has_begun) return 0;
    if (text->fnc1 == fnc1) return 1;
    if (text->fnc1 != 0 || text->count > 0) return 0;
    text->fnc1 = fnc1;
    if (mode == MODE_FNC1_FIRST) return 1;
    if (is_letter) {
        put_byte(segments, segments->set, letter);
    } else {
        put_byte(segments, segments->set, '0' + application / 10);
        put_byte(segments, segments->set, '0' + application % 10);
    }
    return 1;
}

static int read_segment(Segments *segments, Mode mode) {
    switch (mode) {
    case MODE_NUMERIC: return read_numeric(segments);
    case MODE_ALPHANUMERIC: return read_alphanumeric(segments);
    case MODE_BYTE: return read_bytes(segments);
    case MODE_KANJI: return read_packed(segments, &kanji_packing);
    case MODE_HANZI: return read_hanzi(segments);
    case MODE_ECI: return read_eci(segments);
    case MODE_APPEND: return read_append(segments);
    case MODE_FNC1_FIRST:
    case MODE_FNC1_SECOND: return read_fnc1(segments, mode);
    default: return 0;
    }
}

TagSegments tag_segments_read(const uint8_t *data, size_t count, int version, TagText *text,
                              TagAppend *append) {
    // Three digits take ten bits: less than three characters a byte.
    size_t capacity = text->count + 3 * count + 2;
    uint8_t *bytes = realloc(text->bytes, capacity);
    if (bytes != NULL) text->bytes = bytes;
    uint32_t *sets = realloc(text->sets, capacity * sizeof *sets);
    if (sets != NULL) text->sets = sets;
    if (bytes == NULL || sets == NULL) return TAG_SEGMENTS_NO_MEMORY;

    memset(append, 0, sizeof *append);
    Segments segments = {
        .bits = {data, 0, 8 * count}, .size = version < 10 ? 0 : version < 27 ? 1 : 2,
        .set = TAG_SET_UNDECLARED, .text = text, .append = append,
    };
    uint32_t mode;
    // In a full symbol, there may be no room for the end.
    while (take_bits(&segments.bits, 4, &mode) && mode != MODE_END) {
        if (!read_segment(&segments, (Mode)mode)) return TAG_SEGMENTS_SENSELESS;
    }
    return TAG_SEGMENTS_READ;
}

void tag_text_free(TagText *text) {
    free(text->bytes);
    free(text->sets);
    memset(text, 0, sizeof *text);
}
