@testable import GodwitWire
@testable import GodwitCore
import GodwitTesting
import Testing

@Suite("WebSocket messages parsed from bytes")
struct MessageReaderTests {
    @Test("W1 messages parse the same in any chunks", arguments: [1, 2, 3, 7, 64, 1 << 20])
    func pieces(_ size: Int) throws {
        var random = SeededGenerator(seed: 7)
        let messages: [WebSocketMessage] = [
            .text(""), .text("Küste 🌊 tide"), .binary(Data(0..<200)), .binary(Data(count: 70_000)),
            .text(String(repeating: "é", count: 40_000)),
        ]
        for role in [WebSocketRole.client, .server] {
            let writer = MessageWriter(role == .client ? .server : .client, fragmentSize: 1000)
            var bytes: [UInt8] = []
            for message in messages {
                bytes += writer.frames(of: message, using: &random)
                bytes += writer.control(.ping, [1, 2, 3], using: &random)
            }
            let events = try read(bytes, by: size, role)
            #expect(events == messages.flatMap { [.message($0), .ping([1, 2, 3])] })
        }
    }

    @Test("W1 a control frame may occur between fragments")
    func interleaved() throws {
        let bytes: [UInt8] = [0x01, 1, 0x61, 0x89, 1, 0x21, 0x80, 1, 0x62]
        #expect(try read(bytes, by: 100) == [.ping([0x21]), .message(.text("ab"))])
    }

    @Test(
        "W1 violations are rejected at the first byte that shows them",
        arguments: [
            ([0xC1, 0x00], 1002), ([0xA1, 0x00], 1002), ([0x91, 0x00], 1002),  // reserved bits
            ([0x83, 0x00], 1002), ([0x8B, 0x00], 1002),  // reserved opcodes
            ([0x81, 0x80, 1, 2, 3, 4], 1002),  // masked
            ([0x80, 0x00], 1002), ([0x01, 0x00, 0x01, 0x00], 1002),  // fragments out of order
            ([0x09, 0x00], 1002), ([0x89, 0x7E, 0x00, 0x7E], 1002),  // a ping in fragments, or too long
            ([0x82, 0x7E, 0x00, 0x05], 1002), ([0x82, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 1002),  // lengths
            ([0x82, 0x7F, 0xFF, 0, 0, 0, 0, 0, 0, 0], 1002),
            ([0x88, 0x01, 0x03], 1002), ([0x88, 0x02, 0x03, 0xED], 1002), ([0x88, 0x02, 0x00, 0x00], 1002),  // codes
            ([0x88, 0x02, 0x0B, 0xB7], 1002), ([0x88, 0x03, 0x03, 0xE8, 0xFF], 1007),
            ([0x81, 0x01, 0xFF], 1007), ([0x81, 0x02, 0xC3, 0x28], 1007), ([0x81, 0x01, 0xC3], 1007),  // UTF-8
            ([0x81, 0x7E, 0x01, 0x00, 0xED, 0xA0], 1007),  // a surrogate, before its frame is whole
            ([0x01, 0x01, 0xF4, 0x80, 0x01, 0x90], 1007),  // beyond U+10FFFF, across frames
            ([0x82, 0x7F, 0, 0, 0, 0, 0, 0x10, 0, 1], 1009),  // too large, before a byte of it came
        ] as [([UInt8], Int)])
    func hostile(_ bytes: [UInt8], _ code: Int) {
        for size in [1, 100] {
            #expect { try read(bytes, by: size) } throws: { error in
                (error as? WebSocketFault)?.code.rawValue == UInt16(code)
            }
        }
    }

    @Test("W1 a server refuses a frame without a mask")
    func unmasked() {
        #expect(throws: WebSocketFault.self) { try read([0x81, 0x00], by: 10, .server) }
    }

    @Test("W1 bytes after a close frame are ignored")
    func afterClose() throws {
        let events = try read([0x88, 0x04, 0x03, 0xE9, 0x62, 0x79, 0xFF, 0xFF], by: 100)
        #expect(events == [.close(CloseContent(.goingAway, reason: "by"))])
    }

    @Test("W1 a small frame that inflates beyond the limit is refused, and does not get there")
    func bomb() {
        let zeros = [UInt8](repeating: 0, count: 64 << 20)
        let bomb = zeros.withUnsafeBytes { Deflater(windowBits: 15, level: 9, forgets: false).compress($0) } ?? []
        #expect(bomb.count < 100_000)
        var header = [UInt8](repeating: 0, count: FrameHeader.maximumSize)
        let size = header.withUnsafeMutableBytes {
            FrameHeader(.binary, length: bomb.count, isCompressed: true).write(to: $0)
        }
        let inflater = Inflater(windowBits: 15, forgets: false)
        #expect { try read(header[..<size] + bomb, by: 4096, decompressor: inflater) } throws: { error in
            (error as? WebSocketFault)?.code == .messageTooBig
        }
    }

    @Test("W1 damaged compression is refused")
    func damaged() {
        #expect {
            try read([0xC1, 0x03, 0xFF, 0xFF, 0xFF], by: 10, decompressor: Inflater(windowBits: 15, forgets: false))
        } throws: { ($0 as? WebSocketFault)?.code == .invalidPayload }
    }

    @Test(
        "W1 the compressed messages of RFC 7692 section 7.2.3",
        arguments: [
            [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
            [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00],
            [0xC1, 0x0B, 0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
            [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
            [0xC1, 0x0D, 0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
        ] as [[UInt8]])
    func compressed(_ bytes: [UInt8]) throws {
        for size in [1, 100] {
            let events = try read(bytes, by: size, decompressor: Inflater(windowBits: 15, forgets: false))
            #expect(events == [.message(.text("Hello"))])
        }
    }

    @Test("S5 a reader that takes one event at a time gets the same events")
    func oneByOne() throws {
        let frames: [UInt8] = [
            0x81, 1, 0x61, 0x89, 0, 0x01, 1, 0x62, 0x8A, 1, 0x63, 0x80, 1, 0x64, 0x82, 0, 0x88, 0, 0x81,
        ]
        let events = try read(frames, by: 100)
        #expect(events.count == 6)
        #expect(try read(frames, by: 100, isGreedy: false) == events)
    }

    @Test("S5 a compressed message is decompressed a part at a time")
    func parts() throws {
        // 64 Ki zeros per 64 bytes or so, as one frame without its tail.
        let compressor = Deflater(windowBits: 15, forgets: false)
        let zeros = [UInt8](repeating: 0, count: 8 << 20)
        let content = try #require(zeros.withUnsafeBytes(compressor.compress))
        let count = content.count
        #expect(count < 65_536)
        let frame = [0xC2, 126, UInt8(count >> 8), UInt8(count & 0xFF)] + content
        var reader = MessageReader(
            .client, limit: 8 << 20, decompressor: Inflater(windowBits: 15, forgets: false))
        var (calls, messages, rest) = (0, 0, frame[...])
        while !rest.isEmpty {
            let result = rest.withUnsafeBytes { bytes in
                Result { () throws(WebSocketFault) in
                    try reader.read(bytes) { event in
                        if case .message(.binary(let data)) = event { messages += data.count }
                        return true
                    }
                }
            }
            rest = rest.dropFirst(try result.get())
            calls += 1
        }
        #expect(messages == 8 << 20)
        #expect(calls >= 10, "at most some 512 KiB for each call")
    }

    private func read(
        _ bytes: some Sequence<UInt8>, by size: Int, _ role: WebSocketRole = .client,
        decompressor: (any MessageDecompressor)? = nil, isGreedy: Bool = true
    ) throws -> [MessageReader.Event] {
        var reader = MessageReader(role, limit: 1 << 20, decompressor: decompressor)
        var events: [MessageReader.Event] = []
        let bytes = Array(bytes)
        for start in stride(from: 0, to: bytes.count, by: size) {
            var piece = bytes[start..<min(start + size, bytes.count)]
            while !piece.isEmpty {
                let result = piece.withUnsafeBytes { bytes in
                    Result { () throws(WebSocketFault) in
                        try reader.read(bytes) {
                            events.append($0)
                            return isGreedy
                        }
                    }
                }
                piece = piece.dropFirst(try result.get())
            }
        }
        return events
    }
}
