// Unpacks a JPEG row by row into a luminance plane.
//
// libjpeg exits with longjmp. So everything that must be freed afterwards is in JpegUnpacking, behind
// a pointer that never changes, and the frame that calls setjmp changes no local variable.
//
// A JPEG has no checksums, and libjpeg fills with grey what is missing. Here, the first sign that
// something is missing ends the unpacking. How the camera was held, as Exif tells it, is ignored:
// symbols are found at every angle, and their corners are those of the stored picture.

#include "tag_picture.h"

#include <stdio.h> // jpeglib.h needs it
#if !__has_include(<jpeglib.h>)
#error "libjpeg's headers are missing: install the Debian package libjpeg62-turbo-dev"
#endif
#include <jerror.h>
#include <jpeglib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// A progressive picture has ten or so. Each scan goes over the whole picture in memory, however few
// bytes it has, so thousands of them would take hours.
#define MOST_SCANS 100

typedef struct JpegUnpacking {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    TagFile *file;
    TagPicture *picture;
    TagReaderResult *result;
    uint32_t begun; // the colour components of which a scan has begun, one bit each
    uint8_t *inks;  // one row of cyan, magenta, yellow and black
} JpegUnpacking;

// --- What libjpeg calls ---

__attribute__((noreturn, format(printf, 3, 4)))
static void give_up(JpegUnpacking *unpacking, TagReaderStatus status, const char *format, ...) {
    char message[sizeof unpacking->result->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    tag_fail(unpacking->result, status, "%s", message);
    longjmp(unpacking->failed, 1);
}

__attribute__((noreturn))
static void on_jpeg_error(j_common_ptr common) {
    JpegUnpacking *unpacking = common->client_data;
    const struct jpeg_error_mgr *errors = &unpacking->errors;
    int parameter = errors->msg_parm.i[0];
    switch (errors->msg_code) {
    case JERR_OUT_OF_MEMORY:
        give_up(unpacking, TAG_READER_OUT_OF_MEMORY, "memory ran out while unpacking");
    case JERR_IMAGE_TOO_BIG:
        unpacking->result->width = unpacking->jpeg.image_width;
        unpacking->result->height = unpacking->jpeg.image_height;
        give_up(unpacking, TAG_READER_TOO_MANY_PIXELS,
                "%u x %u: a side of a JPEG has at most %u pixels",
                unpacking->jpeg.image_width, unpacking->jpeg.image_height,
                (unsigned)JPEG_MAX_DIMENSION);
    case JERR_BAD_PRECISION:
        give_up(unpacking, TAG_READER_NOT_AN_IMAGE, "the file is a JPEG of %d bits a sample, not 8",
                parameter);
    case JERR_SOF_UNSUPPORTED:
        give_up(unpacking, TAG_READER_NOT_AN_IMAGE,
                "the file is a lossless or hierarchical JPEG, not a baseline or progressive one");
    }
    char message[JMSG_LENGTH_MAX];
    errors->format_message(common, message);
    static const char introduction[] = "Corrupt JPEG data: ";
    size_t known = strlen(introduction);
    int is_introduced = strncmp(message, introduction, known) == 0;
    give_up(unpacking, TAG_READER_DAMAGED, "the JPEG is damaged: %s",
            is_introduced ? message + known : message);
}

// libjpeg warns, and goes on, where data is missing or wrong.
static void on_jpeg_message(j_common_ptr common, int level) {
    if (level >= 0) return; // a remark about the file
    JpegUnpacking *unpacking = common->client_data;
    const struct jpeg_error_mgr *errors = &unpacking->errors;
    int marker = errors->msg_parm.i[1];
    switch (errors->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
        return; // known from programs that write good pictures
    case JWRN_EXTRANEOUS_DATA:
        // Some cameras pad their data. But so ends damaged data that is taken for less than it was;
        // before a restart marker, it is nothing else.
        if (marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7) break;
        unpacking->picture->is_doubtful = 1;
        return;
    }
    on_jpeg_error(common);
}

static void on_jpeg_start(j_decompress_ptr jpeg) {
    (void)jpeg;
}

static boolean on_jpeg_read(j_decompress_ptr jpeg) {
    JpegUnpacking *unpacking = jpeg->client_data;
    const uint8_t *bytes = NULL;
    size_t count = 0;
    TagFileStatus status = tag_file_take(unpacking->file, &bytes, &count);
    if (status != TAG_FILE_OK) {
        tag_file_fail(unpacking->file, status, "JPEG", unpacking->result);
        longjmp(unpacking->failed, 1);
    }
    jpeg->src->next_input_byte = bytes;
    jpeg->src->bytes_in_buffer = count;
    return TRUE;
}

static void on_jpeg_skip(j_decompress_ptr jpeg, long count) {
    struct jpeg_source_mgr *source = jpeg->src;
    while (count > 0) {
        if (source->bytes_in_buffer == 0) on_jpeg_read(jpeg);
        size_t part = source->bytes_in_buffer;
        if (part > (size_t)count) part = (size_t)count;
        source->next_input_byte += part;
        source->bytes_in_buffer -= part;
        count -= (long)part;
    }
}

static void on_jpeg_end(j_decompress_ptr jpeg) {
    (void)jpeg;
}

// Called at the rows of each scan, and between them.
static void on_jpeg_progress(j_common_ptr common) {
    JpegUnpacking *unpacking = common->client_data;
    const struct jpeg_decompress_struct *jpeg = &unpacking->jpeg;
    if (jpeg->input_scan_number > MOST_SCANS) {
        give_up(unpacking, TAG_READER_DAMAGED,
                "the JPEG is damaged: it has more than %d scans, as no program writes", MOST_SCANS);
    }
    for (int i = 0; i < jpeg->comps_in_scan; i++) {
        unpacking->begun |= UINT32_C(1) << jpeg->cur_comp_info[i]->component_index;
    }
}

// --- The steps of reading the file; these run under setjmp ---

// Looks for what makes up the luminance in a picture of several scans, which may end after any.
static void check_scans(JpegUnpacking *unpacking) {
    const struct jpeg_decompress_struct *jpeg = &unpacking->jpeg;
    for (int i = 0; i < jpeg->num_components; i++) {
        if (!jpeg->comp_info[i].component_needed) continue;
        if ((unpacking->begun >> i & 1) == 0) {
            give_up(unpacking, TAG_READER_DAMAGED, "the JPEG is damaged: a colour is missing");
        }
        // Without the last bits of some coefficients, it only is less sharp.
        for (int k = 0; jpeg->coef_bits != NULL && k < DCTSIZE2; k++) {
            if (jpeg->coef_bits[i][k] != 0) unpacking->picture->is_doubtful = 1;
        }
    }
}

// Adobe's programs, which write most pictures of this kind, write how much light the inks leave.
static void luma_of_inks(const uint8_t *restrict inks, size_t count, int is_light,
                         uint8_t *restrict luminance) {
    uint8_t flip = is_light ? 0 : 255;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = inks + 4 * i;
        uint8_t colours = TAG_LUMA(pixel[0] ^ flip, pixel[1] ^ flip, pixel[2] ^ flip);
        luminance[i] = tag_scaled(colours, pixel[3] ^ flip);
    }
}

static void unpack_jpeg(JpegUnpacking *unpacking, const TagReaderLimits *limits) {
    struct jpeg_decompress_struct *jpeg = &unpacking->jpeg;
    TagPicture *picture = unpacking->picture;

    jpeg_create_decompress(jpeg);
    jpeg->src = &unpacking->source;
    jpeg->progress = &unpacking->progress;
    // Whatever the environment says.
    jpeg->mem->max_memory_to_use = 0;
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->arith_code) {
        give_up(unpacking, TAG_READER_NOT_AN_IMAGE,
                "the file is a JPEG with arithmetic coding, which hardly any program reads");
    }
    if (jpeg->num_components == 4) {
        jpeg->out_color_space = JCS_CMYK;
    } else if (jpeg->num_components == 1 || jpeg->num_components == 3) {
        jpeg->out_color_space = JCS_GRAYSCALE;
    } else {
        give_up(unpacking, TAG_READER_NOT_AN_IMAGE, "the file is a JPEG of %d colours, not 1, 3 or 4",
                jpeg->num_components);
    }
    jpeg->do_block_smoothing = FALSE;
    // A progressive picture, or one with a scan for each colour, is kept whole as coefficients: up to
    // four colours of two bytes a pixel, so the limit of pixels bounds this too.
    if (!tag_picture_begin(picture, jpeg->image_width, jpeg->image_height, limits,
                           unpacking->result)) {
        longjmp(unpacking->failed, 1);
    }
    jpeg_start_decompress(jpeg);
    if (jpeg->out_color_space == JCS_CMYK) {
        unpacking->inks = malloc((size_t)4 * picture->width);
        if (unpacking->inks == NULL) {
            give_up(unpacking, TAG_READER_OUT_OF_MEMORY, "memory ran out while unpacking");
        }
    }
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *luminance = picture->luminance + (size_t)y * picture->width;
        JSAMPROW row = unpacking->inks != NULL ? unpacking->inks : luminance;
        if (jpeg_read_scanlines(jpeg, &row, 1) != 1) {
            give_up(unpacking, TAG_READER_DAMAGED, "the JPEG is damaged: row %u is missing",
                    (unsigned)y);
        }
        if (unpacking->inks != NULL) {
            luma_of_inks(row, picture->width, jpeg->saw_Adobe_marker, luminance);
        }
        tag_scales_row_done(&picture->scales, y);
    }
    // Read to the end, so that a truncated file is never taken for a complete one. What follows the
    // end, such as a film or further pictures, is none of this picture.
    check_scans(unpacking);
    jpeg_finish_decompress(jpeg);
}

void tag_jpeg_unpack(TagFile *file, const TagReaderLimits *limits, TagPicture *picture,
                     TagReaderResult *result) {
    memset(picture, 0, sizeof *picture);
    JpegUnpacking *const unpacking = calloc(1, sizeof *unpacking);
    if (unpacking == NULL) {
        tag_fail(result, TAG_READER_OUT_OF_MEMORY, "memory ran out before unpacking");
        return;
    }
    unpacking->file = file;
    unpacking->picture = picture;
    unpacking->result = result;
    unpacking->jpeg.client_data = unpacking;
    unpacking->jpeg.err = jpeg_std_error(&unpacking->errors);
    unpacking->errors.error_exit = on_jpeg_error;
    unpacking->errors.emit_message = on_jpeg_message;
    unpacking->source.init_source = on_jpeg_start;
    unpacking->source.fill_input_buffer = on_jpeg_read;
    unpacking->source.skip_input_data = on_jpeg_skip;
    unpacking->source.resync_to_restart = jpeg_resync_to_restart;
    unpacking->source.term_source = on_jpeg_end;
    unpacking->progress.progress_monitor = on_jpeg_progress;
    if (setjmp(unpacking->failed) == 0) unpack_jpeg(unpacking, limits);
    jpeg_destroy_decompress(&unpacking->jpeg);
    if (result->status != TAG_READER_OK) tag_picture_free(picture);
    free(unpacking->inks);
    free(unpacking);
}

// On some processors, libjpeg-turbo asks the file system at its first picture what they can do.
void tag_jpeg_warm_up(void) {
    // One block of grey, whose Huffman tables are the usual ones and so may be left out.
    static const uint8_t picture_bytes[] = {
        0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0,
        0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x2B, 0xFF, 0xD9,
    };
    TagFile *file = malloc(sizeof *file);
    if (file == NULL) return;
    tag_file_open(file, -1, 0);
    memcpy(file->bytes, picture_bytes, sizeof picture_bytes);
    file->available = sizeof picture_bytes;
    TagReaderLimits limits = {.pixels = DCTSIZE2};
    TagReaderResult result = {0};
    TagPicture picture;
    tag_jpeg_unpack(file, &limits, &picture, &result);
    tag_picture_free(&picture);
    free(file);
}
