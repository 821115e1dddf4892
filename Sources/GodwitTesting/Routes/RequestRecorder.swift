import GodwitCore

/// Keeps the requests that a server or transport received, newest last, up to a limit.
final class RequestRecorder: Sendable {
    struct Log: Sendable {
        var requests: [MockRequest] = []
        /// The number of the first of them.
        var start = 0
        /// How many are no longer under way, those forgotten included.
        var finished = 0
    }

    private let log = Watched(Log())
    private let limit: Int

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    var requests: [MockRequest] {
        Array(log.value.requests.suffix(limit))
    }

    /// How many came in all.
    var count: Int {
        let log = log.value
        return log.start + log.requests.count
    }

    /// Adds a request; its number is what the later calls want.
    func add(_ request: MockRequest) -> Int {
        log.update { log in
            log.requests.append(request)
            // In blocks, as each removal moves what is left.
            if log.requests.count > limit * 2 + 64 {
                let surplus = log.requests.count - limit
                log.requests.removeFirst(surplus)
                log.start += surplus
            }
            return log.start + log.requests.count - 1
        }
    }

    /// Notes how much of the content is in.
    func progress(_ number: Int, to bodyByteCount: Int64) {
        log.update { log in
            guard log.requests.indices.contains(number - log.start) else { return }
            log.requests[number - log.start].bodyByteCount = bodyByteCount
        }
    }

    /// Notes that a request's content is in, or will not come.
    func finish(_ number: Int, as request: MockRequest) {
        log.update { log in
            log.finished += 1
            guard log.requests.indices.contains(number - log.start) else { return }
            log.requests[number - log.start] = request
        }
    }

    func wait(forFinished count: Int, within limit: Duration) async throws(WaitFailure) -> [MockRequest] {
        try await log.wait(within: limit, for: count == 1 ? "a request" : "\(count) requests", else: Self.summary) {
            $0.finished >= count
        }
        return requests
    }

    /// What came, for a test that waited for more.
    private static func summary(of log: Log) -> String {
        let shown = log.requests.suffix(20).map { "\($0) (\(arrival(of: $0)))" }
        let count = log.start + log.requests.count
        return count == 0 ? "none came" : "\(count) came: \(shown.joined(separator: ", "))"
    }

    private static func arrival(of request: MockRequest) -> String {
        switch request.arrival {
        case .underway: "still being received, \(request.bodyByteCount) bytes of content so far"
        case .complete: "complete"
        case .aborted: "aborted"
        }
    }
}
