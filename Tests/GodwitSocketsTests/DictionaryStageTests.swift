import GodwitCore
import GodwitSupport
import Synchronization
import TestSupport
import Testing

@testable import GodwitSockets

@Suite("C6 decoding with a dictionary", .timeLimit(.minutes(15)))
struct DictionaryStageTests {
    private static let old = Data((0..<4000).map { "line \($0 * 7919 % 4001) of a file\n" }.joined().utf8)
    private static let new = Data(
        (0..<4000).map { "line \($0 * 7919 % 4001) of a f\($0 % 50 == 0 ? "i" : "ig")le\n" }.joined().utf8)

    private final class Refusals: Sendable {
        let count = Atomic(0)
    }

    private let refusals = Refusals()

    private func dictionary(_ content: Data) -> CompressionDictionary {
        CompressionDictionary(content: content, digest: SHA256.digest(content), id: "") { [refusals] in
            refusals.count.add(1, ordering: .relaxed)
        }
    }

    /// Decodes pieces of this size: the content, and whether it is complete.
    private func decode(
        _ body: Data, _ coding: String, _ dictionary: CompressionDictionary, pieces: Int = .max, limit: Int = .max
    ) throws -> (Data, isComplete: Bool) {
        let decoder = try #require(ContentDecoder(codings: coding, dictionary: dictionary))
        var (rest, result) = (body[...], Data())
        while !rest.isEmpty {
            let piece = Data(rest.prefix(pieces))
            rest = rest.dropFirst(piece.count)
            try piece.withUnsafeBytes { bytes in
                decoder.add(bytes)
                while decoder.hasInput {
                    if decoder.isSlow { decoder.prepare() }
                    result.append(contentsOf: try decoder.next(limit: limit))
                }
            }
        }
        return (result, decoder.isComplete)
    }

    @Test("C6 dcz is decoded, however its bytes are cut", arguments: [1, 7, 40, 1000, Int.max], [1000, Int.max])
    func dcz(pieces: Int, limit: Int) async throws {
        let body = try await Self.encoded.value
        #expect(body.count < Self.new.count / 10)
        let decoded = try decode(body, "dcz", dictionary(Self.old), pieces: pieces, limit: limit)
        #expect(decoded == (Self.new, true))
        // Several frames, as of zstd.
        let twice = try decode(body + body.dropFirst(40), "dcz", dictionary(Self.old), pieces: pieces, limit: limit)
        #expect(twice == (Self.new + Self.new, true))
    }

    @Test("C6 dcb is decoded where libbrotli has dictionaries", .enabled(if: DictionaryStage.hasBrotli))
    func dcb() throws {
        let dictionary = dictionary(DictionaryCodings.dcbDictionary)
        for body in [DictionaryCodings.dcb, DictionaryCodings.dcbInLargeWindow] {
            for pieces in [1, 7, 36, Int.max] {
                let decoded = try decode(body, "dcb", dictionary, pieces: pieces)
                #expect(decoded == (DictionaryCodings.dcbDecoded, true))
            }
        }
        // As for br, what may fill a large window needs another thread.
        let decoder = try #require(ContentDecoder(codings: "dcb", dictionary: dictionary))
        try DictionaryCodings.dcbInLargeWindow.withUnsafeBytes { bytes in
            decoder.add(bytes)
            #expect(!decoder.isSlow)
            while !decoder.isSlow { _ = try decoder.next(limit: .max) }
        }
    }

    @Test("C6 dcb is neither offered nor decoded with an older libbrotli", .enabled(if: !DictionaryStage.hasBrotli))
    func withoutBrotli() {
        #expect(ContentDecoder.codingsWithDictionary == "gzip, deflate, br, zstd, dcz")
        #expect(ContentDecoder(codings: "dcb", dictionary: dictionary(Self.old)) == nil)
    }

    @Test("C6 without a dictionary that was offered, dcz and dcb are unknown codings", arguments: ["dcz", "dcb"])
    func notOffered(coding: String) {
        #expect(ContentDecoder(codings: coding) == nil)
    }

    @Test("C6 a body whose header names another dictionary is refused, and whoever offered one hears of it")
    func otherDictionary() async throws {
        var body = try await Self.encoded.value
        for position in [0, 8, 39] {
            let byte = body[position]
            body[position] ^= 1
            #expect(throws: DecodingFault.otherDictionary) { try decode(body, "dcz", dictionary(Self.old), pieces: 3) }
            body[position] = byte
        }
        #expect(refusals.count.load(ordering: .relaxed) == 3)
    }

    @Test("C6 a body that is cut anywhere is incomplete")
    func truncated() async throws {
        let body = try await Self.encoded.value
        for length in [1, 39, 40, 41, body.count / 2, body.count - 1] {
            #expect(try !decode(body.prefix(length), "dcz", dictionary(Self.old)).isComplete, "\(length) bytes")
        }
        #expect(try decode(Data(), "dcz", dictionary(Self.old)) == (Data(), true))
    }

    @Test("C6 damage after the header is damage")
    func damaged() async throws {
        let body = try await Self.encoded.value
        #expect(throws: DecodingFault.damaged) {
            try decode(body.prefix(40) + Data("no zstd".utf8), "dcz", dictionary(Self.old))
        }
        #expect(refusals.count.load(ordering: .relaxed) == 0)
    }

    @Test(
        "C6 a window is at most 8 MiB, or a quarter more than the dictionary as a power of two, up to 128 MiB",
        arguments: [(0, 23), (6 << 20, 23), (7 << 20, 24), (16 << 20, 25), (100 << 20, 27), (1 << 40, 27)])
    func windows(size: Int, log: Int32) {
        #expect(ZstdStage.windowLog(size) == log)
    }

    @Test("C6 logs see the fields that offer a dictionary; a request that names codings gets none")
    func addedFields() throws {
        let transport = try SocketTransport { $0.proxy = .none }
        var request = HTTPRequest(url: try HTTPURL("https://example.com/"))
        #expect(!transport.addedFields(for: request).contains(.availableDictionary))
        request.dictionary = dictionary(Self.old)
        let added = transport.addedFields(for: request)
        #expect(added[.availableDictionary] == DictionaryCodings.digest(of: Self.old))
        #expect(added[.acceptEncoding] == ContentDecoder.codingsWithDictionary)
        #expect(request.offeringDictionary.fields[.acceptEncoding] == ContentDecoder.codingsWithDictionary)
        request.fields[.acceptEncoding] = "identity"
        #expect(!transport.addedFields(for: request).contains(.availableDictionary))
        #expect(request.offeringDictionary.dictionary == nil)
        #expect(request.offeringDictionary.fields[.acceptEncoding] == "identity")
    }

    /// The new version, compressed once with the old one.
    private static let encoded = Task { try await DictionaryCodings.dcz(new, with: old) }
}
