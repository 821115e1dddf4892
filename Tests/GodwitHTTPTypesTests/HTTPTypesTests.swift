#if HTTPTypes
import Godwit
import GodwitHTTPTypes
import HTTPTypes
import Testing

/// Messages of swift-http-types as Godwit's, and back.
@Suite("Messages of swift-http-types")
struct HTTPTypesTests {
    @Test("I1 10,000 random requests come back with their method, URL and fields: order, repetitions, case and bytes")
    func requests() throws {
        var random = RandomMessages(seed: 1)
        var count = 0
        while count < 10_000 {
            guard let original = random.request() else { continue }
            let own = try Godwit.HTTPRequest(original, body: "x")
            let back = try HTTPTypes.HTTPRequest(own)
            let again = try Godwit.HTTPRequest(back)
            let isSame = back == original && back.headerFields.exact == original.headerFields.exact
            let isStable = again.url == own.url && again.method == own.method && again.fields == own.fields
            let names = original.headerFields.map(\.name.rawName)
            try #require(isSame && isStable && own.fields.map(\.name.rawName) == names, "\(original.debugDescription)")
            count += 1
        }
    }

    @Test("I1 10,000 random responses and trailers come back with their status and fields")
    func responses() throws {
        var random = RandomMessages(seed: 2)
        for _ in 0..<10_000 {
            let original = random.response()
            let own = try HTTPResponseHead(original)
            let back = try HTTPTypes.HTTPResponse(own)
            let trailers = random.fields()
            let isSame = own.status.code == original.status.code && back == original
            let areFieldsSame = back.headerFields.exact == original.headerFields.exact
            let backTrailers = try HTTPTypes.HTTPFields(Godwit.HTTPFields(trailers))
            try #require(
                isSame && areFieldsSame && backTrailers.exact == trailers.exact, "\(original.debugDescription)")
        }
    }

    @Test(
        "I1 a field that can't be sent is an error: a name that isn't a token, a line break, whitespace around a value")
    func fields() {
        #expect(throws: HTTPTypesConversionError.fieldName("no name")) {
            try HTTPTypes.HTTPFields(Godwit.HTTPFields(dictionaryLiteral: ("no name", "x")))
        }
        #expect(throws: HTTPTypesConversionError.fieldValue(name: "X-Note")) {
            try HTTPTypes.HTTPFields(["X-Note": "one\r\ntwo"] as Godwit.HTTPFields)
        }
        var padded = HTTPTypes.HTTPFields()
        padded.append(HTTPTypes.HTTPField(name: .accept, lenientValue: Array(" x".utf8)))
        #expect(throws: HTTPTypesConversionError.fieldValue(name: "Accept")) { try Godwit.HTTPFields(padded) }
    }

    @Test(
        "I1 a request without an equal is an error that names the reason",
        arguments: [
            ("https", "example.com", nil, .missingPseudoField(":path")),
            ("https", nil, "/", .missingPseudoField(":authority")),
            (nil, "example.com", "/", .missingPseudoField(":scheme")),
            ("https", "example.com", "*", .url(reason: "the path must start with \"/\"")),
            ("https", "example.com", "/a/../b", .urlChanges(to: "https://example.com/b")),
            ("https", "example.com", "/é", .urlChanges(to: "https://example.com/%C3%A9")),
            ("https", "bücher.example", "/", .urlChanges(to: "https://xn--bcher-kva.example/")),
        ] as [(String?, String?, String?, HTTPTypesConversionError)])
    func requests(scheme: String?, authority: String?, path: String?, error: HTTPTypesConversionError) {
        let request = HTTPTypes.HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        #expect(throws: error) { try Godwit.HTTPRequest(request) }
    }

    @Test("I1 a scheme that isn't HTTP, credentials, an extended CONNECT and a status below 100 are errors")
    func rejected() throws {
        for (scheme, authority) in [("ftp", "example.com"), ("https", "a:b@example.com"), ("https", "")] {
            let request = HTTPTypes.HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
            #expect(throws: HTTPTypesConversionError.self) { try Godwit.HTTPRequest(request) }
        }
        var tunnel = HTTPTypes.HTTPRequest(method: .connect, scheme: "https", authority: "example.com", path: "/")
        tunnel.extendedConnectProtocol = "websocket"
        #expect(throws: HTTPTypesConversionError.pseudoField(":protocol")) { try Godwit.HTTPRequest(tunnel) }
        #expect(throws: HTTPTypesConversionError.status(42)) {
            try HTTPResponseHead(HTTPTypes.HTTPResponse(status: .init(code: 42)))
        }
    }

    @Test("I1 a host in capitals and a default port take their usual form")
    func normalForm() throws {
        let request = HTTPTypes.HTTPRequest(method: .get, scheme: "https", authority: "EXAMPLE.com:443", path: "/A")
        #expect(try Godwit.HTTPRequest(request).url.absoluteString == "https://example.com/A")
    }
}
#endif
