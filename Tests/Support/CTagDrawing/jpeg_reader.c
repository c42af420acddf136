#include "CTagDrawing.h"

#include <stdio.h>
// After stdio.h, which it needs.
#include <jpeglib.h>
#include <setjmp.h>
#include <stdlib.h>

typedef struct reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    tag_small_picture picture;
} reader;

static void give_up(j_common_ptr common) {
    reader *reader = common->client_data;
    longjmp(reader->failed, 1);
}

static void say_nothing(j_common_ptr common, int level) {
    (void)common;
    (void)level;
}

static void read_small(reader *reader, const uint8_t *file, size_t count, uint32_t side) {
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    jpeg_create_decompress(jpeg);
    jpeg_mem_src(jpeg, file, count);
    jpeg_read_header(jpeg, TRUE);
    jpeg->out_color_space = JCS_EXT_BGRX;
    jpeg->scale_denom = 8;
    for (jpeg->scale_num = 1; jpeg->scale_num < 8; jpeg->scale_num *= 2) {
        jpeg_calc_output_dimensions(jpeg);
        if (jpeg->output_width >= side || jpeg->output_height >= side) break;
    }
    jpeg_start_decompress(jpeg);
    reader->picture.width = jpeg->output_width;
    reader->picture.height = jpeg->output_height;
    size_t row_bytes = (size_t)jpeg->output_width * 4;
    reader->picture.pixels = malloc(row_bytes * jpeg->output_height);
    if (reader->picture.pixels == NULL) return;
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = reader->picture.pixels + jpeg->output_scanline * row_bytes;
        jpeg_read_scanlines(jpeg, &row, 1);
    }
}

tag_small_picture tag_jpeg_read_small(const uint8_t *file, size_t count, uint32_t side) {
    tag_small_picture picture = {0};
    // Behind a pointer that never changes: no local is changed after setjmp.
    reader *const reader = calloc(1, sizeof *reader);
    if (reader == NULL) return picture;
    reader->jpeg.client_data = reader;
    reader->jpeg.err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = give_up;
    reader->errors.emit_message = say_nothing;
    if (setjmp(reader->failed) == 0) {
        read_small(reader, file, count, side);
        picture = reader->picture;
    } else {
        free(reader->picture.pixels);
    }
    jpeg_destroy_decompress(&reader->jpeg);
    free(reader);
    return picture;
}
