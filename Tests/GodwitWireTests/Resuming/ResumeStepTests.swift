import GodwitSupport
import GodwitWire
import Testing

@Suite("B7 what an answer to a range means")
struct ResumeStepTests {
    @Test(
        "B7 Content-Range is read, or is nothing",
        arguments: [
            ("bytes 0-9/10", 0..<10, 10), ("bytes 5-9/*", 5..<10, nil), ("BYTES 5-5/6", 5..<6, 6),
            ("bytes */7", nil, 7),
        ] as [(String, Range<Int64>?, Int64?)])
    func range(text: String, bytes: Range<Int64>?, total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.bytes == bytes && range.total == total)
    }

    @Test(
        "B7 a Content-Range that contradicts itself is none",
        arguments: [
            "", "bytes", "bytes */*", "bytes 5-4/10", "bytes 5-10/10", "items 0-1/2", "bytes 0-1", "bytes a-b/c",
            "bytes -1-2/3", "bytes 0-99999999999999999999/*", "bytes 0-1/2/3", "bytes +0-1/2",
        ])
    func noRange(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test(
        "B7 the answer decides what becomes of what is there",
        arguments: [
            (200, [:], .replace),
            (206, [.contentRange: "bytes 5-9/10", .etag: "\"a\""], .append(5..<10, total: 10)),
            (206, [.contentRange: "bytes 5-7/10", .etag: "\"a\""], .append(5..<8, total: 10)),
            (206, [.contentRange: "bytes 5-9/*", .etag: "\"a\""], .append(5..<10, total: 10)),
            // Without the same strong validator nothing is joined (RFC 9110 section 15.3.7.3).
            (206, [.contentRange: "bytes 5-9/10"], .startOver),
            (206, [.contentRange: "bytes 5-9/10", .etag: "W/\"a\""], .startOver),
            (206, [.contentRange: "bytes 4-9/10", .etag: "\"a\""], .startOver),
            (206, [.contentRange: "bytes 5-10/11", .etag: "\"a\""], .startOver),
            (206, [.contentRange: "bytes 5-9/10", .etag: "\"b\""], .startOver),
            (206, [:], .startOver),
            (416, [.contentRange: "bytes */4"], .startOver),
            (416, [.contentRange: "bytes */5"], .startOver),
            (416, [:], .startOver),
            (412, [:], .startOver),
        ] as [(Int, HTTPFields, ResumeStep)])
    func steps(status: Int, fields: HTTPFields, step: ResumeStep) throws {
        let status = try #require(HTTPStatus(status))
        #expect(ResumeStep(offset: 5, total: 10, validator: .etag("\"a\""), status: status, fields: fields) == step)
    }

    @Test(
        "B7 a 416 of the size that is there completes it, where nothing says otherwise",
        arguments: [
            ([.contentRange: "bytes */5"], .complete), ([.contentRange: "bytes */5", .etag: "\"a\""], .complete),
            ([.contentRange: "bytes */5", .etag: "\"b\""], .startOver), ([.contentRange: "bytes */6"], .startOver),
        ] as [(HTTPFields, ResumeStep)])
    func complete(fields: HTTPFields, step: ResumeStep) {
        #expect(
            ResumeStep(
                offset: 5, total: nil, validator: .etag("\"a\""), status: .rangeNotSatisfiable, fields: fields) == step)
    }

    @Test("B7 a part that nobody asked for is refused")
    func unasked() {
        let step = ResumeStep(offset: 0, total: nil, validator: nil, status: .partialContent, fields: [:])
        guard case .refuse = step else { Issue.record("\(step)"); return }
    }

    @Test(
        "B7 only strong validators count (RFC 9110 section 13.1.5)",
        arguments: [
            ([.etag: "\"a\""], "\"a\""), ([.etag: "W/\"a\""], nil), ([.etag: "a"], nil), ([:], nil),
            (
                [
                    .etag: "W/\"a\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
                    .date: "Mon, 07 Nov 1994 08:49:37 GMT",
                ], nil
            ),
            (
                [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Sun, 06 Nov 1994 08:49:38 GMT"],
                "Sun, 06 Nov 1994 08:49:37 GMT"
            ),
            ([.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
            ([.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
        ] as [(HTTPFields, String?)])
    func validators(fields: HTTPFields, condition: String?) {
        #expect(ResumeValidator(fields)?.condition == condition)
    }

    @Test(
        "B5 Repr-Digest names a SHA-256, or none (RFC 9530)",
        arguments: [
            ("sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:", true),
            ("sha-512=:AAAA:, sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:;x=1", true),
            ("sha-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", false), ("sha-256=:AAAA:", false),
            ("md5=:AAAA:", false),
        ])
    func digest(field: String, isRead: Bool) {
        #expect(DigestField.sha256(in: .reprDigest, of: [.reprDigest: field]) == (isRead ? SHA256.digest([]) : nil))
    }
}
