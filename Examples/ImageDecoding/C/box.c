#include "image_decoding.h"

#include <stdlib.h>
#include <string.h>

void image_free(image_result *result) {
    free(result->pixels);
    result->pixels = NULL;
}

static uint32_t scaled(uint32_t size, uint64_t numerator, uint64_t denominator) {
    uint64_t value = (size * numerator + denominator / 2) / denominator;
    return value < 1 ? 1 : (uint32_t)value;
}

void image_fit(const image_request *request, uint32_t width, uint32_t height, uint32_t *fitted_width, uint32_t *fitted_height) {
    uint64_t max_width = request->max_width ? request->max_width : width;
    uint64_t max_height = request->max_height ? request->max_height : height;
    *fitted_width = width;
    *fitted_height = height;
    if (width <= max_width && height <= max_height) return;
    // The smaller of max_width / width and max_height / height.
    if (max_width * height <= max_height * width) {
        *fitted_width = (uint32_t)max_width;
        *fitted_height = scaled(height, max_width, width);
    } else {
        *fitted_height = (uint32_t)max_height;
        *fitted_width = scaled(width, max_height, height);
    }
}

int image_box_start(image_box *box, uint32_t in_width, uint32_t in_height, uint32_t out_width, uint32_t out_height) {
    memset(box, 0, sizeof *box);
    box->in_width = in_width;
    box->in_height = in_height;
    box->out_width = out_width;
    box->out_height = out_height;
    box->sums = calloc((size_t)out_width, 5 * sizeof(uint64_t));
    box->pixels = calloc((size_t)out_width * out_height, 4);
    if (box->sums && box->pixels) return 1;
    image_box_free(box);
    return 0;
}

static void write_row(image_box *box) {
    uint8_t *out = box->pixels + (size_t)box->out_row * box->out_width * 4;
    for (uint32_t x = 0; x < box->out_width; x++) {
        uint64_t *sum = box->sums + (size_t)x * 5;
        uint64_t alpha = sum[3], count = sum[4];
        for (int channel = 0; channel < 3; channel++) {
            out[(size_t)x * 4 + channel] = alpha ? (uint8_t)((sum[channel] + alpha / 2) / alpha) : 0;
        }
        out[(size_t)x * 4 + 3] = count ? (uint8_t)((alpha + count / 2) / count) : 0;
    }
    memset(box->sums, 0, (size_t)box->out_width * 5 * sizeof(uint64_t));
}

void image_box_add(image_box *box, const uint8_t *row) {
    if (box->row >= box->in_height) return;
    uint32_t target = (uint32_t)((uint64_t)box->row * box->out_height / box->in_height);
    if (target != box->out_row) {
        write_row(box);
        box->out_row = target;
    }
    for (uint32_t x = 0; x < box->in_width; x++) {
        uint64_t *sum = box->sums + (uint64_t)x * box->out_width / box->in_width * 5;
        const uint8_t *pixel = row + (size_t)x * 4;
        for (int channel = 0; channel < 3; channel++) sum[channel] += (uint64_t)pixel[channel] * pixel[3];
        sum[3] += pixel[3];
        sum[4] += 1;
    }
    box->row++;
}

uint8_t *image_box_finish(image_box *box) {
    if (box->row > 0) write_row(box);
    uint8_t *pixels = box->pixels;
    box->pixels = NULL;
    image_box_free(box);
    return pixels;
}

void image_box_free(image_box *box) {
    free(box->sums);
    free(box->pixels);
    box->sums = NULL;
    box->pixels = NULL;
}
