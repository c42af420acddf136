// Private to CTagReader: where symbols may be.

#ifndef TAG_FINDING_H
#define TAG_FINDING_H

#include "tag_picture.h"

// --- Local thresholds (thresholds.c) ---

#define TAG_BLOCK 8 // pixels on each side of a block with its own threshold

// The threshold between dark and light, by blocks of pixels of one level.
typedef struct TagThresholds {
    uint32_t columns;
    uint32_t rows;
    uint8_t *values; // 0 if the surroundings are flat, so that nothing counts as dark there
    uint8_t *scratch;
} TagThresholds;

// Computes the thresholds of one level. Returns 0 if there is no memory.
int tag_thresholds_make(TagThresholds *thresholds, const TagScales *scales, uint32_t level);
void tag_thresholds_free(TagThresholds *thresholds);

// The thresholds of row `y`, one for each of `width` pixels; `row` has room for 16 more.
void tag_thresholds_row(const TagThresholds *thresholds, uint32_t y, uint32_t width, uint8_t *row);

// --- Finder patterns (finder_rows.c, finder_shape.c) ---

typedef struct TagPosition {
    float x;
    float y;
} TagPosition;

// One finder pattern. `across` and `down` are one module long and point along its sides; the
// pattern alone does not tell which of its four sides is which.
typedef struct TagFinder {
    TagPosition centre;
    TagPosition across;
    TagPosition down;
    float module;   // the mean length of a module, in pixels
    float quality;  // 0 to 1: how well its outline fits
    uint8_t level;  // the level on which it was measured
    uint8_t light;  // 1: light on dark
    uint8_t dark_level;
    uint8_t light_level;
} TagFinder;

// A sheet of 400 symbols has 1,200, and as many again in its data and lettering look like one.
#define TAG_MOST_FINDERS 4096

typedef struct TagFinders {
    uint32_t count;
    uint32_t good; // of them
    int is_cut;    // a good one had no room, or the search was stopped
    uint64_t work; // pixels visited
    uint64_t edges; // changes between dark and light on the examined rows
    uint64_t row_pixels; // on those rows
    TagFinder list[TAG_MOST_FINDERS];
} TagFinders;

// This many good finder patterns are a crowd of symbols: noise and texture show a few dozen.
#define TAG_CROWD 96

static inline int tag_finders_are_crowd(const TagFinders *finders) {
    return finders->good >= TAG_CROWD;
}

// Whether this is a crowd in which some symbols may not have been examined.
static inline int tag_finders_overflow(const TagFinders *finders) {
    return finders->is_cut && tag_finders_are_crowd(finders);
}

// Finds the patterns of one level and adds the unknown ones. `plane` is the level itself or its
// filtered form. Stops if there are too many. Returns 0 if there is no memory.
int tag_finders_locate(TagFinders *finders, const TagScales *scales, uint32_t level,
                       const TagPlane *plane, uint32_t row_step);

// Whether its outline is almost certainly that of a finder pattern.
int tag_finder_is_good(const TagFinder *finder);

// Measures the pattern around a centre on its level. Returns 0 if there is none.
int tag_finder_measure(const TagPlane *plane, float x, float y, float module, float threshold,
                       int light, TagFinder *finder);

// --- Blurred finder patterns (finder_spots.c) ---

// A place that may be a finder pattern of which blur has left only a spot.
typedef struct TagSpot {
    TagPosition centre;
    float module; // about, in pixels
    float score;
    uint8_t light;
} TagSpot;

#define TAG_MOST_SPOTS 64

// The shortest modules of spots that are found on a level, in its pixels.
#define TAG_LEAST_SPOT_MODULE 2.2f

typedef struct TagSpots {
    uint32_t count;
    uint64_t work; // pixels visited
    TagSpot list[TAG_MOST_SPOTS];
} TagSpots;

// Finds the best spots of one level, but none where `covered`, a byte for each pixel, is not 0; NULL for
// nowhere. If the level has noise, patterns with their rings count too; at a glance, only clear ones, in half
// the time. Returns 0 if there is no memory.
int tag_spots_find(TagSpots *spots, const TagScales *scales, uint32_t level, int has_noise,
                   const uint8_t *covered, int is_glance);

// Keeps a spot, unless a better one is there, or all that are kept are better.
void tag_spots_keep(TagSpots *spots, TagSpot spot);

// --- Filters (filters.c) ---

// Unsharp masking: adds `gain` times the difference of a pixel from the mean of its window. `out`
// has the size of the plane. Returns 0 if there is no memory.
int tag_filter_sharpen(const TagPlane *plane, int radius, int gain, uint8_t *out);
// The mean of windows of 2 radius + 1, at most 15.
int tag_filter_smooth(const TagPlane *plane, int radius, uint8_t *out);

// --- How finder patterns see one another (finder_sights.c) ---

// The distance between the centres of two that see each other: 14 in the smallest symbol, less with
// perspective, and 170 in the largest.
#define TAG_LEAST_SEEN_MODULES 9.0f
#define TAG_MOST_SEEN_MODULES 220.0f

// One finder seen from another: along which of the frame's four directions, how far, and how far
// beside the axis.
typedef struct TagSight {
    int axis;      // 0 across, 1 down, 2 against across, 3 against down; -1 along none
    float modules;
    float beside;  // a share of `modules`
} TagSight;

// Two finders that see each other, the other one among the nearest along its axis.
typedef struct TagNear {
    uint16_t index; // of the other
    uint8_t is_behind; // a third finder is between the two
    TagSight there; // from the one to the other
    TagSight back;
} TagNear;

// The near finders of every finder, in the order of the list of finders: those of finder `i` begin
// at `list[i * stride]`.
typedef struct TagNeighbours {
    uint32_t stride;
    int is_cut; // some distant ones were left out
    uint16_t *counts; // of each finder
    TagNear *list;
} TagNeighbours;

// How `from` sees `to`.
TagSight tag_sight(const TagFinder *from, const TagFinder *to);

// A vector in modules of a finder's frame. Returns 0 for a degenerate frame.
int tag_in_frame(const TagFinder *finder, float dx, float dy, float *p, float *q);

// The greater of two lengths divided by the smaller.
float tag_ratio(float a, float b);

// Finds the neighbours of every finder, without used ones. Returns 0 if there is no memory.
int tag_neighbours_make(const TagFinders *finders, const uint8_t *used, TagNeighbours *neighbours);
void tag_neighbours_free(TagNeighbours *neighbours);

// --- Groups of finder patterns (finder_groups.c) ---

// Three finder patterns that may belong to one symbol, with their axes turned alike: `across` to
// the right of the symbol, `down` to its bottom.
typedef struct TagGroup {
    TagFinder corner; // top left
    TagFinder right;  // top right
    TagFinder below;  // bottom left
    uint16_t indexes[3]; // in the list of finders; missing ones repeat another
    uint8_t light;
    uint8_t missing;  // not found: 0 none, 1 `corner`, 2 `right`, 4 `below`
    float modules;    // between the centres, estimated from the lengths of the modules
    float penalty;    // 0 for a perfect square of perfect patterns
    uint32_t number;  // in the order of consideration
} TagGroup;

#define TAG_MOST_GROUPS 8192

// The groups to find.
typedef struct TagGroupsWanted {
    float least_penalty;
    uint32_t most; // about the number of groups, the best ones
    int is_sure;   // only groups that lie well, with good finders except for one of three
} TagGroupsWanted;

typedef struct TagGroups {
    uint32_t count;
    uint32_t room;      // the most groups
    int is_cut;         // there may be more than are listed
    float most_penalty; // of those that are listed; infinite if none were left out for it
    uint32_t considered;
    TagGroupsWanted wanted;
    TagGroup list[TAG_MOST_GROUPS];
} TagGroups;

// Finds the plausible groups, the best first, without those of used finders. Returns 0 if there is
// no memory.
int tag_groups_make(const TagFinders *finders, const uint8_t *used, const TagGroupsWanted *wanted,
                    TagGroups *groups);

#endif
