import Godwit
import GodwitTesting
import Testing

@Suite("A4 signing out, over real sockets", .timeLimit(.minutes(15)))
struct SignedOutClientTests {
    @Test("A4 a request after signing out has no token or cookies and isn't answered from the cache")
    func requests() async throws {
        let server = try await MockServer { request in
            var response = MockResponse.text("for \(request.fields[.authorization] ?? "nobody")")
            response.fields[.cacheControl] = "max-age=600"
            response.fields[.setCookie] = "session=s3cret; Max-Age=600"
            return response
        }
        let (jar, cache) = (CookieJar(), MemoryCacheStore(limit: 1 << 20))
        let tokens = TokenRefresher(store: MemoryTokenStore(AccessToken(access: "a"))) { $0 }
        let middlewares: [any ChainElement] = [
            Authentication(.tokens(tokens), for: [server.url.origin]), Cookies(jar), Caching(cache),
        ]
        let transport = try SocketTransport()
        let chain = Chain(middlewares, over: transport)
        var request = HTTPRequest(url: try HTTPURL("\(server.url)signed-out"))
        for _ in 0..<2 { #expect(try await text(of: request, over: chain) == "for Bearer a") }
        #expect(requests(server).count == 1)
        #expect(jar.cookies.count == 1)

        try await SignOut(tokens: tokens, cookies: jar, cache: cache)()
        let error = await #expect(throws: NetworkError.self) { try await chain.send(request) }
        #expect(error?.kind == .unauthorized)
        #expect(requests(server).count == 1)
        request.options.authentication = .none
        #expect(try await text(of: request, over: chain) == "for nobody")
        #expect(requests(server).last?.fields[.cookie] == nil)
        #expect(requests(server).count == 2)
        await transport.shutdown(.cancelling)
    }

    @Test("A6 a response in flight at sign-out isn't stored or shown to the next user, over real sockets")
    func inFlight() async throws {
        let gate = Watched(false)
        let server = try await MockServer { request in
            let user = request.fields[.authorization] ?? "nobody"
            if user == "Bearer ann" { try await gate.wait { $0 } }
            var response = MockResponse.text(user)
            response.fields[.cacheControl] = "max-age=600"
            response.fields[.setCookie] = "session=\(user.dropFirst(7)); Max-Age=600"
            return response
        }
        let cache = MemoryCacheStore()
        let store = MemoryTokenStore(AccessToken(access: "ann"))
        let api = APIClient(baseURL: server.url, transport: try SocketTransport()) {
            $0.cache = .store(cache)
            $0.coalescesRequests = true
            $0.authentication = .refreshing(store) { _, old in old }
        }
        let held = Endpoint<String>.get("signed-out")
        let call = Task { try? await api.send(held) }
        while requests(server).isEmpty { await Task.yield() }
        try await api.signOut()
        try await api.signIn(AccessToken(access: "bob"))
        #expect(try await api.send(held) == "Bearer bob")
        gate.update { $0 = true }
        _ = await call.value
        #expect(api.cookieJar?.cookies.map(\.value) == ["bob"])
        #expect(try await api.send(held) == "Bearer bob")
        await api.shutdown(.cancelling)
    }

    /// Without what other programs' clients send to the port of an old server.
    private func requests(_ server: MockServer) -> [MockRequest] {
        server.requests.filter { $0.path == "/signed-out" }
    }

    private func text(of request: HTTPRequest, over chain: Chain) async throws -> String {
        String(decoding: try await chain.send(request).body.collect(upTo: 1 << 10), as: UTF8.self)
    }
}
