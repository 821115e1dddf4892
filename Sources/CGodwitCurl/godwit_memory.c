// libcurl asks the allocator for a receive buffer at the beginning of every exchange and returns it at the end. From a
// thread that is not the first, glibc gives such memory back to the kernel and faults it in again, page by page: a
// third of what a small exchange costs. An event loop's thread keeps a few of these buffers instead.

#include "godwit_curl.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    smallest_kept = 8 << 10,
    largest_kept = 256 << 10,
    most_kept = 128,
    most_bytes_kept = 2 << 20,
    page = 4096,
};

static _Thread_local struct {
    int is_on;
    int count;
    size_t bytes;
    void *blocks[most_kept];
} kept;

static void *take_block(size_t size) {
    // The last one returned first: it is the warmest, and nearly always of the size asked for.
    for (int index = kept.count - 1; index >= 0; index--) {
        void *block = kept.blocks[index];
        size_t usable = malloc_usable_size(block);
        if (usable < size || usable > size + size / 4) continue;
        kept.blocks[index] = kept.blocks[--kept.count];
        kept.bytes -= usable;
        return block;
    }
    return NULL;
}

static void *allocate(size_t size) {
    if (size < smallest_kept || size > largest_kept) return malloc(size);
    void *block = kept.count > 0 ? take_block(size) : NULL;
    // At the beginning of a page, which tells these blocks from nearly all others when they come back.
    if (block || posix_memalign(&block, page, size) == 0) return block;
    return NULL;
}

static int may_be_kept(void *block) {
    return ((uintptr_t)block & (page - 1)) == 0 && block && kept.is_on && kept.count < most_kept;
}

static void release(void *block) {
    if (may_be_kept(block)) {
        size_t usable = malloc_usable_size(block);
        if (usable >= smallest_kept && usable <= largest_kept && kept.bytes + usable <= most_bytes_kept) {
            kept.blocks[kept.count++] = block;
            kept.bytes += usable;
            return;
        }
    }
    free(block);
}

int godwit_global_init(void) {
    return curl_global_init_mem(CURL_GLOBAL_DEFAULT, allocate, release, realloc, strdup, calloc);
}

void godwit_keep_buffers(int is_on) {
    kept.is_on = is_on;
    if (is_on) return;
    while (kept.count > 0) free(kept.blocks[--kept.count]);
    kept.bytes = 0;
}
