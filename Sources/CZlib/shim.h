#include <zlib.h>

// inflateInit2 is a macro over a function that takes the header's version, which Swift cannot import.
static inline int godwit_inflate_init(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

// The same of deflateInit2: raw deflate with zlib's usual memory.
static inline int godwit_deflate_init(z_stream *stream, int level, int windowBits) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}
