#ifndef GODWIT_TURN_H
#define GODWIT_TURN_H
// What libcurl's hooks keep for an event loop. libcurl calls them without a context, so a thread that runs the loop's engine
// points to it.

#include "godwit_curl.h"

#include <stddef.h>
#include <stdint.h>

enum {
    step = 16,
    // A handle has between 4 and 8 KiB.
    largest_small = (8 << 10) - step,
    sizes = largest_small / step + 1,
    most_large = 128,
};

/// The header of each piece of memory, whichever thread allocated it.
struct block {
    size_t capacity;
    /// Of a freed piece the next one; of a held header, whether libcurl has freed it.
    struct block *next;
};

/// Freed memory for later exchanges.
struct kept_memory {
    size_t small_bytes;
    size_t large_bytes;
    int large_count;
    struct block *small[sizes];
    struct block *large[most_large];
};

/// The observer of HTTP/2 streams, and the last GOAWAY and RST_STREAM that was received.
struct stream_watch {
    godwit_stream_observer observe;
    godwit_submission_observer submitted;
    godwit_limit_observer limited;
    void *context;
    void *session;
    godwit_goaway goaway;
    void *reset_session;
    int32_t reset_stream;
    int had_ended;
    unsigned settings;
    /// The connection that allows the fewest streams, and how many; NULL if it is gone.
    void *limiting_session;
    uint32_t limit;
};

struct godwit_turn {
    struct kept_memory kept;
    /// What libcurl zeroed or enlarged last; NULL once it is freed.
    void *last_piece;
    struct stream_watch watch;
};

/// That of the calling thread; NULL if it runs no engine. Reached without a call, also in a library: it is only a pointer.
extern _Thread_local struct godwit_turn *godwit_current_turn __attribute__((tls_model("initial-exec")));

/// Frees what is kept.
void godwit_forget_memory(struct kept_memory *kept);

#endif
