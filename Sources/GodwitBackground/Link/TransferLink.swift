package import GodwitCore

/// The way from a session to whoever transfers for it.
package protocol TransferLink: Sendable {
    /// Sends a command, and returns the answer.
    ///
    /// Throws `.invalidRequest` for what is refused, and `.file` where nobody is there to take it, or it cannot be
    /// written down.
    func send(_ command: TransferCommand) async throws(NetworkError) -> TransferReply

    /// Begins a reading of the session's events.
    func following() -> any TransferFollowing

    /// Ends the connection, and all readings of events.
    func close()
}

/// One reading of a session's events.
package protocol TransferFollowing: Sendable {
    /// The next event; nil at the end.
    func next() async throws(NetworkError) -> BackgroundEvent?
}
