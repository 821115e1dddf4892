/// When to reconnect: the server's delay plus a random backoff that grows with each consecutive failure.
///
/// The random part keeps clients that were disconnected together from reconnecting together.
package struct Reconnection: Sendable {
    private let backoff: Backoff
    private let longest: Duration
    /// Consecutive connections that delivered nothing.
    package private(set) var failures = 0
    /// The delay the server last requested with `retry`.
    package var serverDelay = Duration.zero

    /// - Parameter longest: The most that the server may ask for.
    package init(_ backoff: Backoff, longest: Duration) {
        self.backoff = backoff
        self.longest = longest
    }

    /// Records that the connection delivered something: the next failure counts as the first.
    package mutating func noteProgress() {
        failures = 0
    }

    /// The delay after a connection ended: at least the requested delay within the bound, at most that plus the
    /// backoff's cap.
    ///
    /// - Parameters:
    ///   - lifetime: How long the connection was open. Longer than the backoff's cap counts as progress.
    ///   - asked: The delay that this response requested with `Retry-After`.
    package mutating func delay(
        afterConnectionOf lifetime: Duration, asked: Duration?, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        failures = lifetime > backoff.cap ? 1 : failures + 1
        let pause = RetryPause(.zero, asked: max(serverDelay, asked ?? .zero), longest: longest)
        return pause.duration + backoff.delay(afterFailure: failures, using: &generator)
    }
}
