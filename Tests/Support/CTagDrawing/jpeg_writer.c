#include "CTagDrawing.h"

#include <stdio.h>
// After stdio.h, which it needs.
#include <jpeglib.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    tag_picture_file file;
    unsigned long count;
    jpeg_scan_info scans[4];
} writer;

static void refuse_jpeg(j_common_ptr common) {
    writer *writer = common->client_data;
    char message[JMSG_LENGTH_MAX];
    writer->errors.format_message(common, message);
    strncpy(writer->file.message, message, sizeof writer->file.message - 1);
    longjmp(writer->failed, 1);
}

/// A warning means that the picture is not what the caller asked for: as good as an error here.
static void warn_jpeg(j_common_ptr common, int level) {
    if (level < 0) refuse_jpeg(common);
}

static void write_jpeg(writer *writer, const tag_jpeg_picture *picture) {
    struct jpeg_compress_struct *jpeg = &writer->jpeg;
    jpeg_create_compress(jpeg);
    jpeg_mem_dest(jpeg, &writer->file.bytes, &writer->count);
    jpeg->image_width = picture->width;
    jpeg->image_height = picture->height;
    jpeg->input_components = picture->channels;
    jpeg->in_color_space =
        picture->channels == 1 ? JCS_GRAYSCALE : picture->channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(jpeg);
    if (picture->is_direct) jpeg_set_colorspace(jpeg, jpeg->in_color_space);
    else if (picture->channels == 4) jpeg_set_colorspace(jpeg, JCS_YCCK);
    jpeg_set_quality(jpeg, picture->quality, TRUE);
    jpeg->comp_info[0].h_samp_factor = picture->luminance_columns;
    jpeg->comp_info[0].v_samp_factor = picture->luminance_rows;
    if (jpeg->jpeg_color_space == JCS_YCCK) {
        // Black is stored like luminance.
        jpeg->comp_info[3].h_samp_factor = picture->luminance_columns;
        jpeg->comp_info[3].v_samp_factor = picture->luminance_rows;
    }
    jpeg->restart_interval = (unsigned)picture->restart_interval;
    jpeg->arith_code = picture->is_arithmetic;
    if (picture->is_progressive) {
        jpeg_simple_progression(jpeg);
    } else if (picture->is_separate) {
        for (int i = 0; i < jpeg->num_components; i++) {
            writer->scans[i] = (jpeg_scan_info){.comps_in_scan = 1, .component_index = {i}, .Se = 63};
        }
        jpeg->scan_info = writer->scans;
        jpeg->num_scans = jpeg->num_components;
    }
    jpeg_start_compress(jpeg, TRUE);
    size_t row_bytes = (size_t)picture->width * (size_t)picture->channels;
    for (uint32_t y = 0; y < picture->height; y++) {
        JSAMPROW row = (JSAMPROW)(picture->rows + y * row_bytes);
        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
}

tag_picture_file tag_jpeg_write(const tag_jpeg_picture *picture) {
    tag_picture_file file = {0};
    // Behind a pointer that never changes: no local is changed after setjmp.
    writer *const writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        strncpy(file.message, "out of memory", sizeof file.message - 1);
        return file;
    }
    writer->jpeg.client_data = writer;
    writer->jpeg.err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = refuse_jpeg;
    writer->errors.emit_message = warn_jpeg;
    if (setjmp(writer->failed) == 0) write_jpeg(writer, picture);
    jpeg_destroy_compress(&writer->jpeg);
    file = writer->file;
    file.count = writer->count;
    if (file.message[0] != 0) tag_picture_file_free(&file);
    free(writer);
    return file;
}
