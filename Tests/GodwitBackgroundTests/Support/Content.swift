import Godwit
import GodwitTesting
import Synchronization

/// A content whose every part is another, and what a server sends of it.
final class Content: Sendable {
    let data: Data
    private let sent = Mutex(0)

    init(_ count: Int, seed: UInt64 = 1) {
        var random = SeededGenerator(seed: seed)
        var data = Data(capacity: count + 8)
        while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
        self.data = data.prefix(count)
    }

    /// The bytes of content that were handed out, faults taken into account.
    var bytesSent: Int { sent.withLock(\.self) }

    /// The part a request asks for; at most so many bytes, after which the connection ends.
    func answer(_ request: MockRequest, cutAfter limit: Int? = nil) -> MockResponse {
        let response = MockResponse.ranged(data, for: request, etag: "\"v1\"")
        let length = Int(response.content.length ?? 0)
        sent.withLock { $0 += min(length, limit ?? .max) }
        guard let limit, limit < length else { return response }
        return response.dropped(after: .bytes(limit))
    }
}
