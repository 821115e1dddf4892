import CBrotli
import CZstd

/// Decodes brotli (RFC 7932).
final class BrotliStage: DecodingStage {
    private let state = BrotliDecoderCreateInstance(nil, nil, nil)
    private var hasStarted = false

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    var isComplete: Bool {
        !hasStarted || BrotliDecoderIsFinished(state) != 0
    }

    func decode(
        _ input: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        guard !input.isEmpty else { return }
        if hasStarted && BrotliDecoderIsFinished(state) != 0 {
            throw .corrupt("there are bytes after the end of the compressed body")
        }
        hasStarted = true
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

/// Decodes zstd (RFC 8878), also of several frames.
final class ZstdStage: DecodingStage {
    private let stream = ZSTD_createDStream()
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
    /// zstd's hint: 0 if a frame has just ended.
    private var wanted = 0

    init() {
        // 8 MiB, the largest window that a client has to support (RFC 9659 section 3).
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 23)
    }

    deinit {
        ZSTD_freeDStream(stream)
        output.deallocate()
    }

    var isComplete: Bool { wanted == 0 }

    func decode(
        _ input: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var hasFilledOutput = false
        while source.pos < source.size || hasFilledOutput {
            var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
            let result = ZSTD_decompressStream(stream, &target, &source)
            guard ZSTD_isError(result) == 0 else { throw .corrupt("the compressed content is damaged") }
            wanted = result
            // Called again after the end of a frame, zstd would expect the next one.
            hasFilledOutput = result != 0 && target.pos == target.size
            if target.pos > 0 { try emit(UnsafeRawBufferPointer(rebasing: output[..<target.pos])) }
        }
    }
}
