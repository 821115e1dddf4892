// Writes JPEG and PNG files for the tests of Examples/ImageDecoding: a gradient, so that pixels can be checked.

#ifndef IMAGE_WRITING_H
#define IMAGE_WRITING_H

#include <stddef.h>
#include <stdint.h>

/// Returns 0 if the library is missing or there is no memory. Free the bytes with free().
int image_write_jpeg(uint32_t width, uint32_t height, int is_progressive, uint8_t **bytes, size_t *count);
int image_write_png(uint32_t width, uint32_t height, int is_interlaced, uint8_t **bytes, size_t *count);

#endif
