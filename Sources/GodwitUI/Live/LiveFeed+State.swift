public import GodwitCore

extension LiveFeed {
    /// How a feed stands.
    public enum State: Sendable {
        /// Nobody listens.
        case idle
        /// A connection is being made.
        case connecting
        /// What the server sends, comes.
        case open
        /// The connection ended, by an error or without one; the next attempt comes after this pause.
        case waiting(Duration, after: NetworkError?)
        /// It is over: the server has no more (nil), or for a reason that no attempt would change.
        case ended(NetworkError?)
    }
}

extension LiveFeed.State {
    /// Nil for the end: that comes with its reason, from the reading itself.
    init?(_ state: EventSource.State) {
        switch state {
        case .connecting: self = .connecting
        case .open: self = .open
        case .waiting(let pause, let error): self = .waiting(pause, after: error)
        case .closed: return nil
        }
    }

    /// Nil for the end: that comes with its reason, from the reading itself.
    init?(_ state: ReconnectingWebSocket.State) {
        switch state {
        case .connecting: self = .connecting
        case .open: self = .open
        case .waiting(let pause, let error): self = .waiting(pause, after: error)
        case .closed: return nil
        }
    }
}
