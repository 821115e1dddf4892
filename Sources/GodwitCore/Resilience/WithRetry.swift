import GodwitSupport

/// Runs an operation, and repeats it after errors that may be temporary.
///
/// ```swift
/// let receipt = try await withRetry(attempts: 4) { attempt in try await submit(draft) }
/// ```
///
/// The random waits between attempts grow (``Backoff``): up to 0.5 s and 1 s by default, and at least the `Retry-After`
/// of a ``NetworkError``. For requests of an ``APIClient``, prefer its own retries, which repeat only requests that can
/// safely be sent twice.
///
/// If the task is canceled during a wait, throws `.cancelled` after a ``NetworkError``, `CancellationError` after any
/// other error, or the operation's last error if its `Failure` can be neither.
///
/// - Parameters:
///   - attempts: The maximum number of attempts. 3 by default; less than 1 counts as 1.
///   - backoff: How long to wait between attempts.
///   - longestRetryAfter: The maximum `Retry-After` to wait for; an error that asks for more is thrown. One minute by
///     default.
///   - clock: Measures the waits.
///   - generator: The random number generator for the waits.
///   - isRetryable: Whether to try again after an error. By default ``NetworkError/isRetryable``, and true for any
///     other error except `CancellationError`.
///   - operation: The operation, which gets the number of the attempt, starting at 1.
/// - Throws: The error of the last attempt.
public func withRetry<Value, Failure: Error>(
    attempts: Int = 3, backoff: Backoff = Backoff(), longestRetryAfter: Duration = RetryPause.longest,
    clock: some Clock<Duration> = ContinuousClock(),
    using generator: some RandomNumberGenerator = SystemRandomNumberGenerator(),
    isolation: isolated (any Actor)? = #isolation,
    when isRetryable: ((Failure) -> Bool)? = nil,
    _ operation: (_ attempt: Int) async throws(Failure) -> Value
) async throws(Failure) -> Value {
    var generator = generator
    var attempt = 1
    while true {
        do throws(Failure) {
            return try await operation(attempt)
        } catch {
            let isHopeful = isRetryable?(error) ?? isWorthRetrying(error)
            guard isHopeful, attempt < attempts, !Task.isCancelled else { throw error }
            let pause = RetryPause(
                backoff.delay(afterFailure: attempt, using: &generator),
                asked: (error as? NetworkError)?.suggestedRetryDelay, longest: longestRetryAfter)
            guard !pause.isTooLong else { throw error }
            guard (try? await clock.sleep(for: pause.duration.bounded)) != nil else { throw cancellation(after: error) }
            attempt += 1
        }
    }
}

/// Runs an operation, and repeats it after errors that may be temporary.
///
/// ```swift
/// let receipt = try await withRetry { try await submit(draft) }
/// ```
///
/// - Parameters:
///   - attempts: The maximum number of attempts. 3 by default; less than 1 counts as 1.
///   - backoff: How long to wait between attempts.
///   - longestRetryAfter: The maximum `Retry-After` to wait for; an error that asks for more is thrown. One minute by
///     default.
///   - clock: Measures the waits.
///   - generator: The random number generator for the waits.
///   - isRetryable: Whether to try again after an error. By default ``NetworkError/isRetryable``, and true for any
///     other error except `CancellationError`.
///   - operation: The operation.
/// - Throws: The error of the last attempt.
public func withRetry<Value, Failure: Error>(
    attempts: Int = 3, backoff: Backoff = Backoff(), longestRetryAfter: Duration = RetryPause.longest,
    clock: some Clock<Duration> = ContinuousClock(),
    using generator: some RandomNumberGenerator = SystemRandomNumberGenerator(),
    isolation: isolated (any Actor)? = #isolation,
    when isRetryable: ((Failure) -> Bool)? = nil,
    _ operation: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await withRetry(
        attempts: attempts, backoff: backoff, longestRetryAfter: longestRetryAfter, clock: clock, using: generator,
        isolation: isolation, when: isRetryable
    ) { _ throws(Failure) in try await operation() }
}

/// Whether to try again by default.
private func isWorthRetrying(_ error: some Error) -> Bool {
    if let error = error as? NetworkError { return error.isRetryable }
    return !(error is CancellationError)
}

private func cancellation<Failure: Error>(after error: Failure) -> Failure {
    if let last = error as? NetworkError {
        return NetworkError(.cancelled, phase: last.phase, request: last.request) as? Failure ?? error
    }
    return CancellationError() as? Failure ?? error
}
