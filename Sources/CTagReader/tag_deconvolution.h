// Private to CTagReader: what the parts of a deconvolution share (blur.c, deconvolution.c).

#ifndef TAG_DECONVOLUTION_H
#define TAG_DECONVOLUTION_H

#include "tag_engine.h"

#define SCALE 2 // pixels per module
#define MOST_SIDE (TAG_PATCH_MOST_MODULES * SCALE)
#define MOST_PIXELS (MOST_SIDE * MOST_SIDE)
#define REACH 4 // of the blur to each side, in pixels
#define WIDTH (2 * REACH + 1)
#define TAPS (WIDTH * WIDTH)
#define FOOTPRINT (WIDTH + SCALE - 1) // of one module in the blurred picture, in pixels
#define NEAR ((FOOTPRINT - 1) / SCALE) // modules whose footprints overlap, to each side
#define NEAR_WIDTH (2 * NEAR + 1)
#define STRIDE (TAG_PATCH_MOST_MODULES + 2 * NEAR) // of guesses, with a border of light ones

struct TagDeconvolution {
    int modules; // on each side, with the margin
    int side;    // the same in pixels
    int rounds;
    float seen[MOST_PIXELS];      // the picture
    float even[MOST_PIXELS];      // the same in even light: about -1 to 1
    float drawn[MOST_PIXELS];     // the guesses, each as SCALE x SCALE pixels
    float blurred[MOST_PIXELS];   // what the guesses would look like
    float doubtful[MOST_PIXELS];  // how much unknown modules blur into a pixel
    uint8_t is_bright[MOST_PIXELS]; // so bright that the picture tells nothing else
    float guesses[STRIDE * STRIDE];
    uint8_t known[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES];
    float pulls[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES]; // of the picture on each guess
    float blur[TAPS];
    float footprint[FOOTPRINT * FOOTPRINT];
    float overlaps[NEAR_WIDTH * NEAR_WIDTH]; // of the footprints of two modules
    float sums[5][MOST_PIXELS];
    double matrix[TAPS * TAPS];
};

static inline int clamped(int at, int side) {
    return at < 0 ? 0 : at >= side ? side - 1 : at;
}

static inline float *guess_at(TagDeconvolution *d, int column, int row) {
    return d->guesses + (row + NEAR) * STRIDE + column + NEAR;
}

// Takes the patch with SCALE pixels per module.
void tag_blur_look(TagDeconvolution *d, const TagWork *work);

// Evens out the light: in each neighbourhood, the picture is taken for a multiple of what the guesses
// look like, plus a constant.
void tag_blur_even_out(TagDeconvolution *d);

// Draws the guesses, and how doubtful they are around each pixel.
void tag_blur_draw(TagDeconvolution *d);

// Blurs what is drawn.
void tag_blur_apply(TagDeconvolution *d);

// Estimates the blur that makes the guesses look like the picture. Returns 0 if there is none.
int tag_blur_estimate(TagDeconvolution *d);

// The variance of what the guesses do not explain, mostly where they are not doubtful.
float tag_blur_unexplained(const TagDeconvolution *d);

#endif
