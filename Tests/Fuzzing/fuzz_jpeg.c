// libFuzzer target: bytes as a JPEG file.
//
// clang -O1 -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -ISources/CTagReader/include \
//     Tests/Fuzzing/fuzz_jpeg.c Sources/CTagReader/*.c -lpng16 -ldeflate -ljpeg -lzbar -lm
//
// The first byte of the input chooses the effort. The file begins with the three bytes by which a JPEG is
// known, whatever the input has there.

#include "CTagReader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
    if (count < 4 || count > 1 << 20) return 0;
    TagReaderLimits limits = {
        .pixels = 1 << 18, .file_bytes = 1 << 20, .symbols = 400, .effort = data[0] % 3,
    };
    data++;
    count--;
    uint8_t *bytes = malloc(count);
    if (bytes == NULL) return 0;
    memcpy(bytes, data, count);
    memcpy(bytes, "\xFF\xD8\xFF", 3);
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
