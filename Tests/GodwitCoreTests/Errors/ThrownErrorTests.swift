import GodwitCore
import GodwitTesting
import Testing

/// What closures of a program throw becomes the one error that leaves the library.
@Suite("Errors of closures")
struct ThrownErrorTests {
    private struct Torn: Error {}

    private let api = APIClient(
        baseURL: "https://api.example.com", transport: MockTransport { $0.any("*").reply(.text("a;b")) })

    /// The error that reading an endpoint ends with.
    private func failure(
        reading decode: @escaping @Sendable (Data, HTTPResponseHead, JSONCoding) throws -> String
    ) async -> NetworkError? {
        let endpoint = Endpoint<String>(method: .get, path: "rows", accept: "text/csv", decode: decode)
        return await failure { _ = try await api.send(endpoint) }
    }

    private func failure(of work: () async throws -> Void) async -> NetworkError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? NetworkError
        }
    }

    @Test("E1 an endpoint's closure may throw any error, which becomes .decoding with it as underlying")
    func decoding() async {
        let error = await failure { (_, _, _) in throw Torn() }
        guard case .decoding = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.underlying is Torn)
        #expect(error?.phase == .decoding)
    }

    @Test("E1 a NetworkError of an endpoint's closure is thrown as it is, from typed and untyped closures")
    func ownError() async {
        let untyped = await failure { (_, _, _) in
            throw NetworkError(.invalidResponse(reason: "no rows"), phase: .decoding)
        }
        #expect(untyped?.kind == .invalidResponse(reason: "no rows"))
        let endpoint = Endpoint<String>(method: .get, path: "rows", accept: "text/csv") {
            _, _, _ throws(NetworkError) in throw NetworkError(.invalidResponse(reason: "none"), phase: .decoding)
        }
        let typed = await failure { _ = try await api.send(endpoint) }
        #expect(typed?.kind == .invalidResponse(reason: "none"))
    }

    @Test("N3 an operation that needs no number of its attempt is retried")
    func retry() async throws {
        var left = 2
        let value = try await withRetry(attempts: 3, backoff: Backoff(base: .zero, cap: .zero)) {
            left -= 1
            if left >= 0 { throw Torn() }
            return left
        }
        #expect(value == -1)
        await #expect(throws: Torn.self) {
            try await withRetry(attempts: 2, backoff: Backoff(base: .zero, cap: .zero)) { throw Torn() }
        }
    }

    @Test("U5 a request to text that is not a URL throws .invalidURL; text and URLs that are one are read")
    func requests() throws {
        #expect(try HTTPRequest(url: "https://api.example.com/v1").url.absoluteString == "https://api.example.com/v1")
        for text in ["", "ftp://example.com", "https://exa mple.com", "https://user:pass@example.com"] {
            let error = #expect(throws: NetworkError.self) { try HTTPRequest(url: text) }
            guard case .invalidURL = error?.kind else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
        }
        let file = #expect(throws: NetworkError.self) { try HTTPRequest(url: URL(filePath: "/tmp/a")) }
        guard case .invalidURL = file?.kind else {
            Issue.record("\(String(describing: file))")
            return
        }
    }

    @Test("W4 onConnect may throw any error, with which the attempt has failed")
    func onConnect() async {
        let mock = MockTransport { $0.webSocket("/live") { socket in for try await _ in socket.messages {} } }
        let client = APIClient(baseURL: "https://api.example.com", transport: mock)
        let socket = client.reconnectingWebSocket("live") { _, reconnect in
            reconnect.reconnects = { _ in false }
            reconnect.onConnect = { _ in throw Torn() }
        }
        var last: NetworkError?
        for await state in socket.states {
            if case .closed(let error) = state {
                last = error
                break
            }
        }
        #expect(last?.kind == .transport(.other("Torn was thrown")))
        #expect(last?.underlying is Torn)
        await socket.close()
    }
}
