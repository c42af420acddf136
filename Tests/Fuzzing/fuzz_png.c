// libFuzzer target: bytes as a PNG file.
//
// clang -O1 -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -ISources/CTagReader/include \
//     Tests/Fuzzing/fuzz_png.c Sources/CTagReader/*.c -lpng16 -ldeflate -ljpeg -lzbar -lm -lz
//
// libpng checks checksums, which mutated bytes hardly ever pass; so the target mends the checksum of
// each chunk first. Nor do mutated bytes unpack: so every other mutation is one of the unpacked rows, which are then
// packed again, and reach the engine. The first byte of the input chooses the effort.

#include "CTagReader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#define MOST_ROWS (1 << 20)

size_t LLVMFuzzerMutate(uint8_t *data, size_t count, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t count, size_t most, unsigned seed);

static void mend_checksums(uint8_t *bytes, size_t count) {
    size_t at = 8;
    while (count >= 12 && at <= count - 12) {
        size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16
            | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (length > count - 12 - at) return;
        uint32_t sum = (uint32_t)crc32(0, bytes + at + 4, (uInt)(length + 4));
        for (int i = 0; i < 4; i++) bytes[at + 8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += 12 + length;
    }
}

// The rows of the picture, with their filters, and where the chunks with them begin and end. NULL if they do not unpack.
static uint8_t *unpack_rows(const uint8_t *bytes, size_t count, size_t *first, size_t *end, uLongf *length) {
    uint8_t *packed = malloc(count + 1), *rows = malloc(MOST_ROWS);
    size_t packed_count = 0;
    *first = *end = 0;
    for (size_t at = 8; packed != NULL && count >= 12 && at <= count - 12;) {
        size_t part = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16
            | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (part > count - 12 - at) break;
        if (memcmp(bytes + at + 4, "IDAT", 4) == 0) {
            if (*first == 0) *first = at;
            *end = at + 12 + part;
            memcpy(packed + packed_count, bytes + at + 8, part);
            packed_count += part;
        }
        at += 12 + part;
    }
    *length = MOST_ROWS;
    int unpacked = packed != NULL && rows != NULL && *first != 0
        && uncompress(rows, length, packed, packed_count) == Z_OK;
    free(packed);
    if (unpacked) return rows;
    free(rows);
    return NULL;
}

// Mutates the rows of a picture in place. Returns its new length, or 0 if that is impossible.
static size_t mutate_rows(uint8_t *bytes, size_t count, size_t most) {
    size_t first, end;
    uLongf length;
    uint8_t *rows = unpack_rows(bytes, count, &first, &end, &length);
    if (rows == NULL) return 0;
    length = LLVMFuzzerMutate(rows, length, MOST_ROWS);
    uLongf packed_count = compressBound(length);
    uint8_t *packed = malloc(packed_count);
    size_t made = 0;
    if (packed != NULL && compress2(packed, &packed_count, rows, length, 1) == Z_OK
        && count - (end - first) + 12 + packed_count <= most) {
        memmove(bytes + first + 12 + packed_count, bytes + end, count - end);
        for (int i = 0; i < 4; i++) bytes[first + (size_t)i] = (uint8_t)(packed_count >> (24 - 8 * i));
        memcpy(bytes + first + 4, "IDAT", 4);
        memcpy(bytes + first + 8, packed, packed_count);
        made = count - (end - first) + 12 + packed_count; // its checksum is mended later
    }
    free(packed);
    free(rows);
    return made;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t count, size_t most, unsigned seed) {
    size_t made = count > 1 && seed % 2 == 0 ? mutate_rows(data + 1, count - 1, most - 1) : 0;
    return made > 0 ? made + 1 : LLVMFuzzerMutate(data, count, most);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
    if (count < 1 || count > 1 << 20) return 0;
    TagReaderLimits limits = {
        .pixels = 1 << 18, .file_bytes = 1 << 20, .symbols = 400, .effort = data[0] % 3,
    };
    data++;
    count--;
    uint8_t *bytes = malloc(count + 1);
    if (bytes == NULL) return 0;
    memcpy(bytes, data, count);
    mend_checksums(bytes, count);
    int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    if (descriptor >= 0 && write(descriptor, bytes, count) == (ssize_t)count) {
        TagReaderResult result;
        static TagReaderExplanation explanation;
        tag_reader_read_explained(descriptor, &limits, &result, &explanation);
        if (result.status != TAG_READER_OK && result.symbol_count != 0) abort();
        tag_reader_result_free(&result);
        tag_reader_explanation_free(&explanation);
    }
    if (descriptor >= 0) close(descriptor);
    free(bytes);
    return 0;
}
