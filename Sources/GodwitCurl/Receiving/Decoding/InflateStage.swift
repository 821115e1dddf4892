import CZlib

/// Decodes gzip (RFC 1952), also of several members, and deflate in both of its forms (RFC 1950, RFC 1951).
final class InflateStage: DecodingStage {
    enum Format {
        case gzip, deflate
    }

    private var stream = z_stream()
    private let format: Format
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
    private var hasStarted = false
    private var isAtEnd = true

    init(_ format: Format) {
        self.format = format
    }

    deinit {
        if hasStarted { inflateEnd(&stream) }
        output.deallocate()
    }

    var isComplete: Bool { isAtEnd }

    func decode(
        _ input: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        guard let first = input.first else { return }
        try start(with: first)
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(input.count)
        repeat {
            if isAtEnd { try startMember() }
            try step(emit)
        } while stream.avail_in > 0 || stream.avail_out == 0
    }

    private func step(
        _ emit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(output.count)
        let result = inflate(&stream, Z_NO_FLUSH)
        switch result {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isAtEnd = true
        default: throw .corrupt("the compressed content is damaged")
        }
        let count = output.count - Int(stream.avail_out)
        if count > 0 { try emit(UnsafeRawBufferPointer(rebasing: output[..<count])) }
        // The member ended exactly with the output buffer: nothing is left to flush.
        if isAtEnd && stream.avail_out == 0 { stream.avail_out = 1 }
    }

    private func start(with first: UInt8) throws(DecodingFault) {
        guard !hasStarted else { return }
        guard godwit_inflate_init(&stream, windowBits(for: first)) == Z_OK else {
            throw .corrupt("zlib could not start")
        }
        hasStarted = true
        isAtEnd = false
    }

    /// Starts the next member (RFC 1952 section 2.2).
    private func startMember() throws(DecodingFault) {
        guard stream.avail_in > 0 else { return }
        guard format == .gzip, stream.next_in?.pointee == 0x1F, inflateReset(&stream) == Z_OK else {
            throw .corrupt("there are bytes after the end of the compressed body")
        }
        isAtEnd = false
    }

    /// "deflate" should be in zlib's format, whose first byte names method 8. Some servers send it without that.
    private func windowBits(for first: UInt8) -> Int32 {
        switch format {
        case .gzip: 15 + 16
        case .deflate: first & 0x0F == 8 && first >> 4 <= 7 ? 15 : -15
        }
    }
}
