import GodwitCore
import GodwitTesting
import Testing

@Suite("K1 tokens against forged requests", .timeLimit(.minutes(15)))
struct XSRFTokenTests {
    private static let field: HTTPField.Name = "X-XSRF-TOKEN"

    /// A client with these cookies of api.example.com.
    private func client(
        _ cookies: String..., middleware: XSRFToken = XSRFToken(), over transport: MockTransport,
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> APIClient {
        let jar = CookieJar()
        for cookie in cookies { jar.store(cookie, from: try HTTPURL("https://api.example.com/")) }
        return APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.cookies = .jar(jar)
            $0.attemptMiddleware.append(middleware)
            configure(&$0)
        }
    }

    private func mock() -> MockTransport {
        MockTransport { $0.any("/change").reply { _ in .status(204) } }
    }

    @Test(
        "K1 a request that changes something repeats the cookie in the field, others don't",
        arguments: [
            (HTTPMethod.post, "XSRF-TOKEN=abc", "abc"), (.put, "XSRF-TOKEN=abc", "abc"),
            (.delete, "XSRF-TOKEN=abc", "abc"),
            (.get, "XSRF-TOKEN=abc", nil), (.head, "XSRF-TOKEN=abc", nil), (.options, "XSRF-TOKEN=abc", nil),
            (.post, "xsrf-token=abc", nil), (.post, "X=XSRF-TOKEN", nil),
            // Laravel's are encoded, Tornado's aren't; what a field can't have stays.
            (.post, "XSRF-TOKEN=eyJpdiI6%3D%3D", "eyJpdiI6=="), (.post, "XSRF-TOKEN=2|a3|b4", "2|a3|b4"),
            (.post, "XSRF-TOKEN=a=b", "a=b"), (.post, "XSRF-TOKEN=100%", "100%"),
            (.post, "XSRF-TOKEN=a%0D%0Ab", "a%0D%0Ab"),
            (.post, "XSRF-TOKEN=%ff", "%ff"), (.post, "XSRF-TOKEN=%C3%A9", "%C3%A9"), (.post, "XSRF-TOKEN=", ""),
        ] as [(HTTPMethod, String, String?)])
    func methods(method: HTTPMethod, cookie: String, value: String?) async throws {
        let transport = mock()
        try await client("a=1", cookie, over: transport).send(Endpoint<Void>.custom(method, "/change"))
        #expect(transport.requests.last?.fields.values(of: Self.field) == (value.map { [$0] } ?? []))
    }

    @Test("K1 the caller's field stays, other names can be used, and without the cookie nothing is added")
    func names() async throws {
        let transport = mock()
        let api = try client("XSRF-TOKEN=abc", over: transport)
        try await api.send(Endpoint<Void>.post("/change").header(Self.field, "own"))
        let django = try client(
            "csrftoken=abc", middleware: XSRFToken(cookie: "csrftoken", field: "X-CSRFToken"), over: transport)
        try await django.send(Endpoint<Void>.post("/change"))
        try await client(over: transport).send(Endpoint<Void>.post("/change"))
        #expect(transport.requests.map { $0.fields[Self.field] } == ["own", nil, nil])
        #expect(transport.requests.map { $0.fields["X-CSRFToken"] } == [nil, "abc", nil])
    }

    @Test("K1 S6 another origin gets neither cookie nor field, and no text shows the value")
    func secrets() async throws {
        let transport = MockTransport {
            $0.post("/change").reply { request in
                .redirect(to: "https://other.example/change2", status: .temporaryRedirect)
            }
            $0.post("/change2").reply { _ in .status(403) }
        }
        let recorder = HARRecorder()
        let api = try client(
            "check=s3cr3t-value", middleware: XSRFToken(cookie: "check", field: "X-Check"), over: transport
        ) { $0.recorder = recorder }
        let error = await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Void>.post("/change")) }
        #expect(transport.requests.map { $0.fields["X-Check"] } == ["s3cr3t-value", nil])
        #expect(!String(reflecting: error).contains("s3cr3t"))
        #expect(try !String(decoding: recorder.data(), as: UTF8.self).contains("s3cr3t"))
    }
}
