import GodwitCore
import GodwitSupport

/// Keeps the received requests in order, up to a limit.
final class RequestRecorder: Sendable {
    struct Log: Sendable {
        var requests: [MockRequest] = []
        /// The number of the first of them.
        var start = 0
        /// The number of finished requests, including dropped ones.
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

    /// The number of all requests.
    var count: Int {
        let log = log.value
        return log.start + log.requests.count
    }

    /// Adds a request and returns its number for later calls.
    func add(_ request: MockRequest) -> Int {
        log.update { log in
            log.requests.append(request)
            // In blocks, because each removal moves the rest of the array.
            if log.requests.count > limit.saturatingAdding(limit).saturatingAdding(64) {
                let surplus = log.requests.count - limit
                log.requests.removeFirst(surplus)
                log.start += surplus
            }
            return log.start + log.requests.count - 1
        }
    }

    /// Updates the number of received body bytes.
    func progress(_ number: Int, to bodyByteCount: Int64) {
        log.update { log in
            guard log.requests.indices.contains(number - log.start) else { return }
            log.requests[number - log.start].bodyByteCount = bodyByteCount
        }
    }

    /// Records that a request's body is complete or aborted.
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

    private static func summary(of log: Log) -> String {
        let shown = log.requests.suffix(20).map { "\($0) (\(arrival(of: $0)))" }
        let count = log.start + log.requests.count
        return count == 0 ? "none came" : "\(count) came: \(shown.joined(separator: ", "))"
    }

    private static func arrival(of request: MockRequest) -> String {
        switch request.arrival {
        case .underway: "still being received, \(request.bodyByteCount) bytes of the body so far"
        case .complete: "complete"
        case .aborted: "aborted"
        }
    }
}
