internal import CZlib
import GodwitWire

/// Compresses the messages of a WebSocket. Allocates up to a quarter of a megabyte with the first message.
final class Deflater: MessageCompressor {
    private var stream = z_stream()
    private var hasStarted = false
    private let windowBits: Int32
    private let level: Int32
    private let forgets: Bool

    /// - Parameters:
    ///   - windowBits: 8 to 15. zlib can't compress with 8: then messages are sent uncompressed, which is allowed.
    ///   - level: 1 (fast) to 9 (small).
    ///   - forgets: Whether each message is compressed separately (no context takeover).
    init(windowBits: Int, level: Int = 6, forgets: Bool) {
        self.windowBits = Int32(windowBits)
        self.level = Int32(min(max(level, 1), 9))
        self.forgets = forgets
    }

    deinit {
        if hasStarted { deflateEnd(&stream) }
    }

    /// A compressed message, without the four bytes that end every flush; `nil` if it must be sent uncompressed: zlib
    /// could not start, or the message has 4 GiB or more.
    func compress(_ message: UnsafeRawBufferPointer) -> [UInt8]? {
        guard begin(), message.count < Int(UInt32.max) else { return nil }
        stream.next_in = UnsafeMutablePointer(mutating: message.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(message.count)
        let bound = Int(deflateBound(&stream, UInt(message.count))) + 16
        var output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            stream.next_out = buffer.baseAddress
            stream.avail_out = UInt32(clamping: buffer.count)
            deflate(&stream, Z_SYNC_FLUSH)
            count = buffer.count - Int(stream.avail_out)
        }
        guard stream.avail_in == 0 else { return nil }
        if forgets { deflateReset(&stream) }
        // The tail of every flush is omitted (RFC 7692 section 7.2.1); an empty message is one byte.
        guard output.count > 4 else { return [0] }
        output.removeLast(4)
        return output
    }

    private func begin() -> Bool {
        if !hasStarted { hasStarted = windowBits > 8 && godwit_deflate_init(&stream, level, -windowBits) == Z_OK }
        return hasStarted
    }
}
