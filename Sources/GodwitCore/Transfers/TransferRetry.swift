import GodwitSupport

/// Decides whether a transfer that failed is continued, by the client's retry rule, and waits before that.
struct TransferRetry: Sendable {
    /// The maximum number of times that requests are sent in a row without progress.
    let attemptLimit: Int
    private let options: RetryOptions
    private let request: HTTPRequest
    private let timeline: Timeline

    /// - Parameter request: Has its own rule, if the endpoint set one.
    init(_ api: APIClient, _ request: HTTPRequest, _ timeline: Timeline) {
        options = api.configuration.retry
        attemptLimit =
            switch request.options.retry {
            case .never: 1
            case .attempts(let count): count
            case nil: options.maximumAttempts
            }
        self.request = request
        self.timeline = timeline
    }

    /// Waits before the next attempt; throws the error if there should be none.
    ///
    /// - Parameters:
    ///   - failures: The failures in a row without progress, this one included. What the transport sent again counts too.
    ///   - isRepairable: Whether another request is sent next, which may succeed although repeating this one wouldn't.
    func wait(
        after error: NetworkError, failures: FailureStreak, isRepairable: Bool = false
    ) async throws(NetworkError) {
        var generator = SystemRandomNumberGenerator()
        let pause = RetryPause(
            options.backoff.delay(afterFailure: failures.count, using: &generator), asked: error.suggestedRetryDelay,
            longest: options.longestRetryAfter)
        guard error.isWorthRepeating || isRepairable, failures.sendings < attemptLimit, !pause.isTooLong else {
            throw error
        }
        try await request.options.deadline.limit(request) { () throws(NetworkError) in
            do throws(CancellationError) {
                try await timeline.sleep(for: pause.duration)
            } catch {
                throw NetworkError(.cancelled, phase: .receiving, request: request)
            }
        }
    }
}

extension NetworkError {
    /// How often the last attempt sent its request.
    var sendings: Int { max(0, resendCount).saturatingAdding(1) }
}
