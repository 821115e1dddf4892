import GodwitWire
import Testing

@Suite("A5 the answer of an authorization server")
struct AuthorizationResponseTests {
    private static let foreignState = AuthorizationResponse.foreign(
        reason: "the state of the response does not match the request")

    @Test(
        "A5 codes, refusals and foreign answers",
        arguments: [
            ("code=a%2Bb+c&state=s1", .code("a+b c")),
            ("state=s1&code=x&iss=https://auth.example.com", .code("x")),
            ("error=access_denied&state=s1", .refused(error: "access_denied", detail: nil)),
            (
                "error=x&error_description=not+now&state=s1&code=y",
                .refused(error: "x", detail: "not now")
            ),
            ("code=x", foreignState), ("code=x&state=s2", foreignState), ("code=x&state=", foreignState),
            ("code=x&state=s1&state=s1", foreignState), ("", foreignState), ("error=access_denied", foreignState),
            ("state=s1&code=x&iss=https://evil.example.com", .foreign(reason: "the response is from another issuer")),
            ("state=s1", .foreign(reason: "the response has neither a code nor an error")),
            ("state=s1&code=", .foreign(reason: "the response has neither a code nor an error")),
            ("state=s1&code=x&code=y", .foreign(reason: "the response has neither a code nor an error")),
        ] as [(String, AuthorizationResponse)])
    func answers(query: String, answer: AuthorizationResponse) {
        #expect(AuthorizationResponse(query: query, state: "s1", issuer: "https://auth.example.com") == answer)
    }

    @Test(
        "A5 an issuer is checked wherever it is named, and required where the server announces it",
        arguments: [
            ("", false, nil, true), ("", true, nil, false), ("", true, "https://a", false),
            ("", false, "https://a", true),
            ("&iss=https://a", true, "https://a", true), ("&iss=https://a", false, nil, true),
            ("&iss=https://a", true, nil, false), ("&iss=https://b", false, "https://a", false),
            ("&iss=https://a&iss=https://a", false, "https://a", false), ("&iss=", false, "https://a", false),
            ("&iss=https://a/", false, "https://a", false),
        ] as [(String, Bool, String?, Bool)])
    func issuers(query: String, isRequired: Bool, issuer: String?, isAccepted: Bool) {
        for (outcome, expected) in [
            ("code=x", AuthorizationResponse.code("x")), ("error=e", .refused(error: "e", detail: nil)),
        ] {
            let answer = AuthorizationResponse(
                query: "\(outcome)&state=s1\(query)", state: "s1", issuer: issuer, requiresIssuer: isRequired)
            #expect((answer == expected) == isAccepted)
        }
    }
}

@Suite("A5 the head of a loopback redirect")
struct RedirectHeadTests {
    @Test(
        "A5 what browsers send is read",
        arguments: [
            ("GET /?code=1&state=2 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept: */*\r\n\r\n", "/", "code=1&state=2"),
            ("GET /back HTTP/1.0\r\nhost:127.0.0.1:8080\r\n\r\nmore", "/back", ""),
            ("GET /a?b?c HTTP/1.1\r\nX: 1\r\nHOST: \t127.0.0.1:8080\r\n\r\n", "/a", "b?c"),
        ])
    func requests(text: String, path: String, query: String) {
        guard case .request(let request) = RedirectHead(Array(text.utf8)) else { Issue.record("no request"); return }
        #expect(request.method == "GET")
        #expect(request.path == path)
        #expect(request.query == query)
        #expect(request.host == "127.0.0.1:8080")
    }

    @Test(
        "A5 anything else is refused",
        arguments: [
            "\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\nHost: a\r\n\r\n", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "\u{16}\u{3}\u{1} HTTP/1.1\r\n\r\n", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func malformed(text: String) {
        #expect(RedirectHead(Array(text.utf8)) == .malformed)
    }

    @Test("A5 every beginning of a head asks for more, up to the limit")
    func incomplete() {
        let head = Array("GET /?code=1 HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        for count in 0..<head.count { #expect(RedirectHead(Array(head.prefix(count))) == .incomplete) }
        #expect(RedirectHead([UInt8](repeating: 0x41, count: RedirectHead.limit - 1)) == .incomplete)
        #expect(RedirectHead([UInt8](repeating: 0x41, count: RedirectHead.limit)) == .malformed)
        #expect(RedirectHead([0xFF, 0xFE] + Array("\r\n\r\n".utf8)) == .malformed)
    }
}
