// Private to CTagReader: what the sources of the reading engine share.
//
// Coordinates are continuous pixels of the whole picture: pixel i covers [i, i + 1). A coordinate on
// level n of the scales is that divided by 2^n. Coordinates of a symbol count its modules in the same
// manner: module i covers [i, i + 1), and the symbol [0, dimension).

#ifndef TAG_ENGINE_H
#define TAG_ENGINE_H

#include "tag_picture.h"

// --- Local thresholds (thresholds.c) ---

#define TAG_BLOCK 8 // pixels on each side of the blocks that have a threshold of their own

// The threshold between dark and light, by blocks of pixels of one level.
typedef struct TagThresholds {
    uint32_t columns;
    uint32_t rows;
    uint8_t *values; // 0 where the surroundings are flat, so that nothing counts as dark there
    uint8_t *scratch;
} TagThresholds;

// Works out the thresholds of one level. Returns 0 when memory could not be had.
int tag_thresholds_make(TagThresholds *thresholds, const TagScales *scales, uint32_t level);
void tag_thresholds_free(TagThresholds *thresholds);

// The thresholds of row `y`, one for each of `width` pixels; `row` has room for 16 more.
void tag_thresholds_row(const TagThresholds *thresholds, uint32_t y, uint32_t width, uint8_t *row);

// --- Finder patterns (finder_rows.c, finder_shape.c) ---

typedef struct TagPosition {
    float x;
    float y;
} TagPosition;

// One finder pattern. `across` and `down` are one module long each and point along its sides; which
// of its four sides is which is not known from the pattern alone.
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

#define TAG_MOST_FINDERS 192

typedef struct TagFinders {
    uint32_t count;
    uint64_t work; // pixels visited
    uint64_t edges; // changes between dark and light on the rows that were looked at
    uint64_t row_pixels; // on those rows
    TagFinder list[TAG_MOST_FINDERS];
} TagFinders;

// Finds the patterns of one level and adds those that are not known. `plane` is the level itself or
// what a filter has made of it. Returns 0 when memory could not be had.
int tag_finders_locate(TagFinders *finders, const TagScales *scales, uint32_t level,
                       const TagPlane *plane, uint32_t row_step);

// Measures the pattern around a centre given on its level. Returns 0 where there is none.
int tag_finder_measure(const TagPlane *plane, float x, float y, float module, float threshold,
                       int light, TagFinder *finder);

// --- Filters (filters.c) ---

// Unsharp masking: what a pixel differs from the mean of its window is added `gain` times. `out` has
// the size of the plane. Returns 0 when memory could not be had.
int tag_filter_sharpen(const TagPlane *plane, int radius, int gain, uint8_t *out);
// The mean of windows of 2 radius + 1, at most 15.
int tag_filter_smooth(const TagPlane *plane, int radius, uint8_t *out);

// --- Groups of finder patterns (finder_groups.c) ---

// Three finder patterns that may belong to one symbol, their axes turned alike: `across` to the
// right of the symbol, `down` to its bottom.
typedef struct TagGroup {
    TagFinder corner; // top left
    TagFinder right;  // top right
    TagFinder below;  // bottom left
    uint16_t indexes[3]; // in the list of finders; those that were not seen repeat another
    uint8_t light;
    uint8_t missing;  // 0 none, 1 `corner`, 2 `right`, 4 `below`: not seen
    float modules;    // between the centres, estimated from the lengths of the modules
    float penalty;    // 0 for a perfect square of perfect patterns
} TagGroup;

#define TAG_MOST_GROUPS 256

typedef struct TagGroups {
    uint32_t count;
    TagGroup list[TAG_MOST_GROUPS];
} TagGroups;

// All plausible groups, the best first.
void tag_groups_make(const TagFinders *finders, TagGroups *groups);

// --- Projection (projection.c) ---

// From modules to pixels: x = (m0 u + m1 v + m2) / (m6 u + m7 v + m8), y likewise.
typedef struct TagProjection {
    double m[9];
} TagProjection;

typedef struct TagMatch {
    double u, v;   // in modules
    double x, y;   // in pixels
    double weight;
} TagMatch;

// The projection that fits the matches best. Returns 0 where they do not determine a sane one.
int tag_projection_fit(const TagMatch *matches, size_t count, TagProjection *projection);
TagPosition tag_projection_apply(const TagProjection *projection, double u, double v);
int tag_projection_revert(const TagProjection *projection, double x, double y, double *u,
                          double *v);

// Whether a symbol of this size is mapped without folding, to something not absurdly large or small.
int tag_projection_is_sane(const TagProjection *projection, double dimension);

// Solves a symmetric positive system in place by Cholesky's method; the solution replaces `right`.
int tag_solve(double *matrix, double *right, size_t count);

// --- What is known of a symbol's modules (symbol_layout.c) ---

#define TAG_LEAST_DIMENSION 21
#define TAG_MOST_DIMENSION 177

enum { TAG_MODULE_DATA = 0, TAG_MODULE_LIGHT = 1, TAG_MODULE_DARK = 2, TAG_MODULE_FORMAT = 3 };

// Fills `kinds`, dimension x dimension.
void tag_layout_fill(int dimension, uint8_t *kinds);

// The centres of alignment patterns along one side: returns how many, at most 7.
int tag_layout_alignments(int dimension, int centres[7]);

// --- Whether error correction would succeed (codeword_check.c) ---

#define TAG_MOST_CODEWORDS 3706

typedef struct TagGalois {
    uint8_t power[512];
    uint8_t logarithm[256];
} TagGalois;

typedef struct TagVerdict {
    int passed;        // every block can be corrected, and not by chance
    int mirrored;      // rows and columns are swapped
    int level;         // of error correction, as encoded in the format
    int mask;
    int errors;        // wrong codewords in all blocks, where known
    int failed_blocks;
    int format_distance;
} TagVerdict;

void tag_galois_fill(TagGalois *galois);

// Looks at modules (1 dark), dimension x dimension. Alters nothing.
void tag_codewords_check(const TagGalois *galois, int dimension, const uint8_t *kinds,
                         const uint8_t *modules, TagVerdict *verdict);

// The 15 bits that stand for a level and a mask.
uint32_t tag_format_bits(int level, int mask);
// Module positions of bit `bit` of copy 0 or 1.
void tag_format_place(int dimension, int copy, int bit, int *column, int *row);

// --- A symbol made upright (patch.c, mesh.c, modules.c, equaliser.c) ---

#define TAG_PATCH_SCALE 4  // pixels a module
#define TAG_PATCH_MARGIN 2 // modules around the symbol
#define TAG_PATCH_MOST_MODULES (TAG_MOST_DIMENSION + 2 * TAG_PATCH_MARGIN)
#define TAG_PATCH_MOST (TAG_PATCH_MOST_MODULES * TAG_PATCH_SCALE)
#define TAG_MESH_MOST (TAG_PATCH_MOST_MODULES + 1)

#define TAG_BEND_TERMS 10

// Working memory for one symbol at a time, one for each picture.
typedef struct TagWork {
    TagGalois galois;
    int dimension;
    uint8_t kinds[TAG_MOST_DIMENSION * TAG_MOST_DIMENSION];
    TagProjection projection;
    int has_bend;
    double bend[2][TAG_BEND_TERMS]; // the mesh as a polynomial, before it is filled
    int has_mesh;
    int anchors; // finder patterns that were seen: 1 corner, 2 right, 4 below
    // Where the projection is off, in modules, at the corners of modules with the margin.
    float mesh_u[TAG_MESH_MOST * TAG_MESH_MOST];
    float mesh_v[TAG_MESH_MOST * TAG_MESH_MOST];
    uint8_t patch[TAG_PATCH_MOST * TAG_PATCH_MOST];
    uint8_t sharp[TAG_PATCH_MOST * TAG_PATCH_MOST]; // the patch with an unsharp mask
    float values[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES]; // with the margin
    float scratch[4][TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES];
    double tables[3][(TAG_MOST_DIMENSION + 1) * (TAG_MOST_DIMENSION + 1)];
    uint8_t modules[TAG_MOST_DIMENSION * TAG_MOST_DIMENSION];
    uint64_t spent; // work units
} TagWork;

// Samples the patch from the level that suits; light symbols come out dark.
void tag_patch_sample(TagWork *work, const TagScales *scales, int light, int finer);

// The mean of each module of the patch, into `values`; unless `flat`, its middle counts more.
void tag_patch_values(TagWork *work, int flat);
// The same of the sharpened patch.
void tag_patch_sharp_values(TagWork *work);

// The same of logarithms: in shadow and in sun the contrast is then the same. Overwrites the sharpened
// patch.
void tag_patch_even_values(TagWork *work);

// Sharpens the patch with a window of about two modules. Returns 0 when memory could not be had.
int tag_patch_sharpen(TagWork *work);

// Follows the edges between modules, in the sharpened patch, and corrects the mesh. With `order` above 0 the correction is a
// polynomial of that order, otherwise smoothed only. Returns the largest correction in modules.
float tag_mesh_follow(TagWork *work, int order, int radius);

// One bilinear sample of a level at a place given in pixels of the whole picture.
float tag_sample(const TagScales *scales, uint32_t level, float x, float y);

// The level on which a module has at least about `pixels` pixels.
uint32_t tag_level_for(const TagScales *scales, double module, double pixels);

// Finds the bend, a polynomial of order 3, with which the projection of `work` fits these matches.
int tag_mesh_bend(TagWork *work, const TagMatch *matches, size_t count);
void tag_mesh_bend_at(const TagWork *work, double u, double v, double *du, double *dv);
// Fills the mesh from the bend.
void tag_mesh_fill(TagWork *work);

// Where a place in the symbol is in the picture, by projection and mesh.
TagPosition tag_place(const TagWork *work, double u, double v);

// Decides each module by the mean of its surroundings of `radius` modules.
void tag_modules_decide(TagWork *work, const float *values, int radius);

// The share of modules of known colour that came out right, 0 to 1.
float tag_modules_agreement(const TagWork *work);

// Decides each module by undoing the blur, as learnt from the modules of known colour.
int tag_modules_equalise(TagWork *work, int reach, int rounds);

// --- Where a symbol lies (outline.c) ---

// The projection by the three finder patterns of a group alone.
int tag_outline_by_finders(const TagGroup *group, int dimension, TagProjection *projection);

// Bends the mesh of `work` so that all finder patterns fit.
int tag_outline_bend(TagWork *work, const TagGroup *group);

// How well the timing patterns alternate, -1 to 1.
float tag_outline_timing(const TagWork *work, const TagScales *scales, const TagGroup *group);

// Looks for the alignment pattern at the bottom right and fits projection or mesh of `work` to it too.
// Returns whether it was found.
int tag_outline_by_alignment(TagWork *work, const TagScales *scales, const TagGroup *group);

// --- zbar (scan.c) ---

// The modules of one symbol, and where they are from.
typedef struct TagDrawing {
    int dimension;
    uint8_t *modules;       // 1 dark, dimension x dimension
    TagPosition outline[4]; // in the picture: clockwise from the corner between the other two
    int32_t left, right;    // where it was drawn
} TagDrawing;

// Scans a level of the picture as it is and adds what zbar finds. Returns 0 after a failure, which
// `result` then describes.
int tag_scan(const TagPlane *plane, uint32_t level, TagReaderResult *result);

// Draws symbols clean, upright and side by side, lets zbar decode them, and adds what it finds. With
// `whole_only` parts of a structured append are left out. Returns how many were found, or -1.
int tag_scan_drawings(TagDrawing *drawings, size_t count, int whole_only, TagReaderResult *result);

// --- Presenting (present.c) and the whole (engine.c) ---

#define TAG_MOST_PARTS 32

typedef struct TagEngine {
    TagPicture *picture;
    const TagReaderLimits *limits;
    TagReaderResult *result;
    TagReaderExplanation *explanation;
    TagWork *work;
    TagFinders finders;
    TagGroups groups;
    uint64_t budget; // work units for all candidates
    uint64_t share;  // work units for one
    float least_score; // of the timing patterns, for a candidate to be looked at
    float least_pair_score;
    TagDrawing parts[TAG_MOST_PARTS]; // of structured appends, put together in the end
    uint32_t part_count;
    uint8_t used[TAG_MOST_FINDERS]; // finders of symbols that were read
    uint8_t promising[2]; // whether anything dark or light looked much like a symbol
    uint32_t tried_finders; // groups of the first ones only have been tried
} TagEngine;

// Tries the hypotheses on one group. Returns whether a symbol was read.
int tag_present(TagEngine *engine, const TagGroup *group, TagHypothesis *succeeded);

// Records what was tried on a group, as long as there is room.
void tag_explain(TagEngine *engine, const TagGroup *group, int dimension,
                 const TagPosition outline[4], uint32_t tried, TagHypothesis succeeded);

void tag_explain_finders(TagEngine *engine);

// Reads every symbol of a picture.
void tag_engine_read(TagPicture *picture, const TagReaderLimits *limits, TagReaderResult *result,
                     TagReaderExplanation *explanation);

#endif
