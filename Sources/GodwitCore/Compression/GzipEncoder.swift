internal import CZlib
import GodwitWire

/// Compresses a body as gzip (RFC 1952) in pieces. Uses a quarter of a megabyte, whatever the body's size.
final class GzipEncoder {
    private static let outputSize = 32 << 10
    /// The largest window, with gzip framing.
    private static let windowBits: Int32 = 15 + 16

    private var stream = z_stream()

    /// `nil` if zlib can't start.
    ///
    /// - Parameter level: 1 (fast) to 9 (small).
    init?(level: Int) {
        guard godwit_deflate_init(&stream, Int32(min(max(level, 1), 9)), Self.windowBits) == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(&stream)
    }

    /// Compresses bytes and returns available output, which is often empty because zlib buffers.
    func add(_ data: Data) -> Data {
        var output = Data()
        var rest = data[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 << 30)
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { run($0, Z_NO_FLUSH, into: &output) }
        }
        return output
    }

    /// The rest of the output. Call it once, at the end.
    func finish() -> Data {
        var output = Data()
        run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, into: &output)
        return output
    }

    private func run(_ input: UnsafeRawBufferPointer, _ flush: Int32, into output: inout Data) {
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(input.count)
        withUnsafeTemporaryAllocation(byteCount: Self.outputSize, alignment: 16) { buffer in
            repeat {
                stream.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(buffer.count)
                deflate(&stream, flush)
                output.append(contentsOf: buffer[..<(buffer.count - Int(stream.avail_out))])
            } while stream.avail_out == 0
        }
    }
}
