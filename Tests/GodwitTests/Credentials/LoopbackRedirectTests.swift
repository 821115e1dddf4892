import Godwit
import GodwitOAuth
import GodwitTesting
import Testing

@Suite("A5 the loopback redirect, over real sockets", .timeLimit(.minutes(15)))
struct LoopbackRedirectTests {
    private let redirect: LoopbackRedirect
    private let request: AuthorizationRequest
    private let browser: any HTTPTransport

    init() throws {
        redirect = try LoopbackRedirect(path: "/back")
        let server = OAuthServer(
            tokenURL: try HTTPURL("https://auth.example.com/token"),
            authorizationURL: try HTTPURL("https://auth.example.com/authorize"))
        browser = try SocketTransport()
        let oauth = OAuth2(server, client: OAuthClient(id: "a"), over: browser)
        request = try oauth.authorizationRequest(redirect: redirect.url.absoluteString)
    }

    private var state: String {
        request.url.query?.split(separator: "&").first { $0.hasPrefix("state=") }.map { String($0.dropFirst(6)) } ?? ""
    }

    /// Visits a page of the listener: its status and content.
    private func visit(
        _ pathAndQuery: String, method: HTTPMethod = .get, host: String? = nil
    ) async throws -> (status: Int, page: String, fields: HTTPFields) {
        let authority = host ?? redirect.url.origin.description
        let url = try HTTPURL("\(authority)\(pathAndQuery)")
        let response = try await browser.send(HTTPRequest(method: method, url: url))
        return (
            response.head.status.code, String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self),
            response.head.fields
        )
    }

    @Test("A5 it listens only on 127.0.0.1, on a free port")
    func address() throws {
        #expect(redirect.url.host == "127.0.0.1")
        #expect(redirect.url.path == "/back")
        #expect(redirect.url.port != (try LoopbackRedirect()).url.port)
    }

    @Test("A5 after the response, the page confirms it without repeating it, and the port is closed")
    func answer() async throws {
        let waiting = try SilentConnection(to: redirect.url.port)
        async let code = redirect.code(for: request)
        let page = try await visit("/back?code=s3cret&state=\(state)")
        #expect(page.status == 200)
        #expect(page.page.contains("You are signed in"))
        #expect(!page.page.contains("s3cret"))
        #expect(page.fields[.cacheControl] == "no-store")
        #expect(page.fields["Referrer-Policy"] == "no-referrer")
        #expect("\(try await code)" == "AuthorizationCode(<redacted>)")
        #expect(waiting.isClosedSoon)
        await #expect(throws: NetworkError.self) { try await redirect.code(for: request) }
    }

    @Test("A5 other requests are rejected, and waiting continues")
    func foreign() async throws {
        async let code = redirect.code(for: request)
        let port = redirect.url.port
        #expect(try await visit("/back?code=1&state=x").status == 400)
        #expect(try await visit("/back?code=1").status == 400)
        #expect(try await visit("/back?state=\(state)").status == 400)
        #expect(try await visit("/favicon.ico").status == 404)
        #expect(try await visit("/back?code=1&state=\(state)", host: "http://localhost:\(port)").status == 404)
        #expect(try await visit("/back?code=1&state=\(state)", method: .post).status == 405)
        #expect(try await visit("/back?code=1&state=\(state)").status == 200)
        _ = try await code
    }

    @Test("A5 a denial ends the wait with the server's message, which the page doesn't show")
    func refused() async throws {
        let wait = Task { try await redirect.code(for: request) }
        let page = try await visit("/back?error=access_denied&error_description=%3Cb%3E&state=\(state)")
        #expect(page.page.contains("You are not signed in"))
        #expect(!page.page.contains("<b>"))
        let error = await #expect(throws: NetworkError.self) { try await wait.value }
        #expect(error?.kind == .unauthorized)
        #expect(error?.underlying as? OAuthError == OAuthError(code: "access_denied", detail: "<b>"))
    }

    @Test("A5 it waits no longer than its timeout")
    func timeout() async throws {
        let clock = TestClock()
        let wait = Task { try await redirect.code(for: request, timeout: .seconds(300), clock: clock) }
        try await clock.waitForSleepers()
        #expect(clock.advanceToNextSleeper() == .seconds(300))
        let error = await #expect(throws: NetworkError.self) { try await wait.value }
        #expect(error?.kind == .timedOut(.total))
    }

    @Test("A5 a canceled wait ends immediately, even if it is canceled before it starts")
    func cancelled() async throws {
        let wait = Task { try await redirect.code(for: request) }
        wait.cancel()
        let error = await #expect(throws: NetworkError.self) { try await wait.value }
        #expect(error?.kind == .cancelled)
    }

    @Test("A5 silent connections don't block the response")
    func silentConnections() async throws {
        let silent = try (0..<20).map { _ in try SilentConnection(to: redirect.url.port) }
        async let code = redirect.code(for: request)
        #expect(try await visit("/back?code=1&state=\(state)").status == 200)
        _ = try await code
        withExtendedLifetime(silent) {}
    }

    @Test("A5 after a hundred unrelated requests, it fails")
    func flood() async throws {
        let wait = Task { try await redirect.code(for: request) }
        // No more than these: the port may soon be another test's.
        for _ in 0...100 { #expect(try await visit("/back?code=1&state=x").status == 400) }
        let error = await #expect(throws: NetworkError.self) { try await wait.value }
        guard case .invalidResponse = error?.kind else { Issue.record("\(error as Any)"); return }
    }

    @Test("A5 an authorization request with another redirect URL is rejected")
    func mistake() async throws {
        let other = try LoopbackRedirect()
        let error = await #expect(throws: NetworkError.self) { try await other.code(for: request) }
        guard case .invalidRequest = error?.kind else { Issue.record("\(error as Any)"); return }
    }
}
