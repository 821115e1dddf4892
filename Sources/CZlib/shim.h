#include <zlib.h>

// inflateInit2 is a macro over a function that takes the header's version, which Swift cannot import.
static inline int godwit_inflate_init(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}
