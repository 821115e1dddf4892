#if os(Linux)
import CBrotli
import CZstd

/// Decodes brotli (RFC 7932).
///
/// libbrotli can't be told how much to decode: it stops when its input is used up or its window is full. A window of 16 MiB takes
/// some 15 ms, from a few bytes. So what may fill a large one is decoded on another thread.
package final class BrotliStage: DecodingStage {
    private let state = BrotliDecoderCreateInstance(nil, nil, nil)
    private let dictionary: DictionaryBytes?
    private var hasStarted = false
    package private(set) var hasOutput = false

    package init() {
        dictionary = nil
    }

    package init(_ dictionary: DictionaryBytes) throws(DecodingFault) {
        self.dictionary = dictionary
        guard godwit_brotli_attach(state, dictionary.bytes.bytes, dictionary.bytes.count) != 0 else {
            throw DecodingFault("brotli refused the dictionary")
        }
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    package var isComplete: Bool {
        !hasStarted || BrotliDecoderIsFinished(state) != 0
    }

    package func next(_ input: inout UnsafeRawBufferPointer, limit: Int) throws(DecodingFault) -> UnsafeRawBufferPointer
    {
        // What its window has comes first, so that it decodes no more than that at once.
        if let outcome = prepared.take() {
            try outcome.get()
        } else if BrotliDecoderHasMoreOutput(state) == 0 {
            try decode(&input)
        }
        var count = limit
        let bytes = BrotliDecoderTakeOutput(state, &count)
        hasOutput = BrotliDecoderHasMoreOutput(state) != 0 || !isSettled
        return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
    }

    /// Whether it can't continue without input.
    private var isSettled = true
    private var isLarge = false
    private var prepared: Result<Void, DecodingFault>?

    package func isSlow(before input: UnsafeRawBufferPointer) -> Bool {
        if !hasStarted { isLarge = input.first.map(Self.isLarge) ?? false }
        return isLarge && prepared == nil && BrotliDecoderHasMoreOutput(state) == 0
    }

    package func prepare(_ input: inout UnsafeRawBufferPointer) {
        hasOutput = true
        do throws(DecodingFault) {
            try decode(&input)
            prepared = .success(())
        } catch {
            prepared = .failure(error)
        }
    }

    /// Whether a body may fill a window of more than 1 MiB. Its first byte tells the window's size (RFC 7932 section 9.1), and
    /// whether the first block is the last and has at most 64 KiB (section 9.2), as most small bodies are.
    package static func isLarge(_ first: UInt8) -> Bool {
        let isAbove1MiB = first & 1 == 1 && first >> 1 & 7 >= 4
        return isAbove1MiB && first >> 4 != 1
    }

    private func decode(_ input: inout UnsafeRawBufferPointer) throws(DecodingFault) {
        guard !hasStarted || BrotliDecoderIsFinished(state) == 0 else {
            guard input.isEmpty else { throw DecodingFault.excess }
            isSettled = true
            return
        }
        hasStarted = true
        var available = input.count
        var next = input.bytes
        var room = 0
        let result = BrotliDecoderDecompressStream(state, &available, &next, &room, nil, nil)
        guard result != BROTLI_DECODER_RESULT_ERROR else { throw DecodingFault.damaged }
        if result == BROTLI_DECODER_RESULT_SUCCESS, available > 0 { throw DecodingFault.excess }
        isSettled = result != BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
        input.leaveLast(available)
    }
}

/// Decodes zstd (RFC 8878), also of several frames.
package final class ZstdStage: DecodingStage {
    private let stream = ZSTD_createDStream()
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentDecoder.pieceSize, alignment: 16)
    /// zstd's hint: 0 if a frame has just ended.
    private var wanted = 0
    private let dictionary: DictionaryBytes?
    package private(set) var hasOutput = false

    package init(_ dictionary: DictionaryBytes? = nil) {
        self.dictionary = dictionary
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.windowLog(dictionary?.bytes.count ?? 0))
    }

    /// The largest window that a client has to support, as a power of two: 8 MiB (RFC 9659 section 3), with a dictionary a
    /// quarter more than that is large, and at most 128 MiB (RFC 9842 section 5).
    package static func windowLog(_ dictionarySize: Int) -> Int32 {
        var log: Int32 = 23
        while log < 27, 1 << Int(log) < dictionarySize + dictionarySize / 4 { log += 1 }
        return log
    }

    deinit {
        ZSTD_freeDStream(stream)
        output.deallocate()
    }

    package var isComplete: Bool { wanted == 0 }

    package func next(_ input: inout UnsafeRawBufferPointer, limit: Int) throws(DecodingFault) -> UnsafeRawBufferPointer
    {
        // A reference to a dictionary holds for one frame.
        if wanted == 0, let dictionary {
            guard ZSTD_isError(ZSTD_DCtx_refPrefix(stream, dictionary.bytes.baseAddress, dictionary.bytes.count)) == 0
            else { throw DecodingFault.damaged }
        }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: min(limit, output.count), pos: 0)
        let result = ZSTD_decompressStream(stream, &target, &source)
        guard ZSTD_isError(result) == 0 else { throw DecodingFault.damaged }
        wanted = result
        // Called again after the end of a frame, zstd would expect the next one.
        hasOutput = result != 0 && target.pos == target.size
        input.leaveLast(source.size - source.pos)
        return UnsafeRawBufferPointer(rebasing: output[..<target.pos])
    }
}
#endif
