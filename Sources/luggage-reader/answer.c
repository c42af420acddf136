#include "answer.h"

#include "CReaderProtocol.h"
#include "CReaderSandbox.h"
#include "CTagReader.h"
#include "explanation.h"
#include "pool_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int send_symbol(int socket, uint32_t sequence, uint32_t index, const TagReaderSymbol *symbol) {
    uint8_t *packet = malloc(sizeof(ReaderSymbolHeader) + symbol->count);
    if (packet == NULL) return -1;
    ReaderSymbolHeader header = {
        .sequence = sequence,
        .index = index,
        .byte_count = (uint32_t)symbol->count,
        .is_partial = symbol->is_partial != 0,
        .corner_count = symbol->corner_count,
        .refusal = symbol->refusal,
        .character_set = symbol->character_set,
    };
    _Static_assert(TAG_READER_MAX_CORNERS <= READER_MAX_CORNERS, "all corners fit into a header");
    for (uint32_t i = 0; i < symbol->corner_count; i++) {
        header.corners[i].x = symbol->corners[i].x;
        header.corners[i].y = symbol->corners[i].y;
    }
    memcpy(packet, &header, sizeof header);
    if (symbol->count > 0) memcpy(packet + sizeof header, symbol->bytes, symbol->count);
    int error = reader_send(socket, packet, sizeof header + symbol->count, -1);
    free(packet);
    return error == 0 ? 0 : -1;
}

// QR symbols cannot contain a payload that exceeds a packet; it is rejected, not truncated.
static void check_payloads(TagReaderResult *result) {
    for (size_t i = 0; i < result->symbol_count; i++) {
        if (result->symbols[i].count <= READER_MAX_PAYLOAD) continue;
        tag_reader_result_free(result);
        result->status = TAG_READER_DECODER_FAILED;
        snprintf(result->message, sizeof result->message, "the decoder gave an impossible payload");
        return;
    }
}

// Tells the places that look like symbols. Of a picture that was not read completely, nothing is told.
static void add_unread(ReaderReply *reply, const TagReaderResult *result) {
    if (result->status != TAG_READER_OK) return;
    _Static_assert(TAG_READER_MOST_UNREAD <= READER_MAX_UNREAD, "all places fit into a reply");
    reply->unread_count = result->unread_count;
    for (uint32_t i = 0; i < result->unread_count; i++) {
        for (int k = 0; k < TAG_READER_MAX_CORNERS; k++) {
            TagReaderPoint corner = result->unread[i].corners[k];
            reply->unread[i].corners[k] = (ReaderPoint){corner.x, corner.y};
        }
    }
}

// Sends the result, with `explanation` unless that is NULL.
static int send_result(int socket, uint32_t sequence, const TagReaderResult *result,
                       const TagReaderExplanation *explanation, uint64_t nanoseconds) {
    ReaderReply reply = {
        .version = READER_PROTOCOL_VERSION,
        .sequence = sequence,
        .status = (int32_t)result->status,
        .error_number = result->error_number,
        .width = result->width,
        .height = result->height,
        .symbol_count = (uint32_t)result->symbol_count,
        .nanoseconds = nanoseconds,
    };
    _Static_assert(sizeof reply.message >= sizeof result->message, "a message fits into a reply");
    memcpy(reply.message, result->message, sizeof result->message);
    add_unread(&reply, result);
    if (reader_send(socket, &reply, sizeof reply, -1) != 0) return -1;
    for (size_t i = 0; i < result->symbol_count; i++) {
        if (send_symbol(socket, sequence, (uint32_t)i, &result->symbols[i]) != 0) return -1;
    }
    if (explanation != NULL && result->status == TAG_READER_OK
        && explanation_send(socket, sequence, explanation) != 0) {
        return -1;
    }
    return 1;
}

int answer_one(int socket) {
    ReaderRequest request;
    int picture = -1;
    ssize_t count = reader_receive(socket, &request, sizeof request, &picture);
    if (count == 0) return 0;
    if (count < 0) return -1;
    if (count != (ssize_t)sizeof request || request.version != READER_PROTOCOL_VERSION
        || picture < 0) {
        // The version in the reply tells a pool of another build the reason.
        TagReaderResult refusal = {.status = TAG_READER_DECODER_FAILED};
        send_result(socket, 0, &refusal, NULL, 0);
        if (picture >= 0) close(picture);
        return -1;
    }

    TagReaderLimits limits = {
        .pixels = request.pixels,
        .file_bytes = request.file_bytes,
        .symbols = request.symbols,
        .effort = request.effort,
    };
    TagReaderResult result;
    TagReaderExplanation space = {0};
    TagReaderExplanation *explanation = request.explains == 1 ? &space : NULL;
    pool_watch_begin(socket);
    uint64_t started = monotonic_nanoseconds();
    if (sandbox_grant_processor_time(request.processor_seconds) == 0) {
        tag_reader_read_explained(picture, &limits, &result, explanation);
    } else {
        result = (TagReaderResult){
            .status = TAG_READER_DECODER_FAILED,
            .message = "the limit of processor time cannot be set",
        };
    }
    uint64_t nanoseconds = monotonic_nanoseconds() - started;
    close(picture);
    check_payloads(&result);
    pool_watch_end(socket);
    int outcome = send_result(socket, request.sequence, &result, explanation, nanoseconds);
    tag_reader_explanation_free(&space);
    tag_reader_result_free(&result);
    return outcome;
}
