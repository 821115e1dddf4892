#include "image_decoding.h"

#if __has_include(<jpeglib.h>)
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

/// A valid file has a few scans; a hostile one has thousands, each of which costs a pass over all pixels.
static const int scan_limit = 200;

/// On the heap, because setjmp leaves changed locals indeterminate.
typedef struct {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf recovery;
    image_box box;
    uint8_t *row;
    uint8_t *converted;
    int is_truncated;
    image_result *result;
} decoder;

static void fail(j_common_ptr info) {
    decoder *self = info->client_data;
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(self->result->message, sizeof self->result->message, "%s", text);
    longjmp(self->recovery, 1);
}

static void warn(j_common_ptr info, int level) {
    decoder *self = info->client_data;
    if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) self->is_truncated = 1;
}

static void limit_scans(j_common_ptr info) {
    if (((j_decompress_ptr)info)->input_scan_number <= scan_limit) return;
    decoder *self = info->client_data;
    snprintf(self->result->message, sizeof self->result->message, "more than %d scans", scan_limit);
    longjmp(self->recovery, 1);
}

/// The smallest scale, in eighths, that is at least as large as the result.
static unsigned scale(const struct jpeg_decompress_struct *info, uint32_t width, uint32_t height) {
    for (unsigned eighths = 1; eighths < 8; eighths++) {
        if ((uint64_t)info->image_width * eighths >= (uint64_t)width * 8 &&
            (uint64_t)info->image_height * eighths >= (uint64_t)height * 8) return eighths;
    }
    return 8;
}

/// Adobe's programs store CMYK inverted: the ink that is missing.
static const uint8_t *from_cmyk(decoder *self) {
    for (JDIMENSION x = 0; x < self->info.output_width; x++) {
        const uint8_t *ink = self->row + (size_t)x * 4;
        uint8_t *pixel = self->converted + (size_t)x * 4;
        int is_inverted = self->info.saw_Adobe_marker;
        unsigned black = is_inverted ? ink[3] : 255 - ink[3];
        for (int channel = 0; channel < 3; channel++) {
            pixel[channel] = (uint8_t)((is_inverted ? ink[channel] : 255 - ink[channel]) * black / 255);
        }
        pixel[3] = 255;
    }
    return self->converted;
}

static image_status decode(decoder *self, const uint8_t *bytes, size_t count, const image_request *request) {
    struct jpeg_decompress_struct *info = &self->info;
    jpeg_create_decompress(info);
    info->progress = &self->progress;
    self->progress.progress_monitor = limit_scans;
    jpeg_mem_src(info, bytes, (unsigned long)count);
    if (jpeg_read_header(info, TRUE) != JPEG_HEADER_OK) return image_corrupt;
    self->result->file_width = info->image_width;
    self->result->file_height = info->image_height;
    if ((uint64_t)info->image_width * info->image_height > request->pixel_limit) return image_too_large;
    uint32_t width, height;
    image_fit(request, info->image_width, info->image_height, &width, &height);
    info->scale_num = scale(info, width, height);
    info->scale_denom = 8;
    int is_cmyk = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
    info->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(info);
    if (!image_box_start(&self->box, info->output_width, info->output_height, width, height)) return image_no_memory;
    self->row = malloc((size_t)info->output_width * 4);
    self->converted = malloc((size_t)info->output_width * 4);
    if (!self->row || !self->converted) return image_no_memory;
    while (info->output_scanline < info->output_height) {
        if (jpeg_read_scanlines(info, &self->row, 1) != 1) return image_truncated;
        if (self->is_truncated && !request->allows_truncated) return image_truncated;
        image_box_add(&self->box, is_cmyk ? from_cmyk(self) : self->row);
    }
    if (self->is_truncated && !request->allows_truncated) return image_truncated;
    self->result->width = width;
    self->result->height = height;
    self->result->pixels = image_box_finish(&self->box);
    return image_ok;
}

image_status image_decode_jpeg(const uint8_t *bytes, size_t count, const image_request *request, image_result *result) {
    memset(result, 0, sizeof *result);
    if (count == 0) return image_truncated;
    decoder *self = calloc(1, sizeof *self);
    if (!self) return image_no_memory;
    self->result = result;
    self->info.err = jpeg_std_error(&self->errors);
    self->info.client_data = self;
    self->errors.error_exit = fail;
    self->errors.emit_message = warn;
    image_status status = image_corrupt;
    if (setjmp(self->recovery) == 0) status = decode(self, bytes, count, request);
    else if (self->is_truncated) status = image_truncated;
    else status = image_corrupt;
    jpeg_destroy_decompress(&self->info);
    image_box_free(&self->box);
    free(self->row);
    free(self->converted);
    free(self);
    return status;
}
#else
image_status image_decode_jpeg(const uint8_t *bytes, size_t count, const image_request *request, image_result *result) {
    *result = (image_result){0};
    return image_unsupported;
}
#endif
