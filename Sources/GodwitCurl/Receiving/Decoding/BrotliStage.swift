import CBrotli

/// Undoes brotli (RFC 7932).
final class BrotliStage: DecodingStage {
    private let state = BrotliDecoderCreateInstance(nil, nil, nil)
    private var hasBegun = false

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    var isComplete: Bool {
        !hasBegun || BrotliDecoderIsFinished(state) != 0
    }

    func decode(
        _ input: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        guard !input.isEmpty else { return }
        if hasBegun && BrotliDecoderIsFinished(state) != 0 {
            throw .corrupt("there is something behind the end of the compressed content")
        }
        hasBegun = true
        var available = input.count
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
        repeat {
            var room = 0
            result = BrotliDecoderDecompressStream(state, &available, &next, &room, nil, nil)
            try drain(emit)
        } while result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
        guard result != BROTLI_DECODER_RESULT_ERROR, available == 0 else {
            throw .corrupt("the compressed content is damaged")
        }
    }

    private func drain(
        _ emit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        while BrotliDecoderHasMoreOutput(state) != 0 {
            var count = 32 << 10
            guard let bytes = BrotliDecoderTakeOutput(state, &count), count > 0 else { return }
            try emit(UnsafeRawBufferPointer(start: bytes, count: count))
        }
    }
}
