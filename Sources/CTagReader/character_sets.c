// From the bytes of a text to UTF-8, by the character sets that the symbol declares: the extended
// channel interpretations (ECI) of AIM's register.
//
// Nothing is guessed. What cannot be told for certain is refused, with the set that was declared.

#include "tag_engine.h"

#include <iconv.h>
#include <stdlib.h>
#include <string.h>

typedef struct Output {
    uint8_t *bytes;
    size_t count, capacity;
} Output;

// Returns 0 if this is no character.
static int put_character(Output *output, uint32_t value) {
    uint8_t *to = output->bytes + output->count;
    if (value < 0x80) {
        to[0] = (uint8_t)value;
        output->count += 1;
    } else if (value < 0x800) {
        to[0] = (uint8_t)(0xC0 | value >> 6);
        to[1] = (uint8_t)(0x80 | (value & 0x3F));
        output->count += 2;
    } else if (value < 0x10000) {
        if (value >= 0xD800 && value < 0xE000) return 0;
        to[0] = (uint8_t)(0xE0 | value >> 12);
        to[1] = (uint8_t)(0x80 | (value >> 6 & 0x3F));
        to[2] = (uint8_t)(0x80 | (value & 0x3F));
        output->count += 3;
    } else {
        if (value > 0x10FFFF) return 0;
        to[0] = (uint8_t)(0xF0 | value >> 18);
        to[1] = (uint8_t)(0x80 | (value >> 12 & 0x3F));
        to[2] = (uint8_t)(0x80 | (value >> 6 & 0x3F));
        to[3] = (uint8_t)(0x80 | (value & 0x3F));
        output->count += 4;
    }
    return 1;
}

static void put_unchanged(Output *output, const uint8_t *bytes, size_t count) {
    memcpy(output->bytes + output->count, bytes, count);
    output->count += count;
}

static int put_utf8(Output *output, const uint8_t *bytes, size_t count) {
    size_t first = output->count;
    for (size_t i = 0; i < count;) {
        uint8_t lead = bytes[i++];
        size_t more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || count - i < more) return 0;
        uint32_t value = more == 0 ? lead : lead & (0x3Fu >> more);
        for (size_t k = 0; k < more; k++, i++) {
            if ((bytes[i] & 0xC0) != 0x80) return 0;
            value = value << 6 | (bytes[i] & 0x3F);
        }
        if (!put_character(output, value)) return 0;
    }
    // A character in more bytes than it needs has become shorter.
    return output->count - first == count;
}

static uint32_t unit_at(const uint8_t *bytes, size_t size, int little) {
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++) value = value << 8 | bytes[little ? size - 1 - i : i];
    return value;
}

static int put_utf16(Output *output, const uint8_t *bytes, size_t count, int little) {
    for (size_t i = 0; i < count; i += 2) {
        if (count - i < 2) return 0;
        uint32_t value = unit_at(bytes + i, 2, little);
        if (value >= 0xD800 && value < 0xDC00) {
            i += 2;
            if (i >= count || count - i < 2) return 0;
            uint32_t low = unit_at(bytes + i, 2, little);
            if (low < 0xDC00 || low > 0xDFFF) return 0;
            value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
        }
        if (!put_character(output, value)) return 0;
    }
    return 1;
}

static int put_utf32(Output *output, const uint8_t *bytes, size_t count, int little) {
    for (size_t i = 0; i < count; i += 4) {
        if (count - i < 4 || !put_character(output, unit_at(bytes + i, 4, little))) return 0;
    }
    return 1;
}

// The characters below 0x80 that are the same in every national variant of ISO/IEC 646.
static int is_invariant(uint8_t byte) {
    return byte < 0x80 && (byte == 0 || strchr("#$@[\\]^`{|}~", byte) == NULL);
}

static int put_ascii(Output *output, const uint8_t *bytes, size_t count, int invariant_only) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] >= 0x80 || (invariant_only && !is_invariant(bytes[i]))) return 0;
    }
    put_unchanged(output, bytes, count);
    return 1;
}

static int put_code_page(Output *output, const uint8_t *bytes, size_t count,
                         const uint16_t *upper_half) {
    for (size_t i = 0; i < count; i++) {
        uint32_t value = bytes[i] < 0x80 ? bytes[i] : upper_half[bytes[i] - 0x80];
        if (value == 0 && bytes[i] != 0) return 0;
        put_character(output, value);
    }
    return 1;
}

// Converts with the C library, strictly.
static int put_converted(Output *output, const uint8_t *bytes, size_t count, const char *name) {
    // A converter keeps a state, and this may run in several threads.
    iconv_t converter = iconv_open("UTF-8", name);
    if (converter == (iconv_t)-1) return 0;
    char *from = (char *)(uintptr_t)bytes, *to = (char *)output->bytes + output->count;
    size_t left = count, room = output->capacity - output->count;
    size_t converted = iconv(converter, &from, &left, &to, &room);
    // Some hold a character back until they know that nothing is combined with it.
    if (converted == 0) converted = iconv(converter, NULL, NULL, &to, &room);
    iconv_close(converter);
    output->count = output->capacity - room;
    return converted == 0 && left == 0;
}

// Whether UTF-8 holds a character for private use, which the C library gives for what a set does not
// assign, or a C1 control, which most sets do not have: another set was used than was declared.
static int has_unassigned(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i + 1 < count; i++) {
        uint8_t lead = bytes[i], next = bytes[i + 1];
        if (lead == 0xEE || (lead == 0xEF && next < 0xA4) || (lead == 0xC2 && next < 0xA0)) return 1;
    }
    return 0;
}

static int put_assigned(Output *output, const uint8_t *bytes, size_t count, const char *name) {
    size_t first = output->count;
    return put_converted(output, bytes, count, name)
        && !has_unassigned(output->bytes + first, output->count - first);
}

// GB 18030 begins with GBK, and that with GB 2312. Each is read as GB 18030, within its own bounds.
static int put_chinese(Output *output, const uint8_t *bytes, size_t count, uint8_t least_first,
                       uint8_t least_second) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] < 0x80) continue;
        if (bytes[i] < least_first || ++i == count || bytes[i] < least_second) return 0;
    }
    return put_assigned(output, bytes, count, "GB18030");
}

// By the standard the bytes of backslash and tilde are a yen sign and an overline; most programs
// mean a backslash and a tilde.
static TagReaderRefusal put_shift_jis(Output *output, const uint8_t *bytes, size_t count) {
    size_t first = output->count;
    if (!put_converted(output, bytes, count, "SJIS")) return TAG_READER_INVALID_TEXT;
    for (size_t i = first; i + 1 < output->count; i++) {
        const uint8_t *at = output->bytes + i;
        int is_yen = at[0] == 0xC2 && at[1] == 0xA5;
        int is_overline =
            i + 2 < output->count && at[0] == 0xE2 && at[1] == 0x80 && at[2] == 0xBE;
        if (is_yen || is_overline) return TAG_READER_AMBIGUOUS_TEXT;
    }
    return TAG_READER_TOLD;
}

// Adds bytes of one set.
static TagReaderRefusal put_run(Output *output, uint32_t set, const uint8_t *bytes, size_t count) {
    int is_valid = 1;
    const uint16_t *upper_half = tag_code_page(set);
    switch (set) {
    case TAG_SET_UNDECLARED:
    case TAG_SET_BINARY: put_unchanged(output, bytes, count); break;
    case TAG_SET_KANJI:
    case TAG_SET_SHIFT_JIS: return put_shift_jis(output, bytes, count);
    case TAG_SET_UTF8: is_valid = put_utf8(output, bytes, count); break;
    case TAG_SET_UTF16: is_valid = put_utf16(output, bytes, count, 0); break;
    case TAG_SET_UTF16_LITTLE: is_valid = put_utf16(output, bytes, count, 1); break;
    case TAG_SET_UTF32: is_valid = put_utf32(output, bytes, count, 0); break;
    case TAG_SET_UTF32_LITTLE: is_valid = put_utf32(output, bytes, count, 1); break;
    case TAG_SET_ASCII: is_valid = put_ascii(output, bytes, count, 0); break;
    case TAG_SET_INVARIANT: is_valid = put_ascii(output, bytes, count, 1); break;
    case TAG_SET_BIG5: is_valid = put_assigned(output, bytes, count, "BIG-5"); break;
    case TAG_SET_GB2312: is_valid = put_chinese(output, bytes, count, 0xA1, 0xA1); break;
    case TAG_SET_KOREAN: is_valid = put_assigned(output, bytes, count, "EUC-KR"); break;
    case TAG_SET_GBK: is_valid = put_chinese(output, bytes, count, 0x81, 0x40); break;
    case TAG_SET_GB18030: is_valid = put_converted(output, bytes, count, "GB18030"); break;
    default:
        if (upper_half == NULL) return TAG_READER_UNKNOWN_SET;
        is_valid = put_code_page(output, bytes, count, upper_half);
    }
    return is_valid ? TAG_READER_TOLD : TAG_READER_INVALID_TEXT;
}

static int is_ascii(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] >= 0x80) return 0;
    }
    return 1;
}

// Adds all runs.
static TagReaderRefusal put_runs(Output *output, const TagText *text, uint32_t *refused) {
    uint32_t declared = TAG_SET_UNDECLARED;
    int has_undeclared = 0;
    for (size_t i = 0, next; i < text->count; i = next) {
        uint32_t set = text->sets[i];
        for (next = i; next < text->count && text->sets[next] == set;) next++;
        *refused = set;
        size_t first = output->count;
        TagReaderRefusal refusal = put_run(output, set, text->bytes + i, next - i);
        if (refusal != TAG_READER_TOLD) return refusal;
        if (is_ascii(output->bytes + first, output->count - first)) continue;
        if (set == TAG_SET_UNDECLARED) {
            has_undeclared = 1;
        } else if (set != TAG_SET_UTF8 && set != TAG_SET_BINARY) {
            declared = set;
        }
    }
    // Without a declaration, bytes are told as they are; among converted ones nobody could tell
    // them apart.
    *refused = declared;
    return has_undeclared && declared != TAG_SET_UNDECLARED ? TAG_READER_AMBIGUOUS_TEXT
                                                            : TAG_READER_TOLD;
}

int tag_text_tell(const TagText *text, TagReaderSymbol *symbol) {
    // No byte of any set becomes more than four.
    Output output = {.capacity = 4 * text->count + 8};
    output.bytes = malloc(output.capacity);
    if (output.bytes == NULL) return 0;
    uint32_t refused = text->ambiguous_set;
    symbol->refusal =
        text->is_ambiguous ? TAG_READER_AMBIGUOUS_TEXT : put_runs(&output, text, &refused);
    if (symbol->refusal == TAG_READER_TOLD) {
        symbol->bytes = output.bytes;
        symbol->count = output.count;
        return 1;
    }
    free(output.bytes);
    symbol->bytes = NULL;
    symbol->count = 0;
    symbol->character_set = refused == TAG_SET_KANJI ? TAG_SET_SHIFT_JIS : refused;
    return 1;
}
