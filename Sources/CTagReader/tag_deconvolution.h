// Private to CTagReader: what the parts of a deconvolution share (blur.c, deconvolution.c).

#ifndef TAG_DECONVOLUTION_H
#define TAG_DECONVOLUTION_H

#include "tag_engine.h"

#define BLUR_SCALE 2 // pixels per module
#define BLUR_MOST_SIDE (TAG_PATCH_MOST_MODULES * BLUR_SCALE)
#define BLUR_MOST_PIXELS (BLUR_MOST_SIDE * BLUR_MOST_SIDE)
#define BLUR_REACH 4 // of the blur to each side, in pixels
#define BLUR_WIDTH (2 * BLUR_REACH + 1)
#define BLUR_TAPS (BLUR_WIDTH * BLUR_WIDTH)
_Static_assert(BLUR_TAPS <= TAG_MOST_TERMS, "the taps are more than the terms of an equation");
#define BLUR_FOOTPRINT (BLUR_WIDTH + BLUR_SCALE - 1) // of one module in the blurred picture, in pixels
#define BLUR_NEAR ((BLUR_FOOTPRINT - 1) / BLUR_SCALE) // modules whose footprints overlap, to each side
#define BLUR_NEAR_WIDTH (2 * BLUR_NEAR + 1)
#define BLUR_STRIDE (TAG_PATCH_MOST_MODULES + 2 * BLUR_NEAR) // of guesses, with a border of light ones

struct TagDeconvolution {
    int modules; // on each side, with the margin
    int side;    // the same in pixels
    int rounds;
    float seen[BLUR_MOST_PIXELS];      // the picture
    float even[BLUR_MOST_PIXELS];      // the same in even light: about -1 to 1
    float drawn[BLUR_MOST_PIXELS];     // the guesses, each as BLUR_SCALE x BLUR_SCALE pixels
    float blurred[BLUR_MOST_PIXELS];   // what the guesses would look like
    float doubtful[BLUR_MOST_PIXELS];  // how much unknown modules blur into a pixel
    uint8_t is_bright[BLUR_MOST_PIXELS]; // so bright that the picture tells nothing else
    float guesses[BLUR_STRIDE * BLUR_STRIDE];
    uint8_t known[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES];
    float pulls[TAG_PATCH_MOST_MODULES * TAG_PATCH_MOST_MODULES]; // of the picture on each guess
    float blur[BLUR_TAPS];
    float footprint[BLUR_FOOTPRINT * BLUR_FOOTPRINT];
    float overlaps[BLUR_NEAR_WIDTH * BLUR_NEAR_WIDTH]; // of the footprints of two modules
    float sums[5][BLUR_MOST_PIXELS];
    TagEquations equations; // of the blur
};

static inline int blur_clamped(int at, int side) {
    return at < 0 ? 0 : at >= side ? side - 1 : at;
}

static inline float *blur_guess_at(TagDeconvolution *d, int column, int row) {
    return d->guesses + (row + BLUR_NEAR) * BLUR_STRIDE + column + BLUR_NEAR;
}

// Takes the patch with BLUR_SCALE pixels per module.
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
