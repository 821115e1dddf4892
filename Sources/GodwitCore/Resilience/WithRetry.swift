/// Does something that may fail, and does it again where that may help.
///
/// ```swift
/// let receipt = try await withRetry(attempts: 4) { attempt in try await submit(draft) }
/// ```
///
/// Waits between attempts grow and are drawn by chance (``Backoff``); where a ``NetworkError`` says how long to wait
/// (`Retry-After`), that long at least. For requests of an ``APIClient`` prefer its own retries, which know what may
/// be sent twice.
///
/// Cancelling the task ends a wait at once: `.cancelled` is thrown after a ``NetworkError``, `CancellationError` after
/// another error, and the operation's last error where its `Failure` can be neither.
///
/// - Parameters:
///   - attempts: The most attempts in all; less than 1 counts as 1.
///   - backoff: How long to wait.
///   - clock: What the waits are measured by.
///   - generator: Where chance comes from.
///   - isRetryable: Whether another attempt may help. Without it, what ``NetworkError/isRetryable`` says; any other
///     error but `CancellationError` counts as retryable.
///   - operation: Gets the number of the attempt, from 1.
///
/// The defaults are three attempts and waits of up to 0.5 and 1 seconds. The error of the last attempt is
/// thrown as it is.
public func withRetry<Value, Failure: Error>(
    attempts: Int = 3, backoff: Backoff = Backoff(), clock: some Clock<Duration> = ContinuousClock(),
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
            let asked = (error as? NetworkError)?.suggestedRetryDelay ?? .zero
            let delay = max(asked, backoff.delay(afterFailure: attempt, using: &generator))
            guard (try? await clock.sleep(for: delay.bounded)) != nil else { throw cancellation(after: error) }
            attempt += 1
        }
    }
}

/// Does something that may fail, and does it again if that may help: as the function of the same name whose operation
/// takes the number of the attempt.
///
/// ```swift
/// let receipt = try await withRetry { try await submit(draft) }
/// ```
///
/// - Parameters:
///   - attempts: The most attempts in all; less than 1 counts as 1. Three by default.
///   - backoff: How long to wait between attempts.
///   - clock: What the waits are measured by.
///   - generator: The random number generator of the waits.
///   - isRetryable: Whether another attempt may help; by default ``NetworkError/isRetryable``, and true for every other
///     error but `CancellationError`.
///   - operation: The work.
/// - Throws: The error of the last attempt.
public func withRetry<Value, Failure: Error>(
    attempts: Int = 3, backoff: Backoff = Backoff(), clock: some Clock<Duration> = ContinuousClock(),
    using generator: some RandomNumberGenerator = SystemRandomNumberGenerator(),
    isolation: isolated (any Actor)? = #isolation,
    when isRetryable: ((Failure) -> Bool)? = nil,
    _ operation: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await withRetry(
        attempts: attempts, backoff: backoff, clock: clock, using: generator, isolation: isolation, when: isRetryable
    ) { _ throws(Failure) in try await operation() }
}

/// Whether trying again may help, where nobody knows better.
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
