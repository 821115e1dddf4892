/// When to connect again: what the server asked for, and on top a pause by chance that grows with each failure in a row.
///
/// The chance on top is what keeps clients that were cut off together from coming back together.
package struct Reconnection: Sendable {
    private let backoff: Backoff
    /// How many connections in a row brought nothing.
    package private(set) var failures = 0
    /// What the server asked for last by `retry`.
    package var serverDelay = Duration.zero

    package init(_ backoff: Backoff) {
        self.backoff = backoff
    }

    /// Says that the connection is of use: the next failure is the first again.
    package mutating func noteProgress() {
        failures = 0
    }

    /// How long to wait now that a connection ended: from what was asked for, to that and the cap of the backoff.
    ///
    /// - Parameters:
    ///   - lifetime: How long the connection stood. One that outlived every pause counts as progress.
    ///   - asked: What this answer asked for by `Retry-After`.
    package mutating func delay(
        afterConnectionOf lifetime: Duration, asked: Duration?, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        failures = lifetime > backoff.cap ? 1 : failures + 1
        return max(serverDelay, asked ?? .zero) + backoff.delay(afterFailure: failures, using: &generator)
    }
}
