import GodwitSupport
@testable import GodwitWire
import Testing

@Suite("B9 the grammar of uploads")
struct UploadGrammarTests {
    @Test(
        "B9 an offset is a number that fits, or nothing",
        arguments: [
            ("0", 0, 0), ("300000", 300_000, 300_000), ("9223372036854775807", .max, nil),
            ("9223372036854775808", nil, nil), ("999999999999999", 999_999_999_999_999, 999_999_999_999_999),
            ("-1", nil, nil), ("+1", nil, nil), ("", nil, nil), ("1 2", nil, nil), ("1;a=2", nil, 1), (" 7 ", 7, 7),
            ("٣", nil, nil),
        ] as [(String, Int64?, Int64?)])
    func offsets(text: String, tus: Int64?, draft: Int64?) {
        let fields: HTTPFields = [.uploadOffset: text]
        #expect(UploadReport(fields, .tus, now: Date()).offset == tus)
        #expect(UploadReport(fields, .ietf, now: Date()).offset == draft)
    }

    @Test("B9 contradictory fields say nothing")
    func contradiction() {
        let fields: HTTPFields = [.uploadOffset: "1", .uploadOffset: "2"]
        #expect(UploadReport(fields, .tus, now: Date()).offset == nil)
    }

    @Test("B9 completeness and limits are structured fields", arguments: [("?1", true), ("?0;x", false), ("1", nil)])
    func completeness(text: String, expected: Bool?) {
        let fields: HTTPFields = [
            .uploadComplete: text,
            .uploadLimit: "max-size=10, max-append-size=0, min-append-size=3;a, max-age=60, other=\"x\", max-size=12",
        ]
        let now = Date(timeIntervalSince1970: 0)
        let report = UploadReport(fields, .ietf, now: now)
        #expect(report.isComplete == expected)
        #expect(report.limits?.maximumSize == 12)
        #expect(report.limits?.maximumAppend == nil)
        #expect(report.limits?.minimumAppend == 3)
        #expect(report.expires == Date(timeIntervalSince1970: 60))
        #expect(UploadReport(fields, .tus, now: now).isComplete == nil)
    }

    @Test("B9 a tus server names its version, extensions and the strongest digest")
    func server() throws {
        let fields: HTTPFields = [
            .tusResumable: "1.0.0", .tusVersion: "1.0.0,0.2.2", .tusExtension: "creation, checksum,unheard-of",
            .tusMaxSize: "1000", .tusChecksumAlgorithm: "md5, SHA1,sha256",
        ]
        let server = try #require(TusServer(fields))
        #expect(server.extensions == [.creation, .checksum])
        #expect(server.maximumSize == 1000)
        #expect(server.checksum == .sha256)
        #expect(TusServer([.tusVersion: "2.0.0"]) == nil)
        #expect(TusServer([:]) == nil)
    }

    @Test("B9 metadata is base64 by name, and what can't be read is left out")
    func metadata() {
        let value = TusMetadata.value(["filename": "tide ä.mp4", "empty": "", "a b": "x"])
        #expect(value == "empty,filename dGlkZSDDpC5tcDQ=")
        #expect(TusMetadata.parse(value ?? "") == ["empty": "", "filename": "tide ä.mp4"])
        #expect(TusMetadata.parse("a !!,b /w==,, ,c eA==") == ["c": "x"])
        #expect(TusMetadata.value([:]) == nil)
    }

    @Test("B9 a checksum is an algorithm and base64")
    func checksum() {
        let digest = SHA256.digest(Array("x".utf8))
        let parsed = TusChecksum.parse(TusChecksum.sha256.value(of: digest))
        #expect(parsed?.0 == .sha256 && parsed?.1 == digest)
        #expect(TusChecksum.parse("md5 eA==") == nil)
        #expect(TusChecksum.parse("sha1") == nil)
    }
}
