import GodwitCore
import PeerSupport
import Testing

@testable import GodwitCurl

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
