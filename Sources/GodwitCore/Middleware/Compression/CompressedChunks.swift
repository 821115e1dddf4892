import GodwitDeflate
import Synchronization

/// A content as gzip, chunk by chunk while it is read: no more than a chunk of it is in memory.
struct CompressedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = NetworkError

    let content: HTTPBody
    let level: Int
    let progress: ReadProgress

    func makeAsyncIterator() -> Iterator {
        progress.count.store(0, ordering: .relaxed)
        return Iterator(plain: content.makeAsyncIterator(), encoder: GzipEncoder(level: level), progress: progress)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var plain: HTTPBody.AsyncIterator
        fileprivate let encoder: GzipEncoder?
        fileprivate let progress: ReadProgress
        private var isAtEnd = false

        fileprivate init(plain: HTTPBody.AsyncIterator, encoder: GzipEncoder?, progress: ReadProgress) {
            self.plain = plain
            self.encoder = encoder
            self.progress = progress
        }

        mutating func next() async throws(NetworkError) -> Data? {
            try await next(isolation: nil)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            guard let encoder else {
                throw NetworkError(.transport(.cannotSendBody("zlib could not start")), phase: .sending)
            }
            while !isAtEnd {
                guard let chunk = try await plain.next(isolation: actor) else {
                    isAtEnd = true
                    return encoder.finish()
                }
                progress.count.add(Int64(chunk.count), ordering: .relaxed)
                let compressed = encoder.add(chunk)
                if !compressed.isEmpty { return compressed }
            }
            return nil
        }
    }
}

/// How much of a content was read, before it was compressed.
final class ReadProgress: Sendable {
    let count = Atomic<Int64>(0)
}
