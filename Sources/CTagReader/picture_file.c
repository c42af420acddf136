// Reads a file by pread in large pieces, up to a limit.

#include "tag_picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void tag_file_open(TagFile *file, int descriptor, uint64_t limit) {
    file->descriptor = descriptor;
    file->limit = limit;
    file->offset = 0;
    file->position = 0;
    file->available = 0;
}

// The C library's fstat is a system call that can also take a path. A process that has given up
// access to the file system must use the one that cannot. On 64-bit machines, the kernel's struct
// is that of the C library.
static int examine(int descriptor, struct stat *status) {
#if defined(SYS_fstat) && defined(__LP64__)
    return (int)syscall(SYS_fstat, descriptor, status);
#else
    return fstat(descriptor, status);
#endif
}

TagFileStatus tag_file_length(const TagFile *file, uint64_t *length) {
    struct stat status;
    if (examine(file->descriptor, &status) != 0) return TAG_FILE_FAILED;
    *length = status.st_size > 0 ? (uint64_t)status.st_size : 0;
    return TAG_FILE_OK;
}

// Reads as much as fits, at least one byte.
static TagFileStatus fill(TagFile *file) {
    if (file->offset >= file->limit) return TAG_FILE_TOO_LONG;
    uint64_t room = file->limit - file->offset;
    size_t wanted = room < TAG_FILE_BUFFER ? (size_t)room : TAG_FILE_BUFFER;
    ssize_t count;
    do {
        count = pread(file->descriptor, file->bytes, wanted, (off_t)file->offset);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return TAG_FILE_FAILED;
    if (count == 0) return TAG_FILE_ENDED;
    file->offset += (uint64_t)count;
    file->position = 0;
    file->available = (size_t)count;
    return TAG_FILE_OK;
}

TagFileStatus tag_file_read(TagFile *file, uint8_t *bytes, size_t count) {
    while (count > 0) {
        if (file->available == 0) {
            TagFileStatus status = fill(file);
            if (status != TAG_FILE_OK) return status;
        }
        size_t part = count < file->available ? count : file->available;
        memcpy(bytes, file->bytes + file->position, part);
        file->position += part;
        file->available -= part;
        bytes += part;
        count -= part;
    }
    return TAG_FILE_OK;
}

TagFileStatus tag_file_peek(TagFile *file, const uint8_t **bytes, size_t *count) {
    TagFileStatus status = file->available == 0 ? fill(file) : TAG_FILE_OK;
    *bytes = file->bytes + file->position;
    *count = file->available;
    return status;
}

TagFileStatus tag_file_take(TagFile *file, const uint8_t **bytes, size_t *count) {
    TagFileStatus status = tag_file_peek(file, bytes, count);
    file->position += *count;
    file->available = 0;
    return status;
}

uint8_t *tag_file_rest(const TagFile *file, size_t before, size_t *count) {
    uint64_t length = 0, begin = file->offset - file->available - before;
    if (tag_file_length(file, &length) != TAG_FILE_OK || length <= begin || length > file->limit) return NULL;
    uint8_t *bytes = tag_large_allocate((size_t)(length - begin));
    *count = 0;
    while (bytes != NULL && begin < length) {
        ssize_t part = pread(file->descriptor, bytes + *count, (size_t)(length - begin), (off_t)begin);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) {
            free(bytes);
            return NULL;
        }
        *count += (size_t)part;
        begin += (uint64_t)part;
    }
    return bytes;
}

void tag_file_fail(const TagFile *file, TagFileStatus status, const char *format,
                   TagReaderResult *result) {
    switch (status) {
    case TAG_FILE_OK:
        break;
    case TAG_FILE_ENDED:
        tag_fail(result, TAG_READER_DAMAGED, "the %s is damaged: it ends early, after %llu bytes",
                 format, (unsigned long long)file->offset);
        break;
    case TAG_FILE_TOO_LONG:
        tag_fail(result, TAG_READER_TOO_MANY_BYTES,
                 "the file is longer than the limit of %llu bytes", (unsigned long long)file->limit);
        break;
    case TAG_FILE_FAILED:
        result->error_number = errno;
        tag_fail(result, TAG_READER_INPUT_FAILED, "cannot be read: %s",
                 strerrordesc_np(result->error_number));
        break;
    }
}
