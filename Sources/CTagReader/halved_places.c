// Makes places in a picture of twice the size those in the picture.

#include "tag_engine.h"

static void halve_points(TagReaderPoint *points, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) points[i] = (TagReaderPoint){points[i].x / 2, points[i].y / 2};
}

void tag_halve_places(TagEngine *engine, uint32_t first_candidate) {
    for (size_t i = 0; i < engine->result->symbol_count; i++) {
        TagReaderSymbol *symbol = &engine->result->symbols[i];
        halve_points(symbol->corners, symbol->corner_count);
    }
    for (uint32_t i = 0; i < engine->unread.count; i++) {
        for (int k = 0; k < 4; k++) {
            engine->unread.list[i].outline[k].x /= 2;
            engine->unread.list[i].outline[k].y /= 2;
        }
    }
    TagReaderExplanation *explanation = engine->explanation;
    for (uint32_t i = first_candidate; explanation && i < explanation->candidate_count; i++) {
        halve_points(explanation->candidates[i].outline, 4);
        explanation->candidates[i].module /= 2;
    }
    for (uint32_t i = 0; i < engine->finders.count; i++) {
        engine->finders.list[i].centre.x /= 2;
        engine->finders.list[i].centre.y /= 2;
        engine->finders.list[i].module /= 2;
    }
}
