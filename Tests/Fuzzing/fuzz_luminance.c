// libFuzzer target: bytes as luminance. The first gives the effort, the next two the width.
//
// clang -O1 -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -ISources/CTagReader/include \
//     Tests/Fuzzing/fuzz_luminance.c Sources/CTagReader/*.c -lpng16 -ldeflate -ljpeg -lzbar -lm

#include "CTagReader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
    if (count < 4) return 0;
    TagReaderLimits limits = {
        .pixels = 1 << 18, .file_bytes = 1 << 20, .symbols = 400, .effort = data[0] % 3,
    };
    uint32_t width = (uint32_t)(data[1] | data[2] << 8);
    data += 3;
    count -= 3;
    if (width == 0 || width > count) return 0;
    TagReaderResult result;
    static TagReaderExplanation explanation;
    tag_reader_read_luminance(data, width, (uint32_t)(count / width), &limits, &result, &explanation);
    if (result.status != TAG_READER_OK && result.symbol_count != 0) abort();
    tag_reader_result_free(&result);
    tag_reader_explanation_free(&explanation);
    return 0;
}
