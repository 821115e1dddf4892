// Decodes JPEG and PNG by libjpeg and libpng, and scales down while it decodes.
//
// Both libraries report errors by longjmp, which must not leave C: it would skip the cleanup of Swift's frames. Every function
// here returns a status instead. Built without the libraries, each returns image_unsupported.

#ifndef IMAGE_DECODING_H
#define IMAGE_DECODING_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    image_ok = 0,
    /// The bytes end too early.
    image_truncated,
    /// The bytes aren't such an image; see the message.
    image_corrupt,
    /// The image has more pixels than allowed.
    image_too_large,
    image_no_memory,
    image_unsupported
} image_status;

typedef struct {
    /// The box that the result must fit in; 0 means the original size.
    uint32_t max_width, max_height;
    /// Maximum pixels of the file.
    uint64_t pixel_limit;
    /// Whether an image that ends early is decoded as far as it goes.
    int allows_truncated;
} image_request;

typedef struct {
    /// 4 bytes per pixel: red, green, blue, alpha, not premultiplied. Free it with image_free.
    uint8_t *pixels;
    uint32_t width, height;
    /// The size that the file claims.
    uint32_t file_width, file_height;
    char message[256];
} image_result;

image_status image_decode_jpeg(const uint8_t *bytes, size_t count, const image_request *request, image_result *result);
image_status image_decode_png(const uint8_t *bytes, size_t count, const image_request *request, image_result *result);
void image_free(image_result *result);

/// The size scaled down to the box of a request.
void image_fit(const image_request *request, uint32_t width, uint32_t height, uint32_t *fitted_width, uint32_t *fitted_height);

/// Averages rows of RGBA into a smaller image. Each pixel counts in one pixel of the result, by its alpha.
typedef struct {
    uint32_t in_width, in_height, out_width, out_height;
    uint32_t row, out_row;
    /// Red, green, blue times alpha, alpha and count of each pixel of a row of the result.
    uint64_t *sums;
    uint8_t *pixels;
} image_box;

/// Returns 0 without memory.
int image_box_start(image_box *box, uint32_t in_width, uint32_t in_height, uint32_t out_width, uint32_t out_height);
void image_box_add(image_box *box, const uint8_t *row);
/// Returns the pixels, which the caller frees; those of missing rows are transparent.
uint8_t *image_box_finish(image_box *box);
void image_box_free(image_box *box);

#endif
