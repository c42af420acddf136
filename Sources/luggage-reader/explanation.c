#include "explanation.h"

#include "CReaderProtocol.h"

_Static_assert(TAG_READER_MOST_SHOWN_FINDERS <= READER_MAX_FINDERS, "all finders are allowed");
_Static_assert(TAG_READER_MOST_CANDIDATES <= READER_MAX_CANDIDATES, "all candidates are allowed");
_Static_assert(TAG_READER_MOST_SHOWN_PIXELS <= READER_MAX_SHOWN_PIXELS, "all pixels are allowed");
_Static_assert(TAG_READER_MOST_SHOWN_SIDE <= READER_MAX_SHOWN_SIDE, "each side is allowed");

static int send_header(int socket, uint32_t sequence, const TagReaderExplanation *explanation) {
    ReaderExplanationHeader header = {
        .sequence = sequence,
        .finder_count = explanation->finder_count,
        .candidate_count = explanation->candidate_count,
        .plain_scans = explanation->plain_scans,
        .shown_width = explanation->picture.width,
        .shown_height = explanation->picture.height,
        .shown_step = explanation->picture.step,
    };
    return reader_send(socket, &header, sizeof header, -1);
}

static int send_finders(int socket, const TagReaderExplanation *explanation) {
    ReaderFinder finders[TAG_READER_MOST_SHOWN_FINDERS];
    uint32_t count = explanation->finder_count;
    for (uint32_t i = 0; i < count; i++) {
        finders[i] = (ReaderFinder){
            {explanation->finders[i].x, explanation->finders[i].y}, explanation->finder_modules[i],
        };
    }
    return count == 0 ? 0 : reader_send(socket, finders, count * sizeof *finders, -1);
}

static int send_candidates(int socket, const TagReaderExplanation *explanation) {
    ReaderCandidate candidates[TAG_READER_MOST_CANDIDATES];
    uint32_t count = explanation->candidate_count;
    for (uint32_t i = 0; i < count; i++) {
        const TagCandidate *from = &explanation->candidates[i];
        candidates[i] = (ReaderCandidate){
            .module = from->module,
            .agreement = from->agreement,
            .dimension = from->dimension,
            .is_light = from->light != 0,
            .tried = from->tried,
            .succeeded = from->succeeded,
        };
        for (int k = 0; k < 4; k++) {
            candidates[i].outline[k] = (ReaderPoint){from->outline[k].x, from->outline[k].y};
        }
    }
    return count == 0 ? 0 : reader_send(socket, candidates, count * sizeof *candidates, -1);
}

static int send_luminance(int socket, const TagShownPicture *picture) {
    size_t count = (size_t)picture->width * picture->height;
    int error = 0;
    for (size_t at = 0; at < count && error == 0; at += READER_MAX_LUMINANCE) {
        size_t piece = count - at < READER_MAX_LUMINANCE ? count - at : READER_MAX_LUMINANCE;
        error = reader_send(socket, picture->luminance + at, piece, -1);
    }
    return error;
}

int explanation_send(int socket, uint32_t sequence, const TagReaderExplanation *explanation) {
    int error = send_header(socket, sequence, explanation);
    if (error == 0) error = send_finders(socket, explanation);
    if (error == 0) error = send_candidates(socket, explanation);
    if (error == 0) error = send_luminance(socket, &explanation->picture);
    return error == 0 ? 0 : -1;
}
