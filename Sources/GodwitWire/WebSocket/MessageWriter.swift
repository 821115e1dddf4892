/// Writes messages as WebSocket bytes: compresses them if negotiated, frames them and, on the client, masks each frame
/// with a new key.
package struct MessageWriter {
    private let role: WebSocketRole
    private let compressor: (any MessageCompressor)?
    /// The minimum length for compression in bytes.
    private let compressionThreshold: Int
    private let fragmentSize: Int

    /// - Parameters:
    ///   - fragmentSize: Maximum bytes of content in one frame.
    ///   - compressor: Required if compression was negotiated.
    ///   - threshold: Minimum bytes for compression.
    package init(
        _ role: WebSocketRole, fragmentSize: Int = .max, compressor: (any MessageCompressor)? = nil, threshold: Int = 0
    ) {
        self.role = role
        self.fragmentSize = max(1, fragmentSize)
        self.compressor = compressor
        compressionThreshold = threshold
    }

    /// The frames of a message.
    package func frames(
        of message: WebSocketMessage, using generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        switch message {
        case .text(let text):
            return text.withBytes { frames(.text, UnsafeRawBufferPointer($0), &generator) }
        case .binary(let data):
            return data.withUnsafeBytes { frames(.binary, $0, &generator) }
        }
    }

    /// A control frame. Content over 125 bytes is truncated.
    package func control(
        _ opcode: FrameOpcode, _ content: [UInt8] = [], using generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        content.prefix(FrameHeader.maximumControlLength).withUnsafeBytes { bytes in
            var frames: [UInt8] = []
            append(FrameHeader(opcode, length: bytes.count), bytes, to: &frames, &generator)
            return frames
        }
    }

    private func frames(
        _ opcode: FrameOpcode, _ content: UnsafeRawBufferPointer, _ generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        guard let compressor, content.count >= compressionThreshold, let small = compressor.compress(content) else {
            return split(FrameHeader(opcode, length: 0), content, &generator)
        }
        return small.withUnsafeBytes { split(FrameHeader(opcode, length: 0, isCompressed: true), $0, &generator) }
    }

    private func split(
        _ first: FrameHeader, _ content: UnsafeRawBufferPointer, _ generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var frames: [UInt8] = []
        var header = first
        var start = 0
        repeat {
            let end = start + min(fragmentSize, content.count - start)
            header.length = end - start
            header.isFinal = end == content.count
            append(header, UnsafeRawBufferPointer(rebasing: content[start..<end]), to: &frames, &generator)
            header = FrameHeader(.continuation, length: 0)
            start = end
        } while start < content.count
        return frames
    }

    private func append(
        _ header: FrameHeader, _ content: UnsafeRawBufferPointer, to frames: inout [UInt8],
        _ generator: inout some RandomNumberGenerator
    ) {
        var header = header
        // 32 random bits for each frame; the caller chooses the generator (RFC 6455 section 10.3).
        if role == .client { header.mask = UInt32(truncatingIfNeeded: generator.next()) }
        let frame = [UInt8](unsafeUninitializedCapacity: header.size + content.count) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            let offset = header.write(to: bytes)
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
            if let mask = header.mask {
                FrameMask.copy(content, to: rest, key: mask)
            } else {
                rest.copyMemory(from: content)
            }
            count = offset + content.count
        }
        if frames.isEmpty { frames = frame } else { frames += frame }
    }
}

/// A complete WebSocket message: defragmented and decompressed.
///
/// ```swift
/// for try await message in socket.messages {
///     if case .text(let text) = message { print(text) }
/// }
/// ```
public enum WebSocketMessage: Sendable, Hashable, Nonisolated {
    /// Text; valid UTF-8 on the wire.
    case text(String)
    /// Bytes in an application-defined format.
    case binary(Data)

    /// The length of the content in bytes.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}

/// A side of a WebSocket. Clients mask what they send, servers don't (RFC 6455 section 5.1).
package enum WebSocketRole: Sendable, Hashable {
    case client, server
}

/// Compresses messages (RFC 7692 section 7.2.1). Earlier messages may serve as the window for later ones.
package protocol MessageCompressor: AnyObject {
    /// The compressed message; `nil` if it must be sent uncompressed.
    func compress(_ message: UnsafeRawBufferPointer) -> [UInt8]?
}

/// Decompresses messages in pieces (RFC 7692 section 7.2.2).
package protocol MessageDecompressor: AnyObject {
    /// Decompresses a piece of a message.
    func decompress(
        _ bytes: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) throws(WebSocketFault) -> Void
    ) throws(WebSocketFault)

    /// Ends the message.
    func endMessage(
        emit: (UnsafeRawBufferPointer) throws(WebSocketFault) -> Void
    ) throws(WebSocketFault)
}
