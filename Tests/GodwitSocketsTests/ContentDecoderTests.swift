import GodwitCore
import PeerSupport
import Testing

@testable import GodwitSockets

@Suite("Content decoders decode what they are asked for")
struct ContentDecoderTests {
    /// Decodes until the input is used up or so many bytes came out; the count, and the most in one piece.
    private func decode(_ body: Data, _ coding: String, limit: Int = .max, upTo: Int) throws -> (count: Int, most: Int)
    {
        let decoder = try #require(ContentDecoder(codings: coding))
        return try body.withUnsafeBytes { bytes in
            decoder.add(bytes)
            decoder.keepInput()
            var (count, most) = (0, 0)
            while decoder.hasInput, count < upTo {
                let piece = try decoder.next(limit: limit)
                #expect(piece.allSatisfy { $0 == 0 })
                count += piece.count
                most = max(most, piece.count)
            }
            #expect(decoder.hasInput == (count >= upTo))
            return (count, most)
        }
    }

    @Test("S5 a step gives at most 32 KiB, and at most what is asked for", arguments: Bomb.all, [1, 1000, Int.max])
    func limits(_ bomb: Bomb, _ limit: Int) throws {
        let wanted = limit == 1 ? 500 : 300_000
        let (count, most) = try decode(bomb.body.prefix(200_000), bomb.coding, limit: limit, upTo: wanted)
        #expect(count >= wanted && count <= wanted + most)
        #expect(most == min(limit, 32 << 10))
    }

    @Test("S5 zeros after a gzip body pad it, also before another member; anything else is refused")
    func zeroPadding() throws {
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="))
        func text(_ pieces: [Data]) throws -> String {
            let decoder = try #require(ContentDecoder(codings: "gzip"))
            var text = ""
            for piece in pieces {
                try piece.withUnsafeBytes { bytes in
                    decoder.add(bytes)
                    while decoder.hasInput { text += String(decoding: try decoder.next(limit: .max), as: UTF8.self) }
                }
            }
            return text
        }
        let zeros = Data(repeating: 0, count: 600)
        for pieces in [[gzip + zeros], [gzip, zeros, zeros], [gzip + [0], zeros]] {
            #expect(try text(pieces) == "hello")
        }
        #expect(try text([gzip + zeros + gzip, zeros]) == "hellohello")
        #expect(throws: DecodingFault.self) { try text([gzip + zeros + [1]]) }
        #expect(throws: DecodingFault.self) { try text([zeros + gzip]) }
    }

    @Test("S5 what may fill a large window of brotli needs another thread")
    func slow() throws {
        // Windows of 16 bits, 18, 20, 22 and 24, by `brotli`; and 22 with a last block of 64 KiB, with an empty one, and others.
        for (first, isLarge) in [
            (0x00, false), (0x03, false), (0x07, false), (0xCB, true), (0xCF, true), (0x1B, false), (0x3B, true),
            (0x5B, true), (0x0B, true), (0x01, false), (0x81, false),
        ] as [(UInt8, Bool)] {
            #expect(BrotliStage.isLarge(first) == isLarge, "\(first)")
        }
        for bomb in Bomb.all {
            let decoder = try #require(ContentDecoder(codings: bomb.coding))
            try bomb.body.withUnsafeBytes { bytes in
                decoder.add(bytes)
                #expect(decoder.isSlow == (bomb.coding == "br"))
                guard decoder.isSlow else { return }
                var count = 0
                for _ in 0..<3 {
                    decoder.prepare()
                    while !decoder.isSlow { count += try decoder.next(limit: .max).count }
                }
                #expect(count >= 8 << 20)
            }
        }
    }

    @Test("S5 damage that is found on another thread is reported by the next step")
    func slowDamage() throws {
        let decoder = try #require(ContentDecoder(codings: "br"))
        let body = Bomb.brotli.body.prefix(16) + Data(repeating: 0xFF, count: 100)
        body.withUnsafeBytes { bytes in
            decoder.add(bytes)
            #expect(throws: DecodingFault.self) {
                for _ in 0..<10_000 {
                    if decoder.isSlow { decoder.prepare() }
                    _ = try decoder.next(limit: .max)
                }
            }
        }
    }

    @Test("S5 a coding that expands to nothing but padding of the next is refused")
    func padding() throws {
        // A frame to skip, of 4 GiB (RFC 8878 section 3.1.2), whose zeros are compressed.
        let start: [UInt8] = [0, 8, 0, 0xF7, 0xFF, 0x50, 0x2A, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0xFF]
        let zeros = Bomb.gzip.body
        let body = zeros.prefix(10) + start + zeros.dropFirst(10).prefix(200_000)
        #expect(throws: DecodingFault("a content coding expands to gigabytes that hold no content")) {
            try decode(body, "zstd, gzip", upTo: 1)
        }
    }

    @Test("S5 codings may be hardly larger than their content")
    func balance() {
        var balance = ExpansionBalance()
        #expect(balance.passOn(16 << 20) == true)
        #expect(balance.passOn(16) == false)
        balance.deliver(1)
        #expect(balance.passOn(0) == true)
        #expect(balance.passOn(16) == false)
        balance.deliver(1 << 40)
        #expect(balance.passOn(1 << 40) == true)
    }
}
