#include <brotli/decode.h>

// Decoding with a dictionary came with libbrotli 1.1. A weak reference asks the library that is loaded, whatever headers the
// build had.
#if __has_include(<brotli/shared_dictionary.h>)
extern __typeof__(BrotliDecoderAttachDictionary) BrotliDecoderAttachDictionary __attribute__((weak));
#else
extern BROTLI_BOOL BrotliDecoderAttachDictionary(
    BrotliDecoderState *state, int type, size_t size, const uint8_t *data) __attribute__((weak));
#endif

static inline int godwit_brotli_has_dictionaries(void) {
    return BrotliDecoderAttachDictionary != 0;
}

// Attaches raw bytes (type 0), which have to outlive the state. Returns 0 if that fails.
static inline int godwit_brotli_attach(BrotliDecoderState *state, const uint8_t *data, size_t size) {
    return BrotliDecoderAttachDictionary && BrotliDecoderAttachDictionary(state, 0, size, data);
}
