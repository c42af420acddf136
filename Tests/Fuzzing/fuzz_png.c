// libFuzzer target: bytes as a PNG file.
//
// clang -O1 -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -ISources/CTagReader/include \
//     Tests/Fuzzing/fuzz_png.c Sources/CTagReader/*.c -lpng16 -ldeflate -ljpeg -lzbar -lm -lz
//
// libpng checks checksums, which mutated bytes hardly ever pass; so the target mends the checksum of
// each chunk first. The first byte of the input chooses the effort.

#include "CTagReader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

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
