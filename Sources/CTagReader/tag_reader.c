// Reads one picture: file, luminance, scans, symbols.

#include "tag_engine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tag_fail(TagReaderResult *result, TagReaderStatus status, const char *format, ...) {
    if (result->status != TAG_READER_OK) return;
    result->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->message, sizeof result->message, format, arguments);
    va_end(arguments);
}

// Checks everything that is known before unpacking. Returns 0 if the answer is already final.
static int check_file(TagFile *file, const TagReaderLimits *limits, TagReaderResult *result) {
    uint64_t length = 0;
    const uint8_t *bytes = NULL;
    size_t count = 0;
    if (tag_file_length(file, &length) != TAG_FILE_OK) {
        result->error_number = errno;
        tag_fail(result, TAG_READER_INPUT_FAILED, "cannot be examined: %s",
                 strerrordesc_np(result->error_number));
        return 0;
    }
    switch (tag_file_peek(file, &bytes, &count)) {
    case TAG_FILE_FAILED:
        result->error_number = errno;
        tag_fail(result, TAG_READER_INPUT_FAILED, "cannot be read: %s",
                 strerrordesc_np(result->error_number));
        return 0;
    case TAG_FILE_OK:
    case TAG_FILE_ENDED:    // empty
    case TAG_FILE_TOO_LONG: // not a single byte is allowed
        break;
    }
    if (length > limits->file_bytes && (count == 0 || tag_format_is_png(bytes, count))) {
        tag_fail(result, TAG_READER_TOO_MANY_BYTES, "the file has %llu bytes; the limit is %llu",
                 (unsigned long long)length, (unsigned long long)limits->file_bytes);
        return 0;
    }
    if (tag_format_is_png(bytes, count)) return 1;
    if (tag_format_is_mangled_png(bytes, count)) {
        tag_fail(result, TAG_READER_DAMAGED,
                 "the PNG is damaged: it was transferred as text, which alters its bytes");
    } else {
        tag_fail(result, TAG_READER_NOT_AN_IMAGE, "the file is %s",
                 tag_format_describe(bytes, count));
    }
    return 0;
}

static void forget_symbols(TagReaderResult *result) {
    for (size_t i = 0; i < result->symbol_count; i++) free((void *)result->symbols[i].bytes);
    free(result->symbols);
    result->symbols = NULL;
    result->symbol_count = 0;
}

// The common end of reading, when the luminance is ready.
static void finish(TagPicture *picture, const TagReaderLimits *limits, TagReaderResult *result,
                   TagReaderExplanation *explanation) {
    if (result->status == TAG_READER_OK) tag_engine_read(picture, limits, result, explanation);
    tag_picture_free(picture);
    if (result->symbol_count > limits->symbols) {
        // There may be more, because the search ended here.
        tag_fail(result, TAG_READER_TOO_MANY_SYMBOLS, "more than %u symbols, which is the limit",
                 (unsigned)limits->symbols);
    }
    if (result->status != TAG_READER_OK) {
        forget_symbols(result);
    } else {
        tag_symbols_sort(result);
    }
}

void tag_reader_read_explained(int descriptor, const TagReaderLimits *limits,
                               TagReaderResult *result, TagReaderExplanation *explanation) {
    memset(result, 0, sizeof *result);
    if (explanation != NULL) memset(explanation, 0, sizeof *explanation);
    TagFile *file = malloc(sizeof *file);
    if (file == NULL) {
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory ran out before reading");
        return;
    }
    tag_file_open(file, descriptor, limits->file_bytes);
    TagPicture picture = {0};
    if (check_file(file, limits, result)) tag_png_unpack(file, limits, &picture, result);
    free(file);
    finish(&picture, limits, result, explanation);
}

void tag_reader_read(int descriptor, const TagReaderLimits *limits, TagReaderResult *result) {
    tag_reader_read_explained(descriptor, limits, result, NULL);
}

void tag_reader_read_luminance(const uint8_t *pixels, uint32_t width, uint32_t height,
                               const TagReaderLimits *limits, TagReaderResult *result,
                               TagReaderExplanation *explanation) {
    memset(result, 0, sizeof *result);
    if (explanation != NULL) memset(explanation, 0, sizeof *explanation);
    TagPicture picture = {.width = width, .height = height};
    uint64_t count = (uint64_t)width * height;
    result->width = width;
    result->height = height;
    if (count > limits->pixels || count > TAG_MOST_PIXELS) {
        tag_fail(result, TAG_READER_TOO_MANY_PIXELS, "%u x %u is %llu pixels; the limit is %llu",
                 (unsigned)width, (unsigned)height, (unsigned long long)count,
                 (unsigned long long)limits->pixels);
    } else if (count > 0) {
        picture.luminance = malloc((size_t)count);
        if (picture.luminance == NULL || !tag_scales_allocate(&picture)) {
            tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory for the picture cannot be had");
        } else {
            memcpy(picture.luminance, pixels, (size_t)count);
            tag_scales_fill(&picture.scales);
        }
    }
    if (count > 0) finish(&picture, limits, result, explanation);
}

void tag_reader_result_free(TagReaderResult *result) {
    forget_symbols(result);
    memset(result, 0, sizeof *result);
}
