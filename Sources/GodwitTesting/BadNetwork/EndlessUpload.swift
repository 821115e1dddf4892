import GodwitCore

/// The body of an upload that gives one chunk and then waits until it is canceled.
struct EndlessUpload: AsyncSequence, Sendable {
    typealias Element = Data

    /// The iterators that exist.
    let inUse = Watched(0)

    func makeAsyncIterator() -> Iterator { Iterator(use: Use(inUse)) }

    struct Iterator: AsyncIteratorProtocol {
        let use: Use
        private var hasGiven = false

        init(use: Use) { self.use = use }

        mutating func next() async throws -> Data? {
            guard hasGiven else {
                hasGiven = true
                return Data(count: 64 << 10)
            }
            try await Task.sleep(for: .seconds(3600))
            return nil
        }
    }

    /// Counts itself while an iterator holds it.
    final class Use: Sendable {
        private let count: Watched<Int>

        init(_ count: Watched<Int>) {
            self.count = count
            count.update { $0 += 1 }
        }

        deinit { count.update { $0 -= 1 } }
    }

    /// A POST with this body.
    func request(to url: HTTPURL) -> HTTPRequest {
        HTTPRequest(method: .post, url: url, body: .stream { self })
    }

    /// Checks that the transport has released the body.
    func expectReleased(_ trial: Trial) async throws(BadNetworkFailure) {
        guard await inUse.wait(within: trial.limit, until: { $0 == 0 }) == .met else {
            throw trial.failure("the upload's body was still held \(trial.limit) after the call had ended")
        }
    }
}
