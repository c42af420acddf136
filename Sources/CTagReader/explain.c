// Records what the engine looked at.

#include "tag_engine.h"

#include <stdlib.h>
#include <string.h>

void tag_explain(TagEngine *engine, const TagGroup *group, const TagPosition outline[4],
                 TagCandidate candidate) {
    TagReaderExplanation *explanation = engine->explanation;
    if (explanation == NULL || explanation->candidate_count == TAG_READER_MOST_CANDIDATES) return;
    candidate.module = group->missing & 1 ? group->right.module : group->corner.module;
    candidate.light = group->light;
    for (int i = 0; i < 4; i++) candidate.outline[i] = tag_point(outline[i].x, outline[i].y);
    explanation->candidates[explanation->candidate_count++] = candidate;
}

static void show_finders(const TagFinders *finders, TagReaderExplanation *explanation) {
    explanation->finder_count = 0;
    for (uint32_t i = 0; i < finders->count && i < TAG_READER_MOST_SHOWN_FINDERS; i++) {
        TagPosition centre = finders->list[i].centre;
        explanation->finders[i] = tag_point(centre.x, centre.y);
        explanation->finder_modules[i] = finders->list[i].module;
        explanation->finder_count++;
    }
}

static uint32_t parts(uint32_t length, uint32_t step) {
    return length / step + (length % step != 0);
}

static int is_small(uint32_t width, uint32_t height) {
    return width <= TAG_READER_MOST_SHOWN_SIDE && height <= TAG_READER_MOST_SHOWN_SIDE
        && width * height <= TAG_READER_MOST_SHOWN_PIXELS;
}

static uint8_t mean(const TagPlane *plane, uint32_t left, uint32_t top, uint32_t step) {
    uint32_t right = plane->width - left < step ? plane->width : left + step;
    uint32_t bottom = plane->height - top < step ? plane->height : top + step;
    uint64_t sum = 0;
    for (uint32_t y = top; y < bottom; y++) {
        const uint8_t *row = plane->pixels + (size_t)y * plane->width;
        for (uint32_t x = left; x < right; x++) sum += row[x];
    }
    return (uint8_t)(sum / ((uint64_t)(right - left) * (bottom - top)));
}

static void show_picture(const TagPlane *plane, TagReaderResult *result, TagShownPicture *shown) {
    uint32_t step = 1;
    while (!is_small(parts(plane->width, step), parts(plane->height, step))) step++;
    uint32_t width = parts(plane->width, step), height = parts(plane->height, step);
    uint8_t *luminance = malloc((size_t)width * height);
    if (luminance == NULL) {
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory for the explanation cannot be had");
        return;
    }
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            luminance[(size_t)y * width + x] = mean(plane, x * step, y * step, step);
        }
    }
    *shown = (TagShownPicture){width, height, step, luminance};
}

void tag_explain_picture(TagEngine *engine) {
    if (engine->explanation == NULL) return;
    show_finders(&engine->finders, engine->explanation);
    show_picture(&engine->picture->scales.level[0], engine->result,
                 &engine->explanation->picture);
}

void tag_reader_explanation_free(TagReaderExplanation *explanation) {
    free(explanation->picture.luminance);
    memset(explanation, 0, sizeof *explanation);
}
