@testable import GodwitWire
import Testing

@Suite("WebSocket frames")
struct FrameTests {
    @Test(
        "W1 a header has the shortest form, and round-trips",
        arguments: [(0, 2), (125, 2), (126, 4), (65535, 4), (65536, 10), (1 << 40, 10)])
    func sizes(_ length: Int, _ size: Int) throws {
        for mask in [nil, UInt32(0x1234_5678)] {
            let header = FrameHeader(.binary, length: length, mask: mask)
            #expect(header.size == size + (mask == nil ? 0 : 4))
            #expect(bytes(of: header).count == header.size)
        }
    }

    @Test("W1 the frames of RFC 6455 section 5.7")
    func examples() throws {
        var random = FixedGenerator(0x3d21_fa37)
        let hello = MessageWriter(.server).frames(of: .text("Hello"), using: &random)
        #expect(hello == [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
        let masked = MessageWriter(.client).frames(of: .text("Hello"), using: &random)
        #expect(masked == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
        let split = MessageWriter(.server, fragmentSize: 3).frames(of: .text("Hello"), using: &random)
        #expect(split == [0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f])
        #expect(MessageWriter(.server).control(.ping, Array("Hello".utf8), using: &random).prefix(2) == [0x89, 0x05])
    }

    @Test("W1 masking works byte by byte, from any offset")
    func masking() {
        let key: UInt32 = 0xA1B2_C3D4
        let plain = (0..<100).map { UInt8($0) }
        let expected = plain.enumerated().map { $1 ^ UInt8(truncatingIfNeeded: key >> (UInt32($0 % 4) * 8)) }
        for start in 0..<20 {
            for end in start..<100 {
                var output = [UInt8](repeating: 0, count: end - start)
                plain[start..<end].withUnsafeBytes { input in
                    output.withUnsafeMutableBytes { FrameMask.copy(input, to: $0, key: key, offset: start) }
                }
                #expect(output == Array(expected[start..<end]))
            }
        }
    }

    @Test("W1 every frame of a client has another mask")
    func masks() {
        var random = SystemRandomNumberGenerator()
        let frames = (0..<64).map { _ in MessageWriter(.client).frames(of: .text(""), using: &random)[2...] }
        #expect(Set(frames).count == 64)
    }

    private func bytes(of header: FrameHeader) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: FrameHeader.maximumSize)
        let count = buffer.withUnsafeMutableBytes { header.write(to: $0) }
        return Array(buffer[..<count])
    }
}

/// Draws one number again and again.
struct FixedGenerator: RandomNumberGenerator {
    private let value: UInt64

    init(_ value: UInt64) {
        self.value = value
    }

    mutating func next() -> UInt64 { value }
}
