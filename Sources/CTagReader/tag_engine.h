// Private to CTagReader: the declarations that the sources of the reading engine share.
//
// Coordinates are continuous pixels of the whole picture: pixel i covers [i, i + 1). Coordinates on
// level n of the scales are these divided by 2^n. Coordinates of a symbol count its modules in the
// same way: module i covers [i, i + 1), and the symbol [0, dimension).

#ifndef TAG_ENGINE_H
#define TAG_ENGINE_H

#include "tag_finding.h"

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

// Finds the projection that fits the matches best. Returns 0 if they do not determine a sane one.
int tag_projection_fit(const TagMatch *matches, size_t count, TagProjection *projection);
TagPosition tag_projection_apply(const TagProjection *projection, double u, double v);
int tag_projection_revert(const TagProjection *projection, double x, double y, double *u,
                          double *v);

// Whether a symbol of this size is mapped without folding, to a reasonable size.
int tag_projection_is_sane(const TagProjection *projection, double dimension);

// --- Least squares (equations.c) ---

#define TAG_MOST_TERMS 81
#define TAG_EQUATIONS_AT_ONCE 4

typedef struct TagEquations {
    int count;   // of unknowns
    int waiting; // equations that are not in the matrix yet
    double values[TAG_EQUATIONS_AT_ONCE], weights[TAG_EQUATIONS_AT_ONCE];
    double terms[TAG_EQUATIONS_AT_ONCE][TAG_MOST_TERMS];
    double matrix[TAG_MOST_TERMS * TAG_MOST_TERMS]; // of the normal equations; only its lower half is filled
    double right[TAG_MOST_TERMS]; // the same, and then the solution
} TagEquations;

void tag_equations_begin(TagEquations *equations, int count);
// Where the terms of the next equation belong, before it is added.
double *tag_equations_terms(TagEquations *equations);
void tag_equations_add(TagEquations *equations, double value, double weight);
// Completes the matrix, which may be changed then.
void tag_equations_sum_up(TagEquations *equations);
// Replaces the right side by the solution. Returns 0 if there is none.
int tag_equations_solve(TagEquations *equations);

// Solves a symmetric positive system in place by Cholesky's method; the solution replaces `right`.
int tag_solve(double *matrix, double *right, size_t count);

// --- The known modules of a symbol (symbol_layout.c) ---

#define TAG_LEAST_DIMENSION 21
#define TAG_MOST_DIMENSION 177

enum { TAG_MODULE_DATA = 0, TAG_MODULE_LIGHT = 1, TAG_MODULE_DARK = 2, TAG_MODULE_FORMAT = 3 };

// Fills `kinds`, dimension x dimension.
void tag_layout_fill(int dimension, uint8_t *kinds);

// The centres of alignment patterns along one side. Returns their number, at most 7.
int tag_layout_alignments(int dimension, int centres[7]);

// --- A symbol made upright (patch.c, bend.c, mesh.c, modules.c, equaliser.c) ---

#define TAG_PATCH_SCALE 4  // pixels per module
#define TAG_PATCH_MARGIN 2 // modules around the symbol
#define TAG_PATCH_MOST_MODULES (TAG_MOST_DIMENSION + 2 * TAG_PATCH_MARGIN)
#define TAG_PATCH_MOST (TAG_PATCH_MOST_MODULES * TAG_PATCH_SCALE)
#define TAG_MESH_MOST (TAG_PATCH_MOST_MODULES + 1)

#define TAG_BEND_TERMS 10

#define TAG_MOST_CODEWORDS 3706

// Logarithms for error correction.
typedef struct TagGalois {
    uint8_t power[512];
    uint8_t logarithm[256];
} TagGalois;

// Working memory for one symbol at a time; each picture has one.
typedef struct TagWork {
    TagGalois galois;
    int dimension;
    uint8_t kinds[TAG_MOST_DIMENSION * TAG_MOST_DIMENSION];
    TagProjection projection;
    int has_bend;
    double bend[2][TAG_BEND_TERMS]; // the bend as a polynomial, from which the mesh is filled
    int has_mesh;
    int anchors; // finder patterns that were found: 1 corner, 2 right, 4 below
    // The error of the projection, in modules, at the corners of modules with the margin.
    float mesh_u[TAG_MESH_MOST * TAG_MESH_MOST];
    float mesh_v[TAG_MESH_MOST * TAG_MESH_MOST];
    uint8_t patch[TAG_PATCH_MOST * TAG_PATCH_MOST];
    uint8_t sharp[TAG_PATCH_MOST * TAG_PATCH_MOST]; // the patch with an unsharp mask
    float values[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES]; // with the margin
    float scratch[4][TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES];
    double tables[3][(TAG_MOST_DIMENSION + 1) * (TAG_MOST_DIMENSION + 1)];
    uint8_t modules[TAG_MOST_DIMENSION * TAG_MOST_DIMENSION]; // 1 dark
    // Of each module as it was decided: 0 for a guess, 1 if it is sure.
    float certainty[TAG_MOST_DIMENSION * TAG_MOST_DIMENSION];
    uint8_t data[TAG_MOST_CODEWORDS]; // the corrected codewords that hold data, block after block
    size_t data_count;
    uint64_t spent; // work units
} TagWork;

// Samples the patch from the suitable level; light symbols become dark.
void tag_patch_sample(TagWork *work, const TagScales *scales, int light, int finer);

// The mean of each module of the patch, into `values`; unless `flat`, its middle counts more.
void tag_patch_values(TagWork *work, int flat);
// The same from the sharpened patch.
void tag_patch_sharp_values(TagWork *work);

// The same from logarithms, which give the same contrast in shadow and in sun. Overwrites the
// sharpened patch.
void tag_patch_even_values(TagWork *work);

// Sharpens the patch with a window of about two modules. Returns 0 if there is no memory.
int tag_patch_sharpen(TagWork *work);

// Follows the edges between modules in the sharpened patch, and corrects the mesh. With `order`
// above 0 the correction is a polynomial of that order; otherwise it is only smoothed. Returns the
// largest correction in modules.
float tag_mesh_follow(TagWork *work, int order, int radius);

// One bilinear sample of a level at a place given in pixels of the whole picture.
float tag_sample(const TagScales *scales, uint32_t level, float x, float y);

// The level on which a module has at least about `pixels` pixels.
uint32_t tag_level_for(const TagScales *scales, double module, double pixels);

// The products of powers of `u` and `v` up to `order`, at most 15. Returns their number.
int tag_polynomial_terms(float u, float v, int order, double *out);

// Finds the bend, a polynomial of order 3, with which the projection of `work` fits these matches.
int tag_mesh_bend(TagWork *work, const TagMatch *matches, size_t count);
void tag_mesh_bend_at(const TagWork *work, double u, double v, double *du, double *dv);
// Fills the mesh from the bend.
void tag_mesh_fill(TagWork *work);

// The position in the picture of a place in the symbol, by projection and mesh.
TagPosition tag_place(const TagWork *work, double u, double v);

// Decides each module by the mean of its surroundings of `radius` modules, and how certainly: by the
// distance from the threshold.
void tag_modules_decide(TagWork *work, const float *values, int radius);

// Distrusts large areas of one colour, which no symbol has: glare, shadow or dirt covers it there.
void tag_modules_distrust_areas(TagWork *work);

// The share of modules of known colour that were decided correctly, 0 to 1.
float tag_modules_agreement(const TagWork *work);

// Decides each module after removing blur with a filter learnt from the modules of known colour.
int tag_modules_equalise(TagWork *work, int reach, int rounds);

// --- Modules of which print is missing (worn_print.c) ---

// How far each row and column of the patch's samples was printed, above 0, to 1.
typedef struct TagPrintedLines {
    float rows[TAG_PATCH_MOST], columns[TAG_PATCH_MOST];
} TagPrintedLines;

void tag_patch_find_lines(TagWork *work, TagPrintedLines *printed);
// The mean of each module of the patch without the lines that were not printed, into `values`.
void tag_patch_line_values(TagWork *work, const TagPrintedLines *printed);
// Distrusts the modules in lines that were not printed.
void tag_modules_distrust_lines(TagWork *work, const TagPrintedLines *printed);
// Trusts dark modules: print that is missing makes modules light, never dark.
void tag_modules_trust_dark(TagWork *work);

// The darkest samples of each module of the patch, into `values`: where print is missing, dark modules are
// light in part.
void tag_patch_dark_values(TagWork *work);

// --- Deciding modules by what blur would make of them (deconvolution.c) ---

typedef struct TagDeconvolution TagDeconvolution;

// Begins with the modules of `work` as they were decided last. Returns NULL if there is no memory.
TagDeconvolution *tag_deconvolution_begin(const TagWork *work);
// Improves the blur and the modules of `work`. Returns how many modules changed, or -1 if there is no
// blur that explains them.
int tag_deconvolution_improve(TagDeconvolution *deconvolution, TagWork *work);
// The work of one improvement.
uint64_t tag_deconvolution_cost(int dimension);
// Corrects the mesh of `work` where the picture is beside what the guess looks like. The patch must
// be sampled anew, and looked at again. Returns 0 if that is impossible.
int tag_deconvolution_align(TagDeconvolution *deconvolution, TagWork *work);
void tag_deconvolution_look(TagDeconvolution *deconvolution, const TagWork *work);
void tag_deconvolution_end(TagDeconvolution *deconvolution);

// --- Error correction (codeword_check.c, error_correction.c) ---

typedef struct TagVerdict {
    int passed;        // every block was corrected, and not by chance
    int mirrored;      // rows and columns are swapped
    int level;         // of error correction, as encoded in the format
    int mask;
    int erased_blocks; // blocks that needed erasures
} TagVerdict;

// Corrects the codewords of the decided modules. If `erases`, blocks with too many errors are tried
// without their least certain codewords. If all pass, `work->data` holds the data.
void tag_codewords_correct(TagWork *work, int erases, TagVerdict *verdict);

void tag_galois_fill(TagGalois *galois);

// Corrects a block of `length` codewords, of which the last `parity` are for correction. The
// `erased` places count as unknown. Returns the number of errors elsewhere; or -1 if there are too
// many, and then the block is unchanged.
int tag_block_correct(const TagGalois *galois, uint8_t *block, int length, int parity,
                      const uint8_t *erased_places, int erased);

// log10 of the chance that a random block has at most this many errors outside the erased places.
double tag_block_chance(int length, int parity, int erased, int errors);

// The 15 bits that encode a level and a mask.
uint32_t tag_format_bits(int level, int mask);
// Module positions of bit `bit` of copy 0 or 1.
void tag_format_place(int dimension, int copy, int bit, int *column, int *row);

// --- The position of a symbol (outline.c) ---

// The projection by only the three finder patterns of a group.
int tag_outline_by_finders(const TagGroup *group, int dimension, TagProjection *projection);

// Bends the mesh of `work` so that all finder patterns fit.
int tag_outline_bend(TagWork *work, const TagGroup *group);

// How well the timing patterns alternate, -1 to 1.
float tag_outline_timing(const TagWork *work, const TagScales *scales, const TagGroup *group);

// Looks for the alignment pattern at the bottom right and also fits the projection or mesh of
// `work` to it. Returns whether it was found.
int tag_outline_by_alignment(TagWork *work, const TagScales *scales, const TagGroup *group);

// --- Symbols whose finder patterns are only spots (spot_outlines.c) ---

// Where a symbol may be: its corners in the picture, clockwise from that of the finder pattern between
// the other two.
typedef struct TagOutline {
    TagPosition corners[4];
    int dimension;
    float module; // about, in pixels
    float score;  // how much it looks like a symbol, 0 to 1
    uint8_t light;
} TagOutline;

#define TAG_MOST_OUTLINES 12

typedef struct TagOutlines {
    uint32_t count;
    uint64_t work;
    TagOutline list[TAG_MOST_OUTLINES]; // the best first
} TagOutlines;

// Returns 0 if the outline is not that of a square seen from somewhere.
int tag_outline_project(const TagOutline *outline, TagProjection *projection);

// Finds outlines of symbols by their spots; at a glance, only by those that lie best. Puts the best
// spots first; at a glance, drops the others. Returns 0 if there is no memory.
int tag_outlines_find(TagOutlines *outlines, TagSpots *spots, const TagScales *scales,
                      int is_glance);

// --- From data to text (segments.c, character_sets.c, code_pages.c) ---

// Numbers of AIM's register that this reader names; and two of its own beyond that.
enum {
    TAG_SET_SHIFT_JIS = 20,
    TAG_SET_UTF16 = 25,
    TAG_SET_UTF8 = 26,
    TAG_SET_ASCII = 27,
    TAG_SET_BIG5 = 28,
    TAG_SET_GB2312 = 29,
    TAG_SET_KOREAN = 30,
    TAG_SET_GBK = 31,
    TAG_SET_GB18030 = 32,
    TAG_SET_UTF16_LITTLE = 33,
    TAG_SET_UTF32 = 34,
    TAG_SET_UTF32_LITTLE = 35,
    TAG_SET_INVARIANT = 170, // of ISO/IEC 646
    TAG_SET_BINARY = 899,
    TAG_SET_UNDECLARED = 1000000,
    TAG_SET_KANJI,
};

// The text of a symbol as it is encoded. Zeroed at first; freed with tag_text_free.
typedef struct TagText {
    uint8_t *bytes;
    uint32_t *sets; // the set of each byte
    size_t count;
    uint32_t fnc1; // what FNC1 marks it as, 0 for nothing
    int is_ambiguous;  // characters are encoded against the set that is declared for them
    uint32_t ambiguous_set;
} TagText;

// One part of a structured append.
typedef struct TagAppend {
    uint8_t index;
    uint8_t count; // of all parts; 0 if the symbol is not a part
    uint8_t parity;
} TagAppend;

typedef enum TagSegments {
    TAG_SEGMENTS_READ,
    TAG_SEGMENTS_SENSELESS, // the text is then worthless
    TAG_SEGMENTS_NO_MEMORY,
} TagSegments;

// Adds the text of one symbol.
TagSegments tag_segments_read(const uint8_t *data, size_t count, int version, TagText *text,
                              TagAppend *append);

// Converts a text to UTF-8 as the payload of a symbol, or refuses it, which the symbol then tells.
// The payload is allocated. Returns 0 if there is no memory.
int tag_text_tell(const TagText *text, TagReaderSymbol *symbol);

void tag_text_free(TagText *text);

// The characters of a single-byte set from 0x80 on, 0 where there is none; NULL for other sets.
const uint16_t *tag_code_page(uint32_t eci);

// --- zbar (scan.c) ---

// Scans an unchanged level of the picture and adds the symbols that zbar finds. Returns 0 after a
// failure, which `result` then describes.
int tag_scan(const TagPlane *plane, uint32_t level, TagReaderResult *result);

// --- Presenting (present.c) and the whole (engine.c) ---

#define TAG_MOST_PARTS 512

// A part of a structured append in the picture.
typedef struct TagPart {
    TagAppend append;
    int version;
    uint8_t *data; // owned
    size_t count;
    TagPosition outline[4]; // clockwise from the corner between the other two
} TagPart;

// A place that looks like a symbol and was not read.
typedef struct TagUnreadPlace {
    TagPosition outline[4];
    float likeness; // 0 to 1
    float module;   // in pixels
} TagUnreadPlace;

#define TAG_MOST_UNREAD 32

typedef struct TagUnread {
    uint32_t count;
    TagUnreadPlace list[TAG_MOST_UNREAD];
} TagUnread;

#define TAG_MOST_TRIED_OUT 24

// The outlines on which the most expensive way was tried.
typedef struct TagTriedOut {
    uint32_t count;
    int dimensions[TAG_MOST_TRIED_OUT];
    TagPosition outlines[TAG_MOST_TRIED_OUT][4];
} TagTriedOut;

typedef struct TagEngine {
    TagPicture *picture;
    const TagReaderLimits *limits;
    TagReaderResult *result;
    TagReaderExplanation *explanation;
    TagWork *work;
    uint64_t budget; // work units for all candidates
    uint64_t share;  // work units for one
    uint64_t last_budget; // work units of the last and most expensive ways, for all
    float least_score; // of the timing patterns, for a candidate to be tried
    float least_pair_score;
    int is_brief; // symbols are assumed to be flat
    uint32_t part_count;
    uint8_t promising[2]; // whether anything dark or light looked much like a symbol
    uint32_t tried_finders; // groups of only the first ones have been tried
    int is_cut; // there may be symbols that were not examined
    float least_module; // of the symbols that were read, in pixels
    int has_senseless; // the data of a symbol was corrected, but makes no sense
    TagUnread unread;
    TagTriedOut tried_out;
    // The following are large, and mostly untouched if there are few symbols.
    TagPart parts[TAG_MOST_PARTS]; // of structured appends, joined at the end
    uint8_t used[TAG_MOST_FINDERS]; // finders of symbols that were read
    TagFinders finders;
    TagGroups groups;
    TagSpots spots;
    TagOutlines outlines;
} TagEngine;

// Tries the hypotheses on one group, with about `share` work units. Returns whether a symbol was read.
int tag_present(TagEngine *engine, const TagGroup *group, uint64_t share,
                TagHypothesis *succeeded);

// The same on an outline.
int tag_present_outline(TagEngine *engine, const TagOutline *outline);

// Adds the symbol whose corrected data is in `work`, or keeps it as a part. Returns 0 if its data
// makes no sense, or after a failure, which the result then describes.
int tag_decode(TagEngine *engine, const TagVerdict *verdict, const TagPosition outline[4]);

// Joins the kept parts, and adds the rest one by one.
void tag_join_parts(TagEngine *engine);

// Larger scales than this are not filtered, because filters visit every pixel.
#define TAG_MOST_FILTERED 3200000

// Whether the answer is final.
int tag_is_over(const TagEngine *engine);

// Whether the picture seems to be full of noise.
int tag_is_noisy(const TagEngine *engine);

// Reads symbols whose finder patterns are blurred to spots (blurred.c). Returns 0 if there is no memory.
int tag_read_blurred(TagEngine *engine);

// Remembers such symbols beside those that were read, if small scales show them. Returns 0 if there is
// no memory.
int tag_glance_for_blurred(TagEngine *engine);

// Makes what was found in a picture of twice the size places in the picture (halved_places.c), also what
// is explained from this candidate on.
void tag_halve_places(TagEngine *engine, uint32_t first_candidate);

// The length of a module of a symbol with this outline, by one side (unread.c).
float tag_module_of(const TagPosition outline[4], int dimension);

// The outline of the symbol or part number `index` that was read, in no order. Returns 0 beyond
// the last one.
int tag_read_outline(const TagEngine *engine, size_t index, TagPosition outline[4]);

// Whether a symbol was read where this outline is.
int tag_is_read(const TagEngine *engine, const TagPosition outline[4]);

// Remembers a place that could not be read, if it looks enough like a symbol.
void tag_unread_note(TagEngine *engine, const TagPosition outline[4], int dimension,
                     float likeness);

void tag_unread_note_outline(TagEngine *engine, const TagOutline *outline);

// Remembers an outline. Returns 0 if about the same one was tried out, or too many were.
int tag_try_out(TagEngine *engine, const TagPosition outline[4], int dimension);

// Forgets the places where something was read after all. Returns how many are left.
uint32_t tag_unread_settle(TagEngine *engine);

// Puts the places that are left into the result.
void tag_unread_tell(TagEngine *engine);

// Records the attempts on a group, if there is room; `candidate` has what the group does not tell.
void tag_explain(TagEngine *engine, const TagGroup *group, const TagPosition outline[4],
                 TagCandidate candidate);

// Records the finder patterns and the picture.
void tag_explain_picture(TagEngine *engine);

// Reads every symbol of a picture.
void tag_engine_read(TagPicture *picture, const TagReaderLimits *limits, TagReaderResult *result,
                     TagReaderExplanation *explanation);

#endif
