#if os(Linux)
import CZlib

/// Decodes gzip (RFC 1952), also of several members and padded with zeros, and deflate in both of its forms (RFC 1950, RFC 1951).
package final class InflateStage: DecodingStage {
    package enum Format {
        case gzip, deflate
    }

    private var stream = z_stream()
    private let format: Format
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentDecoder.pieceSize, alignment: 16)
    private var hasStarted = false
    package private(set) var isComplete = true
    package private(set) var hasOutput = false

    package init(_ format: Format) {
        self.format = format
    }

    deinit {
        if hasStarted { inflateEnd(&stream) }
        output.deallocate()
    }

    package func next(_ input: inout UnsafeRawBufferPointer, limit: Int) throws(DecodingFault) -> UnsafeRawBufferPointer
    {
        if isComplete, hasStarted, format == .gzip { input.dropZeros() }
        if isComplete, let first = input.first { try startMember(with: first) }
        let room = min(limit, output.count)
        stream.next_in = UnsafeMutablePointer(mutating: input.bytes)
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(room)
        switch inflate(&stream, Z_NO_FLUSH) {
        case Z_OK, Z_BUF_ERROR: isComplete = false
        case Z_STREAM_END: isComplete = true
        default: throw DecodingFault.damaged
        }
        input.leaveLast(Int(stream.avail_in))
        // A member that ended exactly with the buffer has nothing left.
        hasOutput = !isComplete && stream.avail_out == 0
        return UnsafeRawBufferPointer(rebasing: output[..<(room - Int(stream.avail_out))])
    }

    /// Starts the first member, or the next (RFC 1952 section 2.2).
    private func startMember(with first: UInt8) throws(DecodingFault) {
        if hasStarted {
            guard format == .gzip, first == 0x1F, inflateReset(&stream) == Z_OK else { throw DecodingFault.excess }
        } else {
            guard godwit_inflate_init(&stream, windowBits(for: first)) == Z_OK else {
                throw DecodingFault("zlib could not start")
            }
            hasStarted = true
        }
    }

    /// "deflate" should be in zlib's format, whose first byte names method 8. Some servers send it without that.
    private func windowBits(for first: UInt8) -> Int32 {
        switch format {
        case .gzip: 15 + 16
        case .deflate: first & 0x0F == 8 && first >> 4 <= 7 ? 15 : -15
        }
    }
}
#endif
