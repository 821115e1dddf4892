import Godwit
import GodwitTesting
import Testing

@Suite("A4 signing out, over real sockets", .timeLimit(.minutes(3)))
struct SignedOutClientTests {
    @Test("A4 a request after signing out carries no token and no cookie, and is not answered from the cache")
    func requests() async throws {
        let server = try await MockServer { request in
            var response = MockResponse.text("for \(request.fields[.authorization] ?? "nobody")")
            response.fields[.cacheControl] = "max-age=600"
            response.fields[.setCookie] = "session=s3cret; Max-Age=600"
            return response
        }
        let (jar, cache) = (CookieJar(), MemoryCacheStore(limit: 1 << 20))
        let tokens = TokenRefresher(store: MemoryTokenStore(AccessToken(access: "a"))) { $0 }
        let middlewares: [any Middleware] = [
            Authentication(.tokens(tokens), for: [server.url.origin]), Cookies(jar), Caching(cache),
        ]
        let transport = try CurlTransport()
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

    /// Without what other programs' clients send to the port of an old server.
    private func requests(_ server: MockServer) -> [MockRequest] {
        server.requests.filter { $0.path == "/signed-out" }
    }

    private func text(of request: HTTPRequest, over chain: Chain) async throws -> String {
        String(decoding: try await chain.send(request).body.collect(upTo: 1 << 10), as: UTF8.self)
    }
}
