import CZstd

/// Undoes zstd (RFC 8878), also of several frames.
final class ZstdStage: DecodingStage {
    private let stream = ZSTD_createDStream()
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
    /// zstd's hint: 0 where a frame has just ended.
    private var wanted = 0

    init() {
        // 8 MiB, the most a server may ask of a client (RFC 9659 section 3).
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
            // Asked again behind the end of a frame, zstd would want the next one.
            hasFilledOutput = result != 0 && target.pos == target.size
            if target.pos > 0 { try emit(UnsafeRawBufferPointer(rebasing: output[..<target.pos])) }
        }
    }
}
