// Converts rows of PNG samples, as libpng unpacks them, to 8-bit luminance and alpha.
//
// The loops have no branches and no state, so that the compiler can vectorise them: a photo has
// twelve million pixels, and everything but unpacking should cost next to nothing.

#include "tag_picture.h"

#include <string.h>

int tag_row_format_has_alpha(const TagRowFormat *format) {
    if (format->keyed || format->channels == 2 || format->channels == 4) return 1;
    if (!format->indexed) return 0;
    for (size_t i = 0; i < 256; i++) {
        if (format->alpha[i] != 255) return 1;
    }
    return 0;
}

int tag_row_format_is_luminance(const TagRowFormat *format) {
    return format->channels == 1 && format->bits == 8 && !format->indexed && !format->keyed;
}

// Whether any of these values is less than 255.
static int any_transparent(const uint8_t *alpha, size_t count) {
    uint8_t all = 255;
    for (size_t i = 0; i < count; i++) all &= alpha[i];
    return all != 255;
}

// Samples of 1, 2 or 4 bits, the leftmost in the highest bits.
static void look_up_packed(const uint8_t *table, unsigned bits, const uint8_t *samples,
                           size_t count, uint8_t *values) {
    unsigned mask = (1u << bits) - 1;
    size_t in_byte = 8 / bits;
    size_t i = 0;
    while (i < count) {
        unsigned byte = *samples++;
        unsigned shift = 8;
        for (size_t k = 0; k < in_byte && i < count; k++) {
            shift -= bits;
            values[i++] = table[byte >> shift & mask];
        }
    }
}

static void look_up(const TagRowFormat *format, const uint8_t *table, const uint8_t *samples,
                    size_t count, uint8_t *values) {
    if (format->bits < 8) {
        look_up_packed(table, format->bits, samples, count, values);
    } else {
        for (size_t i = 0; i < count; i++) values[i] = table[samples[i]];
    }
}

static void luma_rgb(const uint8_t *restrict samples, size_t count, uint8_t *restrict luminance) {
    for (size_t i = 0; i < count; i++) {
        luminance[i] = TAG_LUMA(samples[3 * i], samples[3 * i + 1], samples[3 * i + 2]);
    }
}

static void luma_rgba(const uint8_t *restrict samples, size_t count, uint8_t *restrict luminance,
                      uint8_t *restrict alpha) {
    for (size_t i = 0; i < count; i++) {
        luminance[i] = TAG_LUMA(samples[4 * i], samples[4 * i + 1], samples[4 * i + 2]);
        alpha[i] = samples[4 * i + 3];
    }
}

// The high byte of a 16-bit sample is enough; PNG stores it first.
static void luma_wide(unsigned channels, const uint8_t *restrict samples, size_t count,
                      uint8_t *restrict luminance, uint8_t *restrict alpha) {
    size_t stride = 2 * (size_t)channels;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = samples + stride * i;
        luminance[i] = channels < 3 ? pixel[0] : TAG_LUMA(pixel[0], pixel[2], pixel[4]);
    }
    if (channels % 2 == 0) {
        for (size_t i = 0; i < count; i++) alpha[i] = samples[stride * (i + 1) - 2];
    }
}

// Transparency by a key colour, compared at full depth.
static void key_alpha(const TagRowFormat *format, const uint8_t *samples, size_t count,
                      uint8_t *alpha) {
    size_t channels = format->channels;
    for (size_t i = 0; i < count; i++) {
        int equal = 1;
        for (size_t k = 0; k < channels; k++) {
            size_t at = i * channels + k;
            unsigned sample = format->bits == 16
                ? (unsigned)samples[2 * at] << 8 | samples[2 * at + 1] : samples[at];
            equal &= sample == format->key[k];
        }
        alpha[i] = equal ? 0 : 255;
    }
}

int tag_row_convert(const TagRowFormat *format, const uint8_t *samples, size_t count,
                    uint8_t *luminance, uint8_t *alpha) {
    if (format->indexed) {
        look_up(format, format->luminance, samples, count, luminance);
        if (!tag_row_format_has_alpha(format)) return 0;
        look_up(format, format->alpha, samples, count, alpha);
        return any_transparent(alpha, count);
    }
    if (format->bits == 16) {
        luma_wide(format->channels, samples, count, luminance, alpha);
    } else if (format->channels == 4) {
        luma_rgba(samples, count, luminance, alpha);
    } else if (format->channels == 3) {
        luma_rgb(samples, count, luminance);
    } else if (format->channels == 2) {
        for (size_t i = 0; i < count; i++) {
            luminance[i] = samples[2 * i];
            alpha[i] = samples[2 * i + 1];
        }
    } else {
        memcpy(luminance, samples, count);
    }
    if (format->keyed) key_alpha(format, samples, count, alpha);
    return tag_row_format_has_alpha(format) ? any_transparent(alpha, count) : 0;
}
