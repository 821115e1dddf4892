import GodwitCore
import GodwitSupport

/// The body of a response at its rate, up to its fault.
struct PacedBody: AsyncSequence, Sendable {
    typealias Element = Data

    private let response: MockResponse
    private let clock: any Clock<Duration>

    init(_ response: MockResponse, clock: any Clock<Duration>) {
        self.response = response
        self.clock = clock
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(response, clock)
    }

    struct Iterator: AsyncIteratorProtocol {
        private enum Source {
            case body(HTTPBody.AsyncIterator)
            case chunks(ArraySlice<Data>, every: Duration)
            case filler(Data, count: Int?, every: Duration)
            case nothing
        }

        private var source: Source
        private var isFirst = true
        private var rest = Data()
        /// The remaining bytes and chunks before the fault.
        private var allowance: Int?
        private var chunkAllowance: Int?
        private let bytesPerSecond: Int?
        private let clock: any Clock<Duration>

        init(_ response: MockResponse, _ clock: any Clock<Duration>) {
            source =
                switch response.content {
                case .body(let body): .body(body.makeAsyncIterator())
                case .chunks(let chunks, let interval): .chunks(chunks[...], every: interval)
                case .filler(let size, let count, let interval):
                    .filler(Data(repeating: 0x2E, count: size), count: count, every: interval)
                // Responses are resolved before they are sent.
                case .coded: .nothing
                }
            switch response.fault?.offset {
            case .bytes(let count): allowance = Swift.max(0, count)
            case .events(let count): chunkAllowance = count
            case nil: break
            }
            bytesPerSecond = response.bytesPerSecond
            self.clock = clock
        }

        /// Returns the next bytes, never empty; `nil` at the end or at the fault.
        mutating func next() async throws -> Data? {
            if let allowance, allowance <= 0 { return nil }
            if rest.isEmpty {
                if let chunkAllowance, chunkAllowance <= 0 { return nil }
                guard let chunk = try await nextChunk() else { return nil }
                rest = chunk
                chunkAllowance = chunkAllowance.map { $0 - 1 }
            }
            let piece = Data(rest.prefix(Swift.min(pieceSize, allowance ?? rest.count)))
            rest = rest.dropFirst(piece.count)
            allowance = allowance.map { $0 - piece.count }
            try await throttle(piece.count)
            isFirst = false
            return piece
        }

        private mutating func nextChunk() async throws -> Data? {
            switch source {
            case .body(var iterator):
                let chunk = try await iterator.next()
                source = .body(iterator)
                return chunk
            case .chunks(let chunks, let interval):
                guard let chunk = chunks.first(where: { !$0.isEmpty }) else { return nil }
                source = .chunks(chunks.drop { $0.isEmpty }.dropFirst(), every: interval)
                try await pause(isFirst ? .zero : interval)
                return chunk
            case .nothing, .filler(_, count: 0, _): return nil
            case .filler(let chunk, let count, let interval):
                source = .filler(chunk, count: count.map { $0 - 1 }, every: interval)
                try await pause(isFirst ? .zero : interval)
                return chunk
            }
        }

        /// The bytes for a tenth of a second, which spreads a throttled body evenly.
        private var pieceSize: Int {
            bytesPerSecond.map { Swift.max(1, $0 / 10) } ?? rest.count
        }

        private func throttle(_ count: Int) async throws {
            guard let bytesPerSecond, !isFirst else { return }
            try await pause(.seconds(1) * count / bytesPerSecond)
        }

        private func pause(_ duration: Duration) async throws {
            if duration > .zero { try await clock.sleep(for: duration.bounded) }
        }
    }
}
