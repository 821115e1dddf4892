import Godwit

/// A body that comes slowly, as if the uplink were: on loopback, the system's buffers would take a picture in at once.
nonisolated struct SlowBody: AsyncSequence, Sendable {
    typealias Element = Data

    struct Iterator: AsyncIteratorProtocol {
        var rest: Data

        mutating func next() async throws -> Data? {
            guard !rest.isEmpty else { return nil }
            try await Task.sleep(for: .milliseconds(50))
            defer { rest = rest.dropFirst(SlowBody.chunk) }
            return Data(rest.prefix(SlowBody.chunk))
        }
    }

    /// 16 KiB every 50 ms are 320 KiB/s.
    private static let chunk = 16 << 10

    let data: Data

    func makeAsyncIterator() -> Iterator { Iterator(rest: data) }

    var request: RequestBody {
        .stream(.stream(length: Int64(data.count)) { self })
    }
}
