import Godwit
import GodwitTesting
import Synchronization

/// A content whose every part is another, and what a server sends of it.
final class Content: Sendable {
    let data: Data
    let etag: String
    private let sent = Mutex(0)

    init(_ count: Int, seed: UInt64 = 1, etag: String = "\"v1\"") {
        var random = SeededGenerator(seed: seed)
        // Of a prime length, so that a lost, doubled or moved piece shows.
        var block = Data(capacity: 65_528)
        while block.count < 65_521 { withUnsafeBytes(of: random.next()) { block.append(contentsOf: $0) } }
        block = block.prefix(65_521)
        var data = Data(capacity: count)
        while data.count < count { data.append(block.prefix(count - data.count)) }
        self.data = data
        self.etag = etag
    }

    /// The bytes of content that were handed out, faults taken into account.
    var bytesSent: Int { sent.withLock(\.self) }

    /// The part a request asks for; at most so many bytes, after which the connection ends.
    func answer(_ request: MockRequest, cutAfter limit: Int? = nil, reset: Bool = false) -> MockResponse {
        let response = MockResponse.ranged(data, for: request, etag: etag)
        let length = Int(response.length ?? 0)
        sent.withLock { $0 += min(length, limit ?? .max) }
        guard let limit, limit < length else { return response }
        return reset ? response.reset(after: .bytes(limit)) : response.dropped(after: .bytes(limit))
    }
}

extension MockResponse {
    fileprivate var length: Int64? { content.length }
}

/// Counts calls: the first is 0.
final class Turn: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

extension APIClient {
    /// A client of a server that does not wait between attempts.
    static func eager(
        _ server: MockServer, attempts: Int = 3, configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: server.url) {
            $0.retry.maximumAttempts = attempts
            $0.retry.backoff = Backoff(base: .zero)
            configure(&$0)
        }
    }
}

extension Download {
    /// The error that ended it; nil where it was completed.
    func failure() async -> NetworkError? {
        do throws(NetworkError) {
            _ = try await file
            return nil
        } catch {
            return error
        }
    }

    /// Waits until so many bytes are there.
    func reach(_ count: Int64) async {
        for await progress in progress where progress.completed >= count { return }
    }
}
