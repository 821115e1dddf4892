import GodwitSupport

/// Decides whether a transfer that failed is continued, by the client's retry rule, and waits before that.
struct TransferRetry: Sendable {
    /// The maximum number of failures in a row without progress.
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
    ///   - failures: The number of failures in a row without progress, this one included.
    ///   - isRepairable: Whether another request is sent next, which may succeed although repeating this one wouldn't.
    func wait(
        after error: NetworkError, failures: Int, isRepairable: Bool = false
    ) async throws(NetworkError) {
        let asked = error.suggestedRetryDelay ?? .zero
        guard error.isWorthRepeating || isRepairable, failures < attemptLimit, asked <= options.longestRetryAfter
        else { throw error }
        var generator = SystemRandomNumberGenerator()
        do throws(CancellationError) {
            try await timeline.sleep(for: max(asked, options.backoff.delay(afterFailure: failures, using: &generator)))
        } catch {
            throw NetworkError(.cancelled, phase: .receiving, request: request)
        }
    }
}
