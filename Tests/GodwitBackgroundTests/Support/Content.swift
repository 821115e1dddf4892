#if os(Linux)
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

    /// The bytes of content that were handed out.
    var bytesSent: Int { sent.withLock(\.self) }

    /// The part a request asks for.
    func answer(_ request: MockRequest) -> MockResponse {
        let response = MockResponse.ranged(data, for: request, etag: "\"v1\"")
        sent.withLock { $0 += Int(response.content.length ?? 0) }
        return response
    }

    /// The beginning, after which nothing more comes.
    func beginning(_ count: Int) -> MockResponse {
        sent.withLock { $0 += count }
        let (chunks, source) = AsyncStream.makeStream(of: Data.self)
        source.yield(data.prefix(count))
        return .stream(Held(chunks: chunks, source: source), length: Int64(data.count)).field(.etag, "\"v1\"")
    }

    /// Keeps the source, so that the stream does not end.
    private struct Held: AsyncSequence, Sendable {
        let chunks: AsyncStream<Data>
        let source: AsyncStream<Data>.Continuation

        func makeAsyncIterator() -> AsyncStream<Data>.Iterator { chunks.makeAsyncIterator() }
    }
}

/// Counts calls: the first is 0.
final class Turn: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
#endif
