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

// Checks everything that is known before unpacking. If the answer is already final, `result` holds it.
static TagFormat check_file(TagFile *file, const TagReaderLimits *limits, TagReaderResult *result) {
    uint64_t length = 0;
    const uint8_t *bytes = NULL;
    size_t count = 0;
    if (tag_file_length(file, &length) != TAG_FILE_OK) {
        result->error_number = errno;
        tag_fail(result, TAG_READER_INPUT_FAILED, "cannot be examined: %s",
                 strerrordesc_np(result->error_number));
        return TAG_FORMAT_OTHER;
    }
    // The file may also be empty, or not a single byte be allowed.
    if (tag_file_peek(file, &bytes, &count) == TAG_FILE_FAILED) {
        tag_file_fail(file, TAG_FILE_FAILED, "file", result);
        return TAG_FORMAT_OTHER;
    }
    TagFormat format = tag_format_of(bytes, count);
    if (length > limits->file_bytes && (count == 0 || format != TAG_FORMAT_OTHER)) {
        tag_fail(result, TAG_READER_TOO_MANY_BYTES, "the file has %llu bytes; the limit is %llu",
                 (unsigned long long)length, (unsigned long long)limits->file_bytes);
    } else if (format != TAG_FORMAT_OTHER) {
        return format;
    } else if (tag_format_is_mangled_png(bytes, count)) {
        tag_fail(result, TAG_READER_DAMAGED,
                 "the PNG is damaged: it was transferred as text, which alters its bytes");
    } else {
        tag_fail(result, TAG_READER_NOT_AN_IMAGE, "the file is %s",
                 tag_format_describe(bytes, count));
    }
    return TAG_FORMAT_OTHER;
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
    if (picture->is_doubtful && result->symbol_count == 0) {
        tag_fail(result, TAG_READER_DAMAGED,
                 "the JPEG is damaged: some of its data is missing or left over");
    }
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
    switch (check_file(file, limits, result)) {
    case TAG_FORMAT_PNG: tag_png_unpack(file, limits, &picture, result); break;
    case TAG_FORMAT_JPEG: tag_jpeg_unpack(file, limits, &picture, result); break;
    case TAG_FORMAT_OTHER: break;
    }
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
    result->width = width;
    result->height = height;
    if (width == 0 || height == 0) return;
    TagPicture picture = {0};
    if (tag_picture_begin(&picture, width, height, limits, result)) {
        memcpy(picture.luminance, pixels, (size_t)width * height);
        tag_scales_fill(&picture.scales);
    }
    finish(&picture, limits, result, explanation);
}

void tag_reader_result_free(TagReaderResult *result) {
    forget_symbols(result);
    memset(result, 0, sizeof *result);
}
