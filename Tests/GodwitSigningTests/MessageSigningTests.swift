import Godwit
import GodwitSigning
import GodwitTesting
import Testing

@Suite("Message signatures of requests")
struct MessageSigningTests {
    private static let time = Date(timeIntervalSince1970: 1_618_884_473)
    private static let key = SigningKey(sharedSecret: Data("hidden-1".utf8), id: "k1")

    private let mock = MockTransport { $0.any("*").reply(.text("fine")) }

    /// The request that a signing sends.
    @discardableResult
    private func sent(_ request: HTTPRequest, _ signing: MessageSigning) async throws -> MockRequest {
        _ = try await Chain([signing], over: mock).send(request)
        return try #require(mock.requests.last)
    }

    private static func signing(
        _ origins: String = "https://a.example", _ configure: (inout MessageSigning.Options) -> Void = { _ in }
    ) -> MessageSigning {
        MessageSigning(key, for: origins) {
            $0.now = { time }
            configure(&$0)
        }
    }

    @Test("A8 by default a signature covers method, URL and body")
    func defaults() async throws {
        let get = try await sent(try HTTPRequest(url: "https://a.example/x?y=1"), Self.signing())
        #expect(
            get.fields[.signatureInput] == "sig1=(\"@method\" \"@target-uri\");created=1618884473;keyid=\"k1\"")
        #expect(get.fields[.contentDigest] == nil)
        let post = try HTTPRequest(method: .post, url: "https://a.example/x", body: "")
        let sent = try await sent(post, Self.signing())
        #expect(sent.fields[.contentDigest] == "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:")
        #expect(
            sent.fields[.signatureInput]?.hasPrefix("sig1=(\"@method\" \"@target-uri\" \"content-digest\")") == true)
    }

    @Test("A8 the options appear in the signature")
    func options() async throws {
        let signing = Self.signing {
            $0.components = [.authority, .field("X-Note"), .queryParameter("y")]
            $0.coversBody = false
            $0.label = "app"
            $0.lifetime = .seconds(60)
            $0.hasNonce = true
            $0.namesAlgorithm = true
            $0.tag = "tests"
        }
        let request = try HTTPRequest(
            method: .post, url: "https://a.example/x?y=1", fields: ["X-Note": "n"], body: "b")
        let (first, second) = (try await sent(request, signing), try await sent(request, signing))
        let input = try #require(first.fields[.signatureInput])
        #expect(
            input.hasPrefix(
                "app=(\"@authority\" \"x-note\" \"@query-param\";name=\"y\");created=1618884473;keyid=\"k1\";"))
        #expect(input.contains(";alg=\"hmac-sha256\";expires=1618884533;nonce=\"") && input.hasSuffix(";tag=\"tests\""))
        #expect(input != second.fields[.signatureInput])
        #expect(first.fields[.contentDigest] == nil)
    }

    @Test("A8 requests to other origins pass unsigned, and an invalid origin fails each call")
    func origins() async throws {
        for url in ["https://b.example/", "https://a.example:8443/"] {
            let sent = try await sent(try HTTPRequest(url: url), Self.signing())
            #expect(sent.fields[.signature] == nil)
        }
        let error = await #expect(throws: NetworkError.self) {
            try await sent(try HTTPRequest(url: "https://a.example/"), Self.signing("a.example"))
        }
        guard case .invalidURL = error?.kind else { Issue.record("\(error as Any)"); return }
        let plain = await #expect(throws: NetworkError.self) {
            try await sent(try HTTPRequest(url: "http://a.example/"), Self.signing("http://a.example"))
        }
        #expect(plain?.kind == .insecure(.plaintext(host: "a.example")))
    }

    @Test("A8 a request that lacks a covered part isn't sent")
    func missing() async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await sent(
                try HTTPRequest(url: "https://a.example/"), Self.signing { $0.components = [.field("X-Note")] })
        }
        #expect(error?.kind == .invalidRequest(reason: "the request can't be signed: the message has no \"x-note\""))
        let once = HTTPBody.stream(once: AsyncStream<Data> { $0.finish() })
        let body = await #expect(throws: NetworkError.self) {
            try await sent(try HTTPRequest(method: .post, url: "https://a.example/", body: once), Self.signing())
        }
        guard case .invalidRequest = body?.kind else { Issue.record("\(body as Any)"); return }
        #expect(mock.requestCount == 0)
    }

    private struct Broken: MessageSigner {
        struct Locked: Error {}
        let keyID: String? = nil
        let algorithm = SignatureAlgorithm(rawValue: "own")
        let error: any Error

        func signature(of message: Data) async throws -> Data { throw error }
    }

    @Test("A8 an error of a signer reaches the caller, and nothing is sent")
    func signers() async throws {
        let request = try HTTPRequest(url: "https://a.example/")
        let locked = await #expect(throws: NetworkError.self) {
            try await sent(request, MessageSigning(Broken(error: Broken.Locked()), for: "https://a.example"))
        }
        #expect(locked?.underlying is Broken.Locked)
        #expect(locked?.request?.url == request.url)
        let cancelled = await #expect(throws: NetworkError.self) {
            try await sent(request, MessageSigning(Broken(error: CancellationError()), for: "https://a.example"))
        }
        #expect(cancelled?.kind == .cancelled)
        #expect(mock.requestCount == 0)
    }

    @Test("A8 S6 neither log nor error shows a signature")
    func secrecy() async throws {
        let lines = Watched<[String]>([])
        let api = APIClient(baseURL: "https://a.example", transport: mock) {
            $0.attemptMiddleware.append(Self.signing())
            $0.logging.level = .headers
            $0.logging.destination = { line in lines.update { $0.append(line) } }
        }
        try await api.send(Endpoint<Void>.delete("x"))
        let signature = try #require(mock.requests.last?.fields[.signature])
        let text = lines.value.joined(separator: "\n")
        #expect(text.contains("Signature") && !text.contains(signature.dropFirst(6)))
    }
}
