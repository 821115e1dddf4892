package import GodwitCore

/// Connects a session to the process or system that transfers for it.
package protocol TransferLink: Sendable {
    /// Sends a command, and returns the reply.
    ///
    /// Throws `.invalidRequest` if it is rejected, and `.file` if it can't be delivered or saved.
    func send(_ command: TransferCommand) async throws(NetworkError) -> TransferReply

    /// Starts a reader of the session's events.
    func following() -> any TransferFollowing

    /// Ends the connection and all readers of events.
    func close()
}

/// Reads a session's events.
package protocol TransferFollowing: Sendable {
    /// Waits for the next event; `nil` at the end.
    func next() async throws(NetworkError) -> BackgroundEvent?
}
