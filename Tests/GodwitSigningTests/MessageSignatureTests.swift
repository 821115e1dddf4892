import Godwit
import GodwitSigning
import GodwitTesting
import GodwitWire
import Testing

@Suite("Message signatures of responses")
struct MessageSignatureTests {
    private static let time = Date(timeIntervalSince1970: 1_618_884_473)
    private static let key = SigningKey(sharedSecret: Data("secret-1".utf8), id: "k1")

    /// A server's response to a request, signed with the fields that it returns.
    private static func response(
        _ components: [SignatureComponent], algorithm: String? = nil, expires: Date? = nil,
        changing change: (inout HTTPFields) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        let request = SignedRequest(.get, try HTTPURL("https://a.example/x"), [.accept: "text/plain"])
        var fields: HTTPFields = [.contentType: "text/plain", "X-Note": "n"]
        let parameters = SignatureParameters(components, created: time, algorithm: algorithm, expires: expires)
        let base = try parameters.base(of: .response(.ok, fields, to: request))
        try SignatureFields(label: "sig1", parameters: parameters, bytes: Array(try key.signature(of: base)))
            .add(to: &fields)
        change(&fields)
        let answer = MockResponse.text("fine")
        let mock = MockTransport { [fields] route in
            route.get("/x").reply(fields.reduce(answer) { $0.field($1.name, $1.value) })
        }
        return try await mock.send(HTTPRequest(url: request.url, fields: request.fields))
    }

    private static let covered: [SignatureComponent] = [.status, .field("X-Note"), .method.ofRequest]

    @Test("A8 a response's signature is verified with the request that it answers")
    func valid() async throws {
        let response = try await Self.response(Self.covered + [.field(.accept).ofRequest])
        let signature = try #require(try MessageSignature.all(in: response.head.fields).first)
        #expect(signature.label == "sig1" && signature.parameters.created == Self.time)
        try signature.verify(response, with: Self.key.verificationKey, covering: Self.covered, at: Self.time)
    }

    @Test(
        "A8 a signature that covers less, has expired, or is for something else doesn't count",
        arguments: [
            ("coverage", "it doesn't cover \"@method\";req"), ("expiry", "it has expired"),
            ("algorithm", "it isn't made with hmac-sha256"), ("field", "it doesn't match the message"),
            ("key", "it doesn't match the message"), ("removed", "the message has no \"x-note\""),
        ])
    func invalid(_ what: String, reason: String) async throws {
        let components = what == "coverage" ? Array(Self.covered.dropLast()) : Self.covered
        let response = try await Self.response(
            components, algorithm: what == "algorithm" ? "ed25519" : nil, expires: what == "expiry" ? Self.time : nil
        ) {
            if what == "field" { $0["X-Note"] = "m" }
            if what == "removed" { $0["X-Note"] = nil }
        }
        let signature = try #require(try MessageSignature.all(in: response.head.fields).first)
        let key = what == "key" ? VerificationKey(sharedSecret: Data("other".utf8)) : Self.key.verificationKey
        let error = #expect(throws: NetworkError.self) {
            try signature.verify(response, with: key, covering: Self.covered, at: Self.time)
        }
        #expect(error?.kind == .invalidResponse(reason: "the message signature is invalid: \(reason)"))
    }

    @Test("A8 a request is verified as well, and malformed fields are refused")
    func requests() throws {
        var request = try HTTPRequest(url: "https://a.example/x")
        let parameters = SignatureParameters([.method, .targetURI])
        let base = try parameters.base(of: .request(SignedRequest(.get, request.url, [:])))
        try SignatureFields(label: "s", parameters: parameters, bytes: Array(try Self.key.signature(of: base)))
            .add(to: &request.fields)
        let signature = try #require(try MessageSignature.all(in: request.fields).first)
        try signature.verify(request, with: Self.key.verificationKey, covering: [.method, .targetURI])
        request.method = .delete
        #expect(throws: NetworkError.self) {
            try signature.verify(request, with: Self.key.verificationKey, covering: [.method])
        }
        #expect(throws: NetworkError.self) { try MessageSignature.all(in: [.signature: "s=:AA==:"]) }
    }
}
