import GodwitCore
import GodwitOAuth
import GodwitSigning
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

@Suite("A7 proofs of possession (DPoP)")
struct DPoPTests {
    private static let time = Date(timeIntervalSince1970: 1_562_262_616)

    private let dpop: DPoP

    init() throws {
        dpop = DPoP(try DPoPKey(), now: { Self.time })
    }

    private func oauth(_ mock: MockTransport, _ dpop: DPoP?) throws -> OAuth2 {
        let server = OAuthServer(
            tokenURL: try HTTPURL("https://auth.example.com/token"),
            authorizationURL: try HTTPURL("https://auth.example.com/authorize"))
        return OAuth2(server, client: OAuthClient(id: "reader", secret: "hidden-1"), over: mock, dpop: dpop)
    }

    private static let answer = MockResponse.json(["access_token": "at", "token_type": "DPoP"])
    private static let nonceNeeded = MockResponse.json(["error": "use_dpop_nonce"], status: .badRequest)

    @Test("A7 the thumbprint of a key is that of RFC 9449 section 6.1")
    func thumbprint() {
        let jwk = JWK(
            x: "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs", y: "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")
        #expect(jwk.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test("A7 a request with a bound token gets a proof for its method, URL and token")
    func proof() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("fine")) }
        let request = try HTTPRequest(
            method: .put, url: "https://api.example.com/a%20b?page=1", fields: [.authorization: "DPoP token-1"])
        for _ in 0..<2 { _ = try await Chain([dpop], over: mock).send(request) }
        let proofs = try mock.requests.map { try Proof(#require($0.fields["DPoP"])) }
        #expect(proofs.allSatisfy { $0.isSigned })
        let proof = try #require(proofs.first)
        #expect(proof.header["typ"] == "dpop+jwt" && proof.header["alg"] == "ES256")
        #expect(proof.header["jwk"]?["d"] == nil)
        #expect(proof.claims["htm"] == "PUT" && proof.claims["htu"] == "https://api.example.com/a%20b")
        #expect(proof.claims["iat"] == 1_562_262_616)
        #expect(proof.claims["ath"]?.string == Base64URL.encode(SHA256.digest("token-1".utf8)))
        #expect(proof.claims["nonce"] == nil)
        #expect(proof.claims["jti"] != proofs[1].claims["jti"])
    }

    @Test("A7 other requests pass unchanged", arguments: [nil, "Bearer t", "DPoP", "DPoP ", "Basic DPoP"])
    func others(authorization: String?) async throws {
        let mock = MockTransport { $0.any("*").reply(.text("fine")) }
        var request = try HTTPRequest(url: "https://api.example.com/")
        request.fields[.authorization] = authorization
        _ = try await Chain([dpop], over: mock).send(request)
        #expect(mock.requests.first?.fields["DPoP"] == nil)
    }

    @Test("A7 a token endpoint that needs a nonce gets one, once, and the next request has its last one")
    func tokenNonce() async throws {
        let mock = MockTransport {
            $0.post("/token").replies([
                Self.nonceNeeded.field("DPoP-Nonce", "n1"), Self.answer.field("DPoP-Nonce", "n2"), Self.answer,
                Self.nonceNeeded.field("DPoP-Nonce", "n3"), Self.nonceNeeded.field("DPoP-Nonce", "n4"),
            ])
        }
        let oauth = try oauth(mock, dpop)
        #expect(try await oauth.clientCredentials().token.type == "DPoP")
        _ = try await oauth.clientCredentials()
        let error = await #expect(throws: NetworkError.self) { try await oauth.clientCredentials() }
        #expect((error?.underlying as? OAuthError)?.code == "use_dpop_nonce")
        let nonces = try mock.requests.map { try Proof(#require($0.fields["DPoP"])).claims["nonce"]?.string }
        #expect(nonces == [nil, "n1", "n2", "n2", "n3"])
        let proofs = try mock.requests.map { try Proof(#require($0.fields["DPoP"])) }
        #expect(proofs.allSatisfy { $0.claims["ath"] == nil && $0.isSigned })
        #expect(Set(proofs.map { $0.claims["jti"]?.string }).count == 5)
    }

    private static func refusal(_ nonce: String?, error: String = "use_dpop_nonce") -> MockResponse {
        let refusal = MockResponse.status(.unauthorized).field(.wwwAuthenticate, "DPoP error=\"\(error)\"")
        return nonce.map { refusal.field("DPoP-Nonce", $0) } ?? refusal
    }

    @Test("A7 a resource server's nonce is another than the authorization server's, and asked for once a request")
    func resourceNonce() async throws {
        let mock = MockTransport {
            $0.post("/token").reply(Self.answer.field("DPoP-Nonce", "as"))
            $0.get("/x").replies([Self.refusal("r1"), .text("fine"), Self.refusal("r2"), Self.refusal("r3")])
        }
        _ = try await oauth(mock, dpop).clientCredentials()
        let request = try HTTPRequest(url: "https://auth.example.com/x", fields: [.authorization: "dpop t"])
        let first = try await Chain([dpop], over: mock).send(request)
        #expect(first.head.status == .ok && first.metrics.attempt == 2)
        let second = try await Chain([dpop], over: mock).send(request)
        #expect(second.head.status == .unauthorized && second.metrics.attempt == 2)
        let nonces = try mock.requests.dropFirst().map {
            try Proof(#require($0.fields["DPoP"])).claims["nonce"]?.string
        }
        #expect(nonces == [nil, "r1", "r1", "r2"])
    }

    @Test(
        "A7 a request isn't sent again for another refusal, or without a nonce that can be used",
        arguments: [
            (refusal("n", error: "invalid_token"), nil), (refusal(nil), nil), (refusal("a b"), nil),
            (refusal("a\"b"), nil), (refusal(String(repeating: "n", count: 2000)), nil),
        ] as [(MockResponse, String?)])
    func noRetry(_ answer: MockResponse, _: String?) async throws {
        let mock = MockTransport { $0.any("*").reply(answer) }
        let request = try HTTPRequest(url: "https://api.example.com/", fields: [.authorization: "DPoP t"])
        _ = try await Chain([dpop], over: mock).send(request)
        #expect(mock.requestCount == 1)
    }

    @Test("A7 a body that can be read once isn't sent again for a nonce")
    func onceOnly() async throws {
        let mock = MockTransport { $0.any("*").reply(Self.refusal("n")) }
        let body = HTTPBody.stream(once: AsyncStream<Data> { $0.finish() })
        let request = try HTTPRequest(
            method: .post, url: "https://api.example.com/", fields: [.authorization: "DPoP t"], body: body)
        #expect(try await Chain([dpop], over: mock).send(request).head.status == .unauthorized)
        #expect(mock.requestCount == 1)
    }

    @Test("A7 a bound token needs a key, and a server without DPoP grants a bearer token")
    func types() async throws {
        let bound = MockTransport { $0.post("/token").reply(Self.answer) }
        let error = await #expect(throws: NetworkError.self) { try await oauth(bound, nil).clientCredentials() }
        guard case .decoding(let failure) = error?.kind else { Issue.record("\(error as Any)"); return }
        #expect(failure.reason.contains("OAuth2(dpop:)"))
        #expect(bound.requests.first?.fields["DPoP"] == nil)
        let plain = MockTransport { $0.post("/token").reply(json: ["access_token": "at", "token_type": "Bearer"]) }
        #expect(try await oauth(plain, dpop).clientCredentials().token.type == "Bearer")
    }

    @Test("A7 the page of a sign-in names the key")
    func page() throws {
        let request = try oauth(MockTransport { _ in }, dpop).authorizationRequest(redirect: "com.example:/back")
        #expect(request.url.query?.contains("dpop_jkt=\(dpop.key.thumbprint)") == true)
    }

    @Test("A7 S7 the key is made once, and kept in a file that only its owner can read")
    func stored() async throws {
        let folder = TemporaryFolder()
        let store = FileTokenStore(at: folder.url.appending(path: "key"))
        let first = try await DPoPKey.stored(in: store)
        #expect(try await DPoPKey.stored(in: store) == first)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.appending(path: "key").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try store.save(AccessToken(access: "t"))
        let error = await #expect(throws: NetworkError.self) { try await DPoPKey.stored(in: store) }
        guard case .invalidRequest = error?.kind else { Issue.record("\(error as Any)"); return }
        try Data("x".utf8).write(to: folder.url.appending(path: "key"))
        let damaged = await #expect(throws: NetworkError.self) { try await DPoPKey.stored(in: store) }
        guard case .file = damaged?.kind else { Issue.record("\(damaged as Any)"); return }
        #expect(throws: NetworkError.self) { try DPoPKey(pem: "tides") }
    }

    @Test("A7 S6 no text shows a key or a proof")
    func secrecy() async throws {
        let mock = MockTransport { $0.any("*").reply(Self.nonceNeeded) }
        let error = await #expect(throws: NetworkError.self) { try await oauth(mock, dpop).clientCredentials() }
        let proof = try #require(mock.requests.first?.fields["DPoP"])
        let lines = Watched<[String]>([])
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.authentication = .credential { AccessToken(access: "hidden-2", type: "DPoP") }
            $0.attemptMiddleware.append(dpop)
            $0.logging.level = .headers
            $0.logging.destination = { line in lines.update { $0.append(line) } }
        }
        let refused = await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Void>.get("x")) }
        let second = try #require(mock.requests.last?.fields["DPoP"])
        var text = lines.value.joined() + "\(error as Any) \(refused as Any) \(dpop.key)"
        for value in [error as Any, refused as Any, dpop.key] { dump(value, to: &text) }
        #expect(text.contains("DPoP"))
        for secret in [proof, second, "hidden", "PRIVATE KEY"] { #expect(!text.contains(secret)) }
    }
}

/// A proof, taken apart by rules of its own.
private struct Proof {
    let header: JSONValue
    let claims: JSONValue
    let isSigned: Bool

    init(_ text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        header = try #require(JSONValue(parsing: Self.bytes(parts[0])))
        claims = try #require(JSONValue(parsing: Self.bytes(parts[1])))
        // The only form of a P-256 key in DER, up to its two coordinates.
        let prefix = try #require(Data(base64Encoded: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"))
        let point = try Self.bytes(header["jwk"]?["x"]?.string ?? "") + Self.bytes(header["jwk"]?["y"]?.string ?? "")
        let pem = "-----BEGIN PUBLIC KEY-----\n\((prefix + point).base64EncodedString())\n-----END PUBLIC KEY-----\n"
        isSigned = try VerificationKey(pem: pem).isValid(
            Self.bytes(parts[2]), of: Data("\(parts[0]).\(parts[1])".utf8))
    }

    private static func bytes(_ text: String) throws -> Data {
        var plain = text.replacing("-", with: "+").replacing("_", with: "/")
        while plain.utf8.count % 4 != 0 { plain += "=" }
        return try #require(Data(base64Encoded: plain))
    }
}
