// Looks for finder patterns: rows in which dark and light alternate as 1:1:3:1:1.
//
// A row through the middle of a finder pattern shows these proportions at every rotation of the
// symbol. On a large scale, only every second or third row is examined, because the innermost
// square is three modules high. A candidate from a row is checked downwards and across at once;
// only then is it measured in all directions (finder_shape.c).

#include "tag_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scan {
    TagFinders *finders;
    const TagScales *scales;
    const TagPlane *plane;
    uint32_t level;
    uint8_t *thresholds; // of the row
    uint8_t *dark;       // of the row: 1 for a dark pixel
    uint32_t *edges;     // of the row: the positions of changes
    float *rejected;     // places measured in vain, which are skipped from then on
    uint32_t rejected_count;
    uint32_t next_rejected;
    uint32_t measured; // in vain, or with a doubtful result
} Scan;

#define MOST_REJECTED 512
// The most places on one level: limits the work on texture. A sheet of codes has more such places,
// but also good ones.
#define MOST_MEASURED 2500
#define MEASURED_PER_GOOD 4

// Of the finder patterns on sheets, also blurred and noisy ones, 97 in 100 have at least this
// quality; of false ones in noise and texture, 1 in 100.
#define GOOD_QUALITY 0.85f

int tag_finder_is_good(const TagFinder *finder) {
    return finder->quality >= GOOD_QUALITY;
}

// Places in the list for doubtful ones: this number, plus one for two good ones.
#define MOST_DOUBTFUL 192

#define LEAST_EXACT_MODULE 2.5f // pixels

// Whether five runs have the proportions 1:1:3:1:1. Generous, because shadows and blur move all
// edges one way, and small modules are only a pixel or two.
static inline int is_finder_like(float a, float b, float c, float d, float e) {
    float total = a + b + c + d + e;
    if (c < 0.28f * total || c > 0.62f * total) return 0;
    float left = a + b, right = d + e;
    if (left < 0.17f * total || right < 0.17f * total || left > 0.42f * total
        || right > 0.42f * total) {
        return 0;
    }
    float least = 0.045f * total, most = 0.29f * total;
    return a > least && b > least && d > least && e > least && a < most && b < most && d < most
        && e < most;
}

// Walks from a pixel to three changes of colour, and gives their distances in fractions of pixels.
// Returns 0 if there are fewer within `most` steps.
static int walk(const TagPlane *plane, int x, int y, int dx, int dy, int threshold, int light,
                int most, float distances[3]) {
    int found = 0;
    int inside = !light; // whether the colour now is dark
    int width = (int)plane->width, height = (int)plane->height;
    int before = plane->pixels[(size_t)y * plane->width + (size_t)x];
    if ((before < threshold) != inside) return 0;
    for (int step = 1; step <= most; step++) {
        x += dx;
        y += dy;
        if (x < 0 || y < 0 || x >= width || y >= height) {
            // The edge of the picture counts as the outer edge of the pattern.
            if (found != 2) return 0;
            distances[2] = (float)step - 0.5f;
            return 1;
        }
        int now = plane->pixels[(size_t)y * plane->width + (size_t)x];
        if ((now < threshold) != inside) {
            float part = now == before
                             ? 0.5f
                             : ((float)threshold - 0.5f - (float)before) / (float)(now - before);
            distances[found++] = (float)(step - 1) + part;
            if (found == 3) return 1;
            inside = !inside;
        }
        before = now;
    }
    return 0;
}

// Checks one direction through a place, and moves the place to the middle of the innermost square.
static int check_line(const TagPlane *plane, float *x, float *y, int dx, int dy, int threshold,
                      int light, float module, float *total) {
    int most = (int)(module * 12) + 3;
    float before[3], after[3];
    int column = (int)*x, row = (int)*y;
    if (!walk(plane, column, row, dx, dy, threshold, light, most, after)
        || !walk(plane, column, row, -dx, -dy, threshold, light, most, before)) {
        return 0;
    }
    if (!is_finder_like(before[2] - before[1], before[1] - before[0], before[0] + after[0],
                        after[1] - after[0], after[2] - after[1])) {
        return 0;
    }
    float shift = (after[0] - before[0]) / 2;
    if (dx != 0) *x = (float)column + 0.5f + shift;
    if (dy != 0) *y = (float)row + 0.5f + shift;
    *total = before[2] + after[2];
    return 1;
}

// Whether a place on this level is in a known pattern of about the same size. The surroundings of a
// whole tag, or of a whole pattern, may look like a pattern too, but less so.
static int is_known_finder(const Scan *scan, float x, float y, float module, int light) {
    float size = (float)(1u << scan->level);
    module *= size;
    for (uint32_t i = 0; i < scan->finders->count; i++) {
        const TagFinder *finder = &scan->finders->list[i];
        float dx = x * size - finder->centre.x, dy = y * size - finder->centre.y;
        float reach = 2 * module;
        float most = tag_finder_is_good(finder) ? 2.5f : 1.6f;
        if (finder->light == light && finder->module < most * module
            && module < most * finder->module && dx * dx + dy * dy < reach * reach) {
            return 1;
        }
    }
    return 0;
}

static int is_rejected(const Scan *scan, float x, float y) {
    for (uint32_t i = 0; i < scan->rejected_count; i++) {
        const float *place = scan->rejected + 3 * i;
        float dx = x - place[0], dy = y - place[1];
        if (dx * dx + dy * dy < place[2]) return 1;
    }
    return 0;
}

// Skips a place from now on. If there are too many, the oldest is forgotten.
static void reject(Scan *scan, float x, float y, float module) {
    float *place = scan->rejected + 3 * (scan->next_rejected++ % MOST_REJECTED);
    if (scan->rejected_count < MOST_REJECTED) scan->rejected_count++;
    place[0] = x;
    place[1] = y;
    place[2] = 0.3f * module * module;
}

static int has_room(const TagFinders *finders, int is_good) {
    if (finders->count == TAG_MOST_FINDERS) return 0;
    return is_good || finders->count - finders->good < MOST_DOUBTFUL + finders->good / 2;
}

// Returns 0 if there is no room.
static int keep_finder(TagFinders *finders, const TagFinder *found) {
    int is_good = tag_finder_is_good(found);
    if (has_room(finders, is_good)) {
        finders->list[finders->count++] = *found;
        finders->good += (uint32_t)is_good;
        return 1;
    }
    // Full: the worst one is replaced, so that texture does not exclude later patterns.
    TagFinder *worst = &finders->list[0];
    for (uint32_t i = 1; i < finders->count; i++) {
        if (finders->list[i].quality < worst->quality) worst = &finders->list[i];
    }
    if (tag_finder_is_good(worst)) finders->is_cut = 1;
    if (worst->quality >= found->quality) return 0;
    if (!tag_finder_is_good(worst)) finders->good += (uint32_t)is_good;
    *worst = *found;
    return 1;
}

static void consider_row(Scan *scan, float x, float y, float row_total, int threshold, int light) {
    const TagPlane *plane = scan->plane;
    float module = row_total / 7;
    float across = row_total, down;
    if (!check_line(plane, &x, &y, 0, 1, threshold, light, module, &down)) return;
    if (!check_line(plane, &x, &y, 1, 0, threshold, light, module, &across)) return;
    if (down > 4 * across || across > 4 * down) return;
    module = sqrtf(across * down) / 7;
    if (is_known_finder(scan, x, y, module, light) || is_rejected(scan, x, y)) return;
    if (scan->measured >= MOST_MEASURED + MEASURED_PER_GOOD * scan->finders->good) {
        scan->finders->is_cut = 1;
        return;
    }
    scan->measured++;
    TagFinder finder;
    scan->finders->work += 8000;
    if (tag_finder_measure(plane, x, y, module, (float)threshold, light, &finder)) {
        if (is_known_finder(scan, finder.centre.x, finder.centre.y, finder.module, light)) return;
        uint32_t level = scan->level;
        // Small ones are measured again on the next larger scale, which shows their sides exactly.
        while (level > 0 && finder.module < LEAST_EXACT_MODULE) {
            TagFinder larger;
            if (!tag_finder_measure(&scan->scales->level[level - 1], finder.centre.x * 2,
                                    finder.centre.y * 2, finder.module * 2, (float)threshold, light,
                                    &larger)) {
                break;
            }
            finder = larger;
            level--;
        }
        float size = (float)(1u << level);
        finder.level = (uint8_t)level;
        finder.centre.x *= size;
        finder.centre.y *= size;
        finder.across.x *= size;
        finder.across.y *= size;
        finder.down.x *= size;
        finder.down.y *= size;
        finder.module *= size;
        if (tag_finder_is_good(&finder)) scan->measured--;
        if (!keep_finder(scan->finders, &finder)) reject(scan, x, y, module);
    } else {
        reject(scan, x, y, module);
    }
}

// Collects the changes between dark and light in a row; its two ends count as changes. `dark` has
// room for one pixel before the first and eight after the last.
static uint32_t find_edges(const uint8_t *restrict pixels, const uint8_t *restrict thresholds,
                           uint32_t width, uint8_t *restrict dark, uint32_t *restrict edges) {
    uint32_t count = 0;
    dark++;
    for (uint32_t x = 0; x < width; x++) dark[x] = pixels[x] < thresholds[x];
    dark[-1] = dark[0];
    memset(dark + width, dark[width - 1], 8);
    edges[count++] = 0;
    for (uint32_t x = 0; x < width; x += 8) {
        uint8_t changes[8];
        uint64_t here, before;
        memcpy(&here, dark + x, 8);
        memcpy(&before, dark + x - 1, 8);
        here ^= before;
        if (here == 0) continue; // usually
        memcpy(changes, &here, 8);
        for (uint32_t k = 0; k < 8; k++) {
            edges[count] = x + k;
            count += changes[k];
        }
    }
    edges[count++] = width;
    return count;
}

static void scan_row(Scan *scan, uint32_t y) {
    uint32_t width = scan->plane->width;
    const uint8_t *pixels = scan->plane->pixels + (size_t)y * width;
    uint32_t count = find_edges(pixels, scan->thresholds, width, scan->dark, scan->edges);
    scan->finders->edges += count - 2; // without the two ends
    scan->finders->row_pixels += width;
    const uint32_t *edges = scan->edges;
    uint32_t least = scan->level > 0 ? 9 : 7; // the next larger scale shows smaller ones better
    int dark = pixels[0] < scan->thresholds[0]; // the colour of the run after edges[0]
    for (uint32_t k = 0; k + 5 < count; k++) {
        uint32_t total = edges[k + 5] - edges[k];
        uint32_t centre = edges[k + 3] - edges[k + 2];
        // The first test rejects most runs, so it comes before anything else is computed.
        if (centre * 25 < total * 7 || centre * 25 > total * 16 || total < least) continue;
        const uint32_t *e = edges + k;
        if (!is_finder_like((float)(e[1] - e[0]), (float)(e[2] - e[1]), (float)centre,
                            (float)(e[4] - e[3]), (float)(e[5] - e[4]))) {
            continue;
        }
        int light = (dark ^ (int)(k & 1)) == 0;
        float x = (float)(e[2] + e[3]) / 2;
        int threshold = scan->thresholds[(uint32_t)x];
        consider_row(scan, x, (float)y + 0.5f, (float)total, threshold, light);
    }
}

int tag_finders_locate(TagFinders *finders, const TagScales *scales, uint32_t level,
                       const TagPlane *plane, uint32_t row_step) {
    TagThresholds thresholds;
    if (!tag_thresholds_make(&thresholds, scales, level)) return 0;
    Scan scan = {.finders = finders, .scales = scales, .plane = plane, .level = level};
    scan.thresholds = malloc((size_t)plane->width + 24);
    scan.dark = malloc((size_t)plane->width + 16);
    scan.edges = malloc(((size_t)plane->width + 16) * sizeof *scan.edges);
    scan.rejected = malloc(3 * MOST_REJECTED * sizeof *scan.rejected);
    int ready = scan.thresholds != NULL && scan.dark != NULL && scan.edges != NULL
        && scan.rejected != NULL;
    for (uint32_t y = row_step / 2; ready && y < plane->height && !tag_finders_overflow(finders);
         y += row_step) {
        tag_thresholds_row(&thresholds, y, plane->width, scan.thresholds);
        scan_row(&scan, y);
        finders->work += plane->width;
    }
    free(scan.thresholds);
    free(scan.dark);
    free(scan.edges);
    free(scan.rejected);
    tag_thresholds_free(&thresholds);
    return ready;
}
