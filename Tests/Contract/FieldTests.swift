import Godwit
import GodwitTesting
import PeerSupport
import Testing

@Suite("Contract: what is refused before it is sent", .timeLimit(.minutes(15)))
struct FieldTests {
    @Test(
        "U7 CR, LF and NUL in a value are refused and nothing is sent", arguments: Subject.allCases,
        ["a\r\nX-Injected: 1", "a\nb", "a\rb", "a\u{0}b", "\r\n\r\nGET /x HTTP/1.1"])
    func values(_ subject: Subject, _ value: String) async throws {
        try await expectRefused(subject, words: ["X-Value", "CR, LF or NUL"]) { $0.fields["X-Value"] = value }
    }

    @Test(
        "U7 an invalid field name is refused, and nothing is sent", arguments: Subject.allCases,
        ["", "a b", "a:b", "a\r\nb", "ä", "a\u{0}", "(a)"])
    func names(_ subject: Subject, _ name: String) async throws {
        try await expectRefused(subject, words: ["is not a field name"]) {
            $0.fields.append("1", for: HTTPField.Name(stringLiteral: name))
        }
    }

    @Test(
        "U8 fields that the transport writes are refused, and the error says so", arguments: Subject.allCases,
        ["Content-Length", "transfer-encoding", "HOST", "Connection", "Keep-Alive", "Upgrade", "TE", "Trailer"])
    func reserved(_ subject: Subject, _ name: String) async throws {
        try await expectRefused(subject, words: [name, "written by the transport; leave it out"]) {
            $0.fields[HTTPField.Name(stringLiteral: name)] = "1"
        }
    }

    @Test("K1 several Cookie fields are sent as one", arguments: Subject.allCases)
    func cookies(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let request = HTTPRequest(url: server.url, fields: [.cookie: "a=1", .accept: "*/*", "cookie": "b=2"])
        _ = try await subject.make().send(request)
        #expect(server.requests.first?.fields.values(of: .cookie) == ["a=1; b=2"])
    }

    @Test("T1 a HEAD request with a body, and CONNECT, are refused with a reason", arguments: Subject.allCases)
    func methods(_ subject: Subject) async throws {
        try await expectRefused(subject, words: ["HEAD", "body"]) {
            $0.method = .head
            $0.body = "x"
        }
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let error = await (try subject.make()).failure(of: .get(server.url) { $0.method = .connect })
        #expect(error?.shortDescription == "unsupported")
        #expect(server.requestCount == 0)
    }

    private func expectRefused(
        _ subject: Subject, words: [String], _ location: SourceLocation = #_sourceLocation,
        _ change: (inout HTTPRequest) -> Void
    ) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        let error = await transport.failure(of: .get(server.url, .buffered, change))
        #expect(error?.shortDescription == "invalid_request", sourceLocation: location)
        #expect(error?.phase == .building, sourceLocation: location)
        for word in words {
            #expect(
                error?.description.contains(word) == true, "\(String(describing: error))", sourceLocation: location)
        }
        #expect(server.connectionCount == 0, sourceLocation: location)
        #expect(try await transport.stillWorks(with: server), sourceLocation: location)
    }
}
