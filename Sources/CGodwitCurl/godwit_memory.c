#ifdef __linux__
// libcurl allocates some forty pieces of memory for each exchange and frees them at its end. glibc caches seven pieces of a size
// per thread. Beyond that, as with many concurrent exchanges, it takes a lock that threads share, and returns large pieces to the
// kernel to fault them in again. So an event loop keeps freed pieces by size, up to a bound (decision 010).

#define _GNU_SOURCE

#include "godwit_turn.h"

#include <openssl/crypto.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    most_small_bytes = 2 << 20,
    smallest_large = 8 << 10,
    largest_large = 256 << 10,
    most_large_bytes = 2 << 20,
};

// A sanitizer can't see that a kept piece was freed. (Only clang builds this file.)
enum { may_keep = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) };

// libcurl 8.7 and later keep the receive buffer of a multi handle, which was the largest part of the gain.
enum { first_version_without_need = 0x080700 };

#if LIBCURL_VERSION_NUM >= 0x075300
// The library at run time may be older than its headers.
#pragma weak curl_easy_nextheader
#endif

// What `next` of a held header points to (decision 086).
static struct block held, held_and_freed;

static int is_held(const struct block *block) {
    return block->next == &held || block->next == &held_and_freed;
}

static struct block *fresh_block(size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(struct block)) return NULL;
    struct block *block = malloc(sizeof *block + capacity);
    if (block) *block = (struct block){.capacity = capacity};
    return block;
}

static struct kept_memory *kept_memory(void) {
    return godwit_current_turn && may_keep ? &godwit_current_turn->kept : NULL;
}

static struct block *small_block(size_t size) {
    size_t number = (size + step - 1) / step;
    struct kept_memory *kept = kept_memory();
    struct block *block = kept ? kept->small[number] : NULL;
    if (!block) return fresh_block(number * step);
    kept->small[number] = block->next;
    kept->small_bytes -= block->capacity;
    return block;
}

static struct block *large_block(size_t size) {
    struct kept_memory *kept = kept_memory();
    if (!kept) return fresh_block(size);
    // The last one first: it is in the processor's cache, and nearly always has the requested size.
    for (int index = kept->large_count - 1; index >= 0; index--) {
        struct block *block = kept->large[index];
        if (block->capacity < size || block->capacity > size + size / 4) continue;
        kept->large[index] = kept->large[--kept->large_count];
        kept->large_bytes -= block->capacity;
        return block;
    }
    return fresh_block(size);
}

static struct block *block_for(size_t size) {
    if (size <= largest_small) return small_block(size);
    return size < smallest_large || size > largest_large ? fresh_block(size) : large_block(size);
}

static struct block *block_of(void *memory) {
    return (struct block *)memory - 1;
}

static void *allocate(size_t size) {
    struct block *block = block_for(size);
    return block ? block + 1 : NULL;
}

static int keep(struct block *block) {
    struct kept_memory *kept = kept_memory();
    if (!kept) return 0;
    size_t capacity = block->capacity;
    // Every small piece has the size of a step.
    if (capacity <= largest_small) {
        if (kept->small_bytes + capacity > most_small_bytes) return 0;
        block->next = kept->small[capacity / step];
        kept->small[capacity / step] = block;
        kept->small_bytes += capacity;
        return 1;
    }
    if (capacity < smallest_large || capacity > largest_large) return 0;
    if (kept->large_count == most_large || kept->large_bytes + capacity > most_large_bytes) return 0;
    kept->large[kept->large_count++] = block;
    kept->large_bytes += capacity;
    return 1;
}

static __attribute__((noinline)) void release_block(struct block *block) {
    if (godwit_current_turn && godwit_current_turn->last_piece == block + 1) godwit_current_turn->last_piece = NULL;
    if (is_held(block)) {
        block->next = &held_and_freed;
    } else if (!keep(block)) {
        free(block);
    }
}

// Two out of three calls pass NULL, and need no stack frame.
static void release(void *memory) {
    if (memory) release_block(block_of(memory));
}

// Returns the piece, which may be a header that libcurl stores.
static void *note(void *memory) {
    if (godwit_current_turn) godwit_current_turn->last_piece = memory;
    return memory;
}

static void *reallocate(void *memory, size_t size) {
    if (!memory) return allocate(size);
    struct block *block = block_of(memory);
    if (size <= block->capacity) {
        // libcurl has it again.
        if (block->next == &held_and_freed) block->next = &held;
        return note(memory);
    }
    void *larger = allocate(size);
    if (!larger) return NULL;
    memcpy(larger, memory, block->capacity);
    release(memory);
    return note(larger);
}

static void *allocate_zeroed(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    void *memory = allocate(bytes);
    return memory ? note(memset(memory, 0, bytes)) : NULL;
}

static char *duplicate(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = allocate(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void *godwit_last_piece(void) {
    return godwit_current_turn ? godwit_current_turn->last_piece : NULL;
}

void godwit_hold_header(void *memory) {
    block_of(memory)->next = &held;
}

void godwit_drop_header(void *memory) {
    if (!memory) return;
    struct block *block = block_of(memory);
    int is_freed = block->next == &held_and_freed;
    block->next = NULL;
    if (is_freed) release_block(block);
}

int godwit_is_last_header(CURL *easy, const void *memory) {
#if LIBCURL_VERSION_NUM >= 0x075300
    const unsigned origins = CURLH_HEADER | CURLH_TRAILER | CURLH_CONNECT | CURLH_1XX | CURLH_PSEUDO;
    const void *start = NULL;
    struct curl_header *header = NULL;
    // The anchor is where the piece begins.
    while ((header = curl_easy_nextheader(easy, origins, -1, header))) start = header->anchor;
    return memory && start == memory;
#else
    (void)easy, (void)memory;
    return 0;
#endif
}

int godwit_global_init(void) {
    // OpenSSL would free everything when the process exits, while event loops may use it. Only the first initialization decides,
    // and libcurl would use the default.
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
    if (godwit_curl_version() >= first_version_without_need || getenv("GODWIT_SYSTEM_ALLOCATOR")) {
        return curl_global_init(CURL_GLOBAL_DEFAULT);
    }
    return curl_global_init_mem(CURL_GLOBAL_DEFAULT, allocate, release, reallocate, duplicate, allocate_zeroed);
}

void godwit_forget_memory(struct kept_memory *kept) {
    for (int number = 0; number < sizes; number++) {
        while (kept->small[number]) {
            struct block *block = kept->small[number];
            kept->small[number] = block->next;
            free(block);
        }
    }
    while (kept->large_count > 0) free(kept->large[--kept->large_count]);
    kept->small_bytes = kept->large_bytes = 0;
}
#endif
