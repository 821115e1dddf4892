internal import CZlib
package import GodwitWire

/// Decompresses the messages of a WebSocket. Allocates its memory with the first compressed message.
package final class Inflater: MessageDecompressor {
    private var stream = z_stream()
    private var hasStarted = false
    private let windowBits: Int32
    private let forgets: Bool

    private static let outputSize = 16 << 10

    /// - Parameters:
    ///   - windowBits: The peer's compression window: 8 to 15.
    ///   - forgets: Whether each message was compressed separately (no context takeover).
    package init(windowBits: Int, forgets: Bool) {
        self.windowBits = Int32(windowBits)
        self.forgets = forgets
    }

    deinit {
        if hasStarted { inflateEnd(&stream) }
    }

    package func decompress(
        _ bytes: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) throws(WebSocketFault) -> Void
    ) throws(WebSocketFault) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        try begin()
        stream.next_in = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(clamping: bytes.count)
        try withUnsafeTemporaryAllocation(byteCount: Self.outputSize, alignment: 16) { output in
            Result { () throws(WebSocketFault) in try drain(into: output, emit) }
        }.get()
    }

    package func endMessage(
        emit: (UnsafeRawBufferPointer) throws(WebSocketFault) -> Void
    ) throws(WebSocketFault) {
        // The tail that the sender omitted (RFC 7692 section 7.2.2).
        let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
        try tail.withUnsafeBytes { bytes in
            Result { () throws(WebSocketFault) in try decompress(bytes, emit: emit) }
        }.get()
        if forgets { inflateReset(&stream) }
    }

    private func drain(
        into output: UnsafeMutableRawBufferPointer,
        _ emit: (UnsafeRawBufferPointer) throws(WebSocketFault) -> Void
    ) throws(WebSocketFault) {
        repeat {
            stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.avail_out = UInt32(output.count)
            let result = inflate(&stream, Z_SYNC_FLUSH)
            guard result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END else { throw Self.damaged }
            let count = output.count - Int(stream.avail_out)
            if count > 0 { try emit(UnsafeRawBufferPointer(rebasing: output[..<count])) }
            if result == Z_STREAM_END {
                try beginAgain()
            } else if result == Z_BUF_ERROR {
                return
            }
        } while stream.avail_in > 0 || stream.avail_out == 0
    }

    /// A peer may end the deflate stream with each message (RFC 7692 section 7.2.3.4); the window stays.
    private func beginAgain() throws(WebSocketFault) {
        var window = [UInt8](repeating: 0, count: 32 << 10)
        var count: UInt32 = 0
        guard inflateGetDictionary(&stream, &window, &count) == Z_OK, inflateReset(&stream) == Z_OK,
            count == 0 || inflateSetDictionary(&stream, window, count) == Z_OK
        else { throw Self.damaged }
    }

    private func begin() throws(WebSocketFault) {
        guard !hasStarted else { return }
        guard godwit_inflate_init(&stream, -windowBits) == Z_OK else {
            throw WebSocketFault(.internalError, "zlib could not start")
        }
        hasStarted = true
    }

    private static let damaged = WebSocketFault(.invalidPayload, "the compressed data is damaged")
}
