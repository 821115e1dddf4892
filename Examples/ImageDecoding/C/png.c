#include "image_decoding.h"

#if __has_include(<png.h>)
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

/// On the heap, because setjmp leaves changed locals indeterminate.
typedef struct {
    png_structp reader;
    png_infop info;
    const uint8_t *bytes;
    size_t count, offset;
    jmp_buf recovery;
    image_box box;
    uint8_t *row;
    /// All pixels, if the file is interlaced.
    uint8_t *whole;
    png_bytep *rows;
    int is_truncated;
    image_result *result;
} decoder;

static void fail(png_structp reader, png_const_charp text) {
    decoder *self = png_get_error_ptr(reader);
    snprintf(self->result->message, sizeof self->result->message, "%s", text);
    longjmp(self->recovery, 1);
}

static void ignore(png_structp reader, png_const_charp text) {
    (void)reader;
    (void)text;
}

static void read_bytes(png_structp reader, png_bytep target, png_size_t count) {
    decoder *self = png_get_io_ptr(reader);
    if (count > self->count - self->offset) {
        self->is_truncated = 1;
        png_error(reader, "the file ends early");
    }
    memcpy(target, self->bytes + self->offset, count);
    self->offset += count;
}

/// Any kind of PNG as 8 bits of red, green, blue and alpha.
static void make_rgba(decoder *self) {
    png_set_expand(self->reader);
    png_set_scale_16(self->reader);
    png_set_gray_to_rgb(self->reader);
    png_set_add_alpha(self->reader, 255, PNG_FILLER_AFTER);
}

static image_status read_interlaced(decoder *self, uint32_t width, uint32_t height) {
    self->whole = calloc((size_t)width * height, 4);
    self->rows = calloc(height, sizeof(png_bytep));
    if (!self->whole || !self->rows) return image_no_memory;
    for (uint32_t y = 0; y < height; y++) self->rows[y] = self->whole + (size_t)y * width * 4;
    png_read_image(self->reader, self->rows);
    for (uint32_t y = 0; y < height; y++) image_box_add(&self->box, self->rows[y]);
    return image_ok;
}

static image_status decode(decoder *self, const image_request *request) {
    png_structp reader = self->reader;
    png_set_read_fn(reader, self, read_bytes);
    // Compressed text chunks can be bombs, too.
    png_set_chunk_malloc_max(reader, 8 << 20);
    png_set_chunk_cache_max(reader, 128);
    png_set_user_limits(reader, 1000000, 1000000);
    png_read_info(reader, self->info);
    uint32_t width = png_get_image_width(reader, self->info), height = png_get_image_height(reader, self->info);
    self->result->file_width = width;
    self->result->file_height = height;
    if ((uint64_t)width * height > request->pixel_limit) return image_too_large;
    make_rgba(self);
    int passes = png_set_interlace_handling(reader);
    png_read_update_info(reader, self->info);
    if (png_get_rowbytes(reader, self->info) != (size_t)width * 4) return image_corrupt;
    uint32_t out_width, out_height;
    image_fit(request, width, height, &out_width, &out_height);
    if (!image_box_start(&self->box, width, height, out_width, out_height)) return image_no_memory;
    if (passes > 1) {
        image_status status = read_interlaced(self, width, height);
        if (status != image_ok) return status;
    } else {
        self->row = malloc((size_t)width * 4);
        if (!self->row) return image_no_memory;
        for (uint32_t y = 0; y < height; y++) {
            png_read_row(reader, self->row, NULL);
            image_box_add(&self->box, self->row);
        }
    }
    png_read_end(reader, NULL);
    self->result->width = out_width;
    self->result->height = out_height;
    self->result->pixels = image_box_finish(&self->box);
    return image_ok;
}

image_status image_decode_png(const uint8_t *bytes, size_t count, const image_request *request, image_result *result) {
    memset(result, 0, sizeof *result);
    decoder *self = calloc(1, sizeof *self);
    if (!self) return image_no_memory;
    self->result = result;
    self->bytes = bytes;
    self->count = count;
    image_status status = image_corrupt;
    if (setjmp(self->recovery) == 0) {
        self->reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, self, fail, ignore);
        self->info = self->reader ? png_create_info_struct(self->reader) : NULL;
        status = self->info ? decode(self, request) : image_no_memory;
    } else {
        status = self->is_truncated ? image_truncated : image_corrupt;
    }
    if (self->reader) png_destroy_read_struct(&self->reader, &self->info, NULL);
    image_box_free(&self->box);
    free(self->row);
    free(self->whole);
    free(self->rows);
    free(self);
    return status;
}
#else
image_status image_decode_png(const uint8_t *bytes, size_t count, const image_request *request, image_result *result) {
    *result = (image_result){0};
    return image_unsupported;
}
#endif
