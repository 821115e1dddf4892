import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("K1 C1 B7 Bytes of field values", .timeLimit(.minutes(15)))
struct FieldByteTests {
    /// A response with these field lines, whose bytes above 0x7F are not UTF-8.
    private static func response(_ lines: String, status: String = "200 OK", body: String = "tide") -> Data {
        let head = "HTTP/1.1 \(status)\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n"
        return Data(head.unicodeScalars.map { UInt8($0.value) }) + Data(body.utf8)
    }

    private static func bytes(_ request: MockRequest, _ name: HTTPField.Name) -> [UInt8]? {
        request.fields[name].map(FieldText.bytes)
    }

    private static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    @Test("K1 a cookie's bytes above 0x7F go back as they came, UTF-8 or not, also after they were on disk")
    func cookies() async throws {
        let server = try await MockServer { request in
            .raw(
                Self.response(
                    request.target == "/set"
                        ? "Set-Cookie: a=\u{E9}\r\nSet-Cookie: b=\u{C3}\u{A9}\u{FF}; Max-Age=999\r\n" : ""))
        }
        let folder = TemporaryFolder()
        let file = CookieFile(folder.url.appending(path: "jar"), keepsSessionCookies: true)
        let jar = try CookieJar(file: file)
        let client = APIClient(baseURL: server.url) { $0.cookies = .jar(jar) }
        try await client.send(Endpoint<Void>.get("set"))
        try await client.send(Endpoint<Void>.get("see"))
        try jar.save()
        let later = APIClient(baseURL: server.url) { $0.cookies = .jar((try? CookieJar(file: file)) ?? CookieJar()) }
        try await later.send(Endpoint<Void>.get("see"))
        for request in server.requests.dropFirst() {
            #expect(Self.bytes(request, .cookie) == Self.latin1("a=\u{E9}; b=\u{C3}\u{A9}\u{FF}"))
        }
        await server.stop()
    }

    @Test("C1 a validation sends the entity tag's bytes, from memory and from disk")
    func validation() async throws {
        let tag = "\"\u{E9}-\u{EE}\u{BE}\u{80}\""
        let server = try await MockServer { request in
            let isValid = Self.bytes(request, .ifNoneMatch) == Self.latin1(tag)
            return .raw(
                Self.response(
                    "ETag: \(tag)\r\nCache-Control: no-cache\r\n", status: isValid ? "304 Not Modified" : "200 OK",
                    body: isValid ? "" : "tide"))
        }
        let folder = TemporaryFolder()
        for cache in [CacheSetting.memory(limit: 1 << 20), try .disk(folder.url)] {
            let client = APIClient(baseURL: server.url) { $0.cache = cache }
            for _ in 0..<2 { #expect(try await client.send(Endpoint<String>.get("tide")) == "tide") }
            #expect(server.requests.last.flatMap { Self.bytes($0, .ifNoneMatch) } == Self.latin1(tag))
        }
        await server.stop()
    }

    @Test("U7 what a caller copies of a response goes back unchanged: an entity tag, a location, a link")
    func copied() async throws {
        let server = try await MockServer { request in
            switch request.target {
            case "/tide": .raw(Self.response("ETag: \"\u{E9}\"\r\nLocation: /caf\u{E9}\r\nX-Name: caf\u{E9}\r\n"))
            default: .text("ok")
            }
        }
        let client = APIClient(baseURL: server.url)
        let head = try await client.response(for: Endpoint<String>.get("tide")).head
        #expect(head.fields["X-Name"] == "caf\u{E9}" && "\(head.fields)".contains("ETag: \"\u{E9}\""))
        let tag = try #require(head.fields[.etag])
        try await client.send(Endpoint<Void>.get("next").header(.ifMatch, tag))
        #expect(server.requests.last.flatMap { Self.bytes($0, .ifMatch) } == [0x22, 0xE9, 0x22])
        let place = try server.url.resolving(try #require(head.fields[.location]))
        #expect(place.path == "/caf%e9")
        await server.stop()
    }

    @Test("B7 a download that resumes sends the validator's bytes")
    func resumption() async throws {
        let tag = "\"\u{E9}\""
        let server = try await MockServer { request in
            guard request.fields[.range] != nil else {
                return .raw(
                    Data("HTTP/1.1 200 OK\r\nETag: ".utf8) + Data(Self.latin1(tag))
                        + Data("\r\nAccept-Ranges: bytes\r\nContent-Length: 8\r\n\r\nhigh".utf8))
            }
            let isSame = Self.bytes(request, .ifRange) == Self.latin1(tag)
            return .raw(
                Self.response(
                    "ETag: \(tag)\r\nContent-Range: bytes 4-7/8\r\n", status: isSame ? "206 Partial Content" : "412 No",
                    body: "tide"))
        }
        let folder = TemporaryFolder()
        let download = APIClient(baseURL: server.url).download(.get("a.txt"), to: folder.url)
        let file = try await download.file
        #expect(try String(contentsOf: file, encoding: .utf8) == "hightide")
        await server.stop()
    }
}
