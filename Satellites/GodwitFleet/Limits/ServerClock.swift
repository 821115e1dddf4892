#if os(Linux)
/// Converts times of the server's clock. It has no clock itself.
///
/// The fastest reply shows how far the clocks are apart. A reply that took longer is late by the difference: the times in
/// it have begun to pass.
struct ServerClock: Sendable {
    /// This process's time minus the server's, by the fastest reply.
    private var offset: (value: Duration, measured: Duration)?

    /// The clocks drift apart, so that an old measurement is replaced.
    private static let lifetime = Duration.seconds(30)

    /// This process's time of a reply's time.
    ///
    /// - Parameters:
    ///   - server: The server's time when it ran the command.
    ///   - sent: When the command was sent.
    ///   - received: When the reply came.
    mutating func time(of server: Duration, sent: Duration, received: Duration) -> Duration {
        let slowest = received - server
        // Before the command was sent, it can't have run: the server's clock was set back.
        if let offset, received - offset.measured < Self.lifetime, slowest > offset.value,
            server + offset.value >= sent
        {
            return server + offset.value
        }
        offset = (slowest, received)
        return received
    }

    /// Accepts the next reply, however late it is: the network has become slower.
    mutating func reset() { offset = nil }
}
#endif
