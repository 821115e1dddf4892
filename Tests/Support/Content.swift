package import GodwitCore
package import GodwitTesting
import Synchronization

/// A content whose every part is another, and what a server sends of it.
package final class Content: Sendable {
    package let data: Data
    package let etag: String
    private let sent = Mutex(0)

    package init(_ count: Int, seed: UInt64 = 1, etag: String = "\"v1\"") {
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
    package var bytesSent: Int { sent.withLock(\.self) }

    /// The part a request asks for; at most so many bytes, after which the connection ends.
    package func answer(_ request: MockRequest, cutAfter limit: Int? = nil, reset: Bool = false) -> MockResponse {
        let response = MockResponse.ranged(data, for: request, etag: etag)
        let length = Int(response.content.length ?? 0)
        sent.withLock { $0 += min(length, limit ?? .max) }
        guard let limit, limit < length else { return response }
        return reset ? response.reset(after: .bytes(limit)) : response.dropped(after: .bytes(limit))
    }

    /// The beginning, after which nothing more comes.
    package func beginning(_ count: Int) -> MockResponse { part(from: 0, count) }

    /// So many bytes from where a request wants them, after which nothing more comes.
    package func beginning(_ count: Int, for request: MockRequest) -> MockResponse {
        let range = request.fields[.range]?.split { !$0.isNumber }.first
        return part(from: range.flatMap { Int($0) } ?? 0, count)
    }

    /// The beginning of the range that a request wants, after which nothing more comes.
    package func part(of request: MockRequest, _ count: Int) -> MockResponse {
        let ends = (request.fields[.range] ?? "").split { !$0.isNumber }.compactMap { Int($0) }
        guard ends.count == 2 else { return beginning(count) }
        var response = part(from: ends[0], count, length: ends[1] + 1 - ends[0])
        response.status = .partialContent
        response.fields[.contentRange] = "bytes \(ends[0])-\(ends[1])/\(data.count)"
        return response
    }

    private func part(from offset: Int, _ count: Int, length: Int? = nil) -> MockResponse {
        let part = data[offset..<min(offset + count, data.count)]
        sent.withLock { $0 += part.count }
        let (chunks, source) = AsyncStream.makeStream(of: Data.self)
        source.yield(part)
        let held = Held(chunks: chunks, source: source)
        var response = MockResponse.stream(once: held, length: Int64(length ?? data.count - offset)).field(.etag, etag)
        if offset > 0 {
            response.status = .partialContent
            response.fields[.contentRange] = "bytes \(offset)-\(data.count - 1)/\(data.count)"
        }
        return response
    }

    /// Keeps the source, so that the stream does not end.
    private struct Held: AsyncSequence, Sendable {
        let chunks: AsyncStream<Data>
        let source: AsyncStream<Data>.Continuation

        func makeAsyncIterator() -> AsyncStream<Data>.Iterator { chunks.makeAsyncIterator() }
    }
}

/// Counts calls: the first is 0.
package final class Turn: Sendable {
    private let count = Atomic(0)

    package init() {}

    package func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
