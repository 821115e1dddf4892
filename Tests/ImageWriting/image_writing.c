#include "image_writing.h"

#if __has_include(<jpeglib.h>) && __has_include(<png.h>)
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

/// Red grows to the right, green downward; blue is 128.
static void fill(uint8_t *row, uint32_t y, uint32_t width, uint32_t height) {
    for (uint32_t x = 0; x < width; x++) {
        row[x * 3] = (uint8_t)((uint64_t)x * 255 / width);
        row[x * 3 + 1] = (uint8_t)((uint64_t)y * 255 / height);
        row[x * 3 + 2] = 128;
    }
}

int image_write_jpeg(uint32_t width, uint32_t height, int is_progressive, uint8_t **bytes, size_t *count) {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    unsigned long size = 0;
    uint8_t *row = malloc((size_t)width * 3);
    if (!row) return 0;
    *bytes = NULL;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, bytes, &size);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    if (is_progressive) jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    for (uint32_t y = 0; y < height; y++) {
        fill(row, y, width, height);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    free(row);
    *count = size;
    return 1;
}

typedef struct {
    uint8_t *bytes;
    size_t count;
} buffer;

static void append(png_structp writer, png_bytep bytes, png_size_t count) {
    buffer *target = png_get_io_ptr(writer);
    uint8_t *grown = realloc(target->bytes, target->count + count);
    if (!grown) png_error(writer, "no memory");
    memcpy(grown + target->count, bytes, count);
    target->bytes = grown;
    target->count += count;
}

static void flush(png_structp writer) { (void)writer; }

int image_write_png(uint32_t width, uint32_t height, int is_interlaced, uint8_t **bytes, size_t *count) {
    png_structp writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = writer ? png_create_info_struct(writer) : NULL;
    uint8_t *row = malloc((size_t)width * 3);
    buffer target = {0};
    if (!info || !row || setjmp(png_jmpbuf(writer))) return 0;
    png_set_write_fn(writer, &target, append, flush);
    png_set_IHDR(writer, info, width, height, 8, PNG_COLOR_TYPE_RGB, is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(writer, info);
    int passes = png_set_interlace_handling(writer);
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < height; y++) {
            fill(row, y, width, height);
            png_write_row(writer, row);
        }
    }
    png_write_end(writer, info);
    png_destroy_write_struct(&writer, &info);
    free(row);
    *bytes = target.bytes;
    *count = target.count;
    return 1;
}
#else
int image_write_jpeg(uint32_t width, uint32_t height, int is_progressive, uint8_t **bytes, size_t *count) { return 0; }
int image_write_png(uint32_t width, uint32_t height, int is_interlaced, uint8_t **bytes, size_t *count) { return 0; }
#endif
