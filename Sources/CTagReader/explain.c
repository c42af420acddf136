// Records what the engine looked at.

#include "tag_engine.h"

static TagReaderPoint point(TagPosition position) {
    float x = position.x, y = position.y, most = 1e9f;
    return (TagReaderPoint){
        x > -most ? (x < most ? (int32_t)x : (int32_t)most) : (int32_t)-most,
        y > -most ? (y < most ? (int32_t)y : (int32_t)most) : (int32_t)-most,
    };
}

void tag_explain(TagEngine *engine, const TagGroup *group, int dimension,
                 const TagPosition outline[4], uint32_t tried, TagHypothesis succeeded) {
    TagReaderExplanation *explanation = engine->explanation;
    if (explanation == NULL || explanation->candidate_count == TAG_READER_MOST_CANDIDATES) return;
    TagCandidate *candidate = &explanation->candidates[explanation->candidate_count++];
    *candidate = (TagCandidate){
        .finders = {point(group->corner.centre), point(group->right.centre),
                    point(group->below.centre)},
        .module = group->missing & 1 ? group->right.module : group->corner.module,
        .dimension = (uint32_t)dimension,
        .light = group->light,
        .tried = tried,
        .succeeded = succeeded,
    };
    for (int i = 0; i < 4; i++) candidate->outline[i] = point(outline[i]);
}

void tag_explain_finders(TagEngine *engine) {
    TagReaderExplanation *explanation = engine->explanation;
    if (explanation == NULL) return;
    explanation->finder_count = 0;
    for (uint32_t i = 0; i < engine->finders.count && i < TAG_READER_MOST_SHOWN_FINDERS; i++) {
        explanation->finders[i] = point(engine->finders.list[i].centre);
        explanation->finder_modules[i] = engine->finders.list[i].module;
        explanation->finder_count++;
    }
}
