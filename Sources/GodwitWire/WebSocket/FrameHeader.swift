/// A frame header (RFC 6455 section 5.2): 2 to 14 bytes.
struct FrameHeader: Sendable, Hashable {
    /// The type of the frame.
    var opcode: FrameOpcode
    /// Whether this is the last frame of its message.
    var isFinal: Bool
    /// RSV1: the message is compressed (RFC 7692 section 6).
    var isCompressed: Bool
    /// The masking key, its first byte the lowest; `nil` if the content isn't masked.
    var mask: UInt32?
    /// The length of the content in bytes.
    var length: Int

    /// Creates the header of a frame to be written.
    ///
    /// - Parameters:
    ///   - length: The length of the content in bytes; at most 125 for a control frame.
    ///   - mask: The masking key. Required for client frames, forbidden for server frames (section 5.1).
    ///   - isCompressed: Whether the message is compressed; set only in its first frame.
    init(
        _ opcode: FrameOpcode, length: Int, mask: UInt32? = nil, isFinal: Bool = true, isCompressed: Bool = false
    ) {
        self.opcode = opcode
        self.length = length
        self.mask = mask
        self.isFinal = isFinal
        self.isCompressed = isCompressed
    }

    /// The maximum length of a header in bytes.
    static let maximumSize = 14
    /// The maximum content length of a control frame in bytes.
    static let maximumControlLength = 125

    /// The length of the header in bytes.
    var size: Int { 2 + lengthSize + (mask == nil ? 0 : 4) }

    private var lengthSize: Int {
        switch length {
        case ..<126: 0
        case ..<0x1_0000: 2
        default: 8
        }
    }
}

// Reading.
extension FrameHeader {
    /// The length of a header that starts with these two bytes.
    static func size(_ first: UInt8, _ second: UInt8) -> Int {
        let length =
            switch second & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + length + (second & 0x80 == 0 ? 0 : 4)
    }

    /// Parses a complete header.
    ///
    /// Throws for reserved bits and opcodes, a length that isn't in its shortest form, and a control frame that is too
    /// long or fragmented.
    init(_ bytes: UnsafeRawBufferPointer) throws(WebSocketFault) {
        let (first, second) = (bytes[0], bytes[1])
        guard first & 0x30 == 0 else { throw .violation("a reserved bit is set") }
        guard let opcode = FrameOpcode(rawValue: first & 0x0F) else {
            throw .violation("the opcode \(first & 0x0F) is reserved")
        }
        self.opcode = opcode
        isFinal = first & 0x80 != 0
        isCompressed = first & 0x40 != 0
        length = try Self.length(second & 0x7F, bytes)
        mask =
            second & 0x80 == 0
            ? nil : bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self).littleEndian
        guard !opcode.isControl || (isFinal && length <= Self.maximumControlLength && !isCompressed) else {
            throw .violation("a control frame is longer than 125 bytes, fragmented or compressed")
        }
    }

    private static func length(_ short: UInt8, _ bytes: UnsafeRawBufferPointer) throws(WebSocketFault) -> Int {
        switch short {
        case 126:
            let length = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            guard length >= 126 else { throw .violation("a length is not in its shortest form") }
            return Int(length)
        case 127:
            let length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length >= 0x1_0000 else { throw .violation("a length is not in its shortest form") }
            guard let length = Int(exactly: length), length >> 62 == 0 else {
                throw .violation("a length exceeds 62 bits")
            }
            return length
        default:
            return Int(short)
        }
    }
}

// Writing.
extension FrameHeader {
    /// Writes the header into a buffer that is large enough; returns its length in bytes.
    func write(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer[0] = opcode.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        var offset = 2
        switch lengthSize {
        case 2:
            buffer[1] = 126 | maskBit
            buffer.storeBytes(of: UInt16(length).bigEndian, toByteOffset: 2, as: UInt16.self)
            offset = 4
        case 8:
            buffer[1] = 127 | maskBit
            buffer.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
            offset = 10
        default:
            buffer[1] = UInt8(length) | maskBit
        }
        guard let mask else { return offset }
        buffer.storeBytes(of: mask.littleEndian, toByteOffset: offset, as: UInt32.self)
        return offset + 4
    }
}

/// The type of a frame (RFC 6455 section 5.2).
package enum FrameOpcode: UInt8, Sendable, Hashable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether it is a close, ping or pong, which may occur between the fragments of a message (section 5.4).
    package var isControl: Bool { rawValue >= 0x8 }
}

/// Masking (RFC 6455 section 5.3): XOR with a repeating 4-byte key. Masking twice restores the bytes.
enum FrameMask {
    /// Masks bytes into another buffer, eight at a time.
    ///
    /// - Parameters:
    ///   - key: The key, its first byte the lowest.
    ///   - offset: The offset of the bytes in the frame's content.
    ///   - output: The destination: as long as the input; may be the same memory.
    static func copy(
        _ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, key: UInt32, offset: Int = 0
    ) {
        guard let from = input.baseAddress, let to = output.baseAddress, output.count >= input.count else { return }
        let turned = rotated(key, by: offset)
        let wide = (UInt64(turned) << 32 | UInt64(turned)).littleEndian
        var index = 0
        while index + 8 <= input.count {
            let word = from.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide
            to.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < input.count {
            output[index] = input[index] ^ UInt8(truncatingIfNeeded: turned >> (UInt32(index & 3) * 8))
            index += 1
        }
    }

    /// The key as it applies at an offset in the content.
    private static func rotated(_ key: UInt32, by offset: Int) -> UInt32 {
        let shift = UInt32(offset & 3) * 8
        return shift == 0 ? key : key >> shift | key << (32 - shift)
    }
}
