import GodwitCore
import GodwitTesting
import Synchronization

/// A cache over a mock server, with a wall clock that the test moves.
final class CacheScene: Sendable {
    let store: MemoryCacheStore
    let mock: MockTransport
    private let time = Mutex(Date(timeIntervalSince1970: 784_111_777))

    init(limit: Int = 1 << 20, routes: (MockRoutes) -> Void) {
        store = MemoryCacheStore(limit: limit)
        mock = MockTransport(routes: routes)
    }

    /// A scene whose server gives these answers to everything, one after the other.
    convenience init(_ responses: MockResponse...) {
        self.init { $0.any("*").replies(responses) }
    }

    var now: Date { time.withLock { $0 } }

    func wait(_ seconds: TimeInterval) {
        time.withLock { $0 = $0.addingTimeInterval(seconds) }
    }

    var chain: Chain {
        Chain([Caching(store) { self.now }], over: mock)
    }

    /// Sends a request through a new cache over the same store, as all state that counts is there.
    func send(
        _ method: HTTPMethod = .get, _ path: String = "/a", _ fields: HTTPFields = [:],
        policy: CachePolicy = .useProtocol,
        delivery: Delivery = .buffered
    ) async throws -> HTTPResponse {
        let url = try HTTPURL("https://example.com" + path)
        var request = HTTPRequest(method: method, url: url, fields: fields, delivery: delivery)
        request.options.cachePolicy = policy
        return try await chain.send(request)
    }

    func text(
        _ method: HTTPMethod = .get, _ path: String = "/a", _ fields: HTTPFields = [:],
        policy: CachePolicy = .useProtocol
    ) async throws -> String {
        try await send(method, path, fields, policy: policy).body.text()
    }
}

extension MockResponse {
    /// A text with these fields.
    static func cached(_ text: String, _ control: String, etag: String? = nil, status: HTTPStatus = .ok) -> MockResponse
    {
        let response = MockResponse.text(text, status: status).field(.cacheControl, control)
        return etag.map { response.field(.etag, $0) } ?? response
    }
}
