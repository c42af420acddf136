// Reads the pictures that are its arguments at every effort, explained and not, for a sanitizer to
// watch. Fails where the explanation changes what is read.
//
// clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -D_GNU_SOURCE \
//     -ISources/CTagReader/include Tests/Fuzzing/read_pictures.c Sources/CTagReader/*.c \
//     -lpng16 -ldeflate -ljpeg -lzbar -lm

#include "CTagReader.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_same(const TagReaderResult *one, const TagReaderResult *other) {
    if (one->status != other->status || one->symbol_count != other->symbol_count) return 0;
    for (size_t i = 0; i < one->symbol_count; i++) {
        const TagReaderSymbol *a = &one->symbols[i], *b = &other->symbols[i];
        if (a->count != b->count || memcmp(a->bytes, b->bytes, a->count) != 0) return 0;
    }
    return 1;
}

int main(int count, char **paths) {
    int failures = 0;
    size_t symbols = 0;
    for (int i = 1; i < count; i++) {
        int descriptor = open(paths[i], O_RDONLY);
        for (uint32_t effort = 0; effort < 3; effort++) {
            TagReaderLimits limits = {
                .pixels = 50000000, .file_bytes = 64 << 20, .symbols = 400, .effort = effort,
            };
            TagReaderResult plain, explained;
            TagReaderExplanation explanation;
            tag_reader_read(descriptor, &limits, &plain);
            tag_reader_read_explained(descriptor, &limits, &explained, &explanation);
            if (!is_same(&plain, &explained)) {
                fprintf(stderr, "%s: explained differently at effort %u\n", paths[i], effort);
                failures++;
            }
            symbols += plain.symbol_count;
            tag_reader_result_free(&plain);
            tag_reader_result_free(&explained);
            tag_reader_explanation_free(&explanation);
        }
        if (descriptor < 0 || close(descriptor) != 0) failures++;
    }
    printf("%d pictures, %zu symbols, %d failures\n", count - 1, symbols, failures);
    return failures != 0;
}
