import Godwit
import GodwitTesting
import Synchronization

/// Chunks that are made when they are asked for, and counted.
struct Source: AsyncSequence, Sendable {
    typealias Element = Data

    /// What was asked of the source.
    struct Record: Sendable {
        var bytes = 0
        var hasEnded = false
        /// Whether whoever read it let go of it.
        var isReleased = false
    }

    /// What it does once its chunks are used up.
    enum Ending: Sendable {
        case end
        case error(any Error)
        /// Nothing, until the task is cancelled.
        case wait
    }

    let record = Watched(Record())
    let chunk: Data
    let count: Int
    var ending = Ending.end

    init(_ chunk: Data, times count: Int, then ending: Ending = .end) {
        self.chunk = chunk
        self.count = count
        self.ending = ending
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(source: self, held: Held(record))
    }

    struct Iterator: AsyncIteratorProtocol {
        let source: Source
        let held: Held
        var given = 0

        mutating func next() async throws -> Data? {
            guard given < source.count else { return try await end() }
            given += 1
            source.record.update { [chunk = source.chunk] in $0.bytes += chunk.count }
            return source.chunk
        }

        private func end() async throws -> Data? {
            switch source.ending {
            case .end:
                source.record.update { $0.hasEnded = true }
                return nil
            case .error(let error): throw error
            case .wait:
                try await Watched(0).wait { _ in false }
                return nil
            }
        }
    }

    /// Notes when the last copy of an iterator is gone.
    final class Held: Sendable {
        private let record: Watched<Record>

        init(_ record: Watched<Record>) {
            self.record = record
        }

        deinit {
            record.update { $0.isReleased = true }
        }
    }
}

extension Watched where Value == Source.Record {
    /// Waits until nothing was asked for a while, and says how many bytes that came to.
    func bytesOncePaused() async throws -> Int {
        var last = -1
        var quiet = 0
        while quiet < 8 {
            try await Task.sleep(for: .milliseconds(50))
            quiet = value.bytes == last && last > 0 ? quiet + 1 : 0
            last = value.bytes
        }
        return last
    }
}
