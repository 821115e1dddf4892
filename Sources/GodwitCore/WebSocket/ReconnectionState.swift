/// Decides for a ``ReconnectingWebSocket`` where messages go, which attempt comes next, and which side closes a connection. A
/// pure value.
struct ReconnectionState<Connection: AnyObject & Sendable>: Sendable {
    private enum Phase {
        case connecting
        /// Connected: `onConnect` runs, then kept messages are sent.
        case preparing(Connection)
        case open(Connection)
        /// A send failed, or the connection ended; the decision about the next attempt is pending.
        case lost(Connection?)
        case waiting(Duration, after: NetworkError)
        case closed(NetworkError?)
    }

    private static var closed: NetworkError {
        NetworkError(.socketClosed(code: .normalClosure, reason: ""), phase: .receiving)
    }

    private let settledAfter: Duration
    private var phase = Phase.connecting
    private var outgoing: OutgoingQueue
    private var failures = 0

    /// - Parameter settledAfter: A connection that was open this long restarts the count of failures.
    init(_ outgoing: OutgoingQueue, settledAfter: Duration) {
        self.outgoing = outgoing
        self.settledAfter = settledAfter
    }

    /// What observers see.
    var observed: ReconnectingWebSocket.State {
        switch phase {
        case .connecting, .preparing: .connecting(attempt: failures + 1)
        case .open, .lost: .open
        case .waiting(let pause, let error): .waiting(pause, after: error)
        case .closed(let error): .closed(error)
        }
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }

    // MARK: Connecting

    /// A new attempt starts.
    mutating func connect() {
        if !isClosed { phase = .connecting }
    }

    /// An attempt connected. Returns `false` if the socket was closed meanwhile: then the caller closes the connection.
    mutating func connected(_ connection: Connection) -> Bool {
        guard !isClosed else { return false }
        phase = .preparing(connection)
        return true
    }

    /// The next kept message to send over a new connection. After the last one the socket is open.
    mutating func nextMessage(for connection: Connection) -> WebSocketMessage? {
        if let message = outgoing.take() { return message }
        if !isClosed { phase = .open(connection) }
        return nil
    }

    /// A kept message was sent, or sending it failed.
    mutating func finishMessage(isSent: Bool) {
        isSent ? outgoing.finish() : outgoing.putBack()
    }

    /// An attempt failed, or its connection ended.
    ///
    /// - Parameter lifetime: How long ago the attempt started.
    /// - Returns: The number of failures in a row, this one included.
    mutating func disconnected(after lifetime: Duration) -> Int {
        switch phase {
        case .open, .lost:
            if lifetime >= settledAfter { failures = 0 }
            phase = .lost(nil)
        case .preparing: phase = .connecting
        case .connecting, .waiting, .closed: break
        }
        return failures + 1
    }

    /// Another attempt follows after a pause.
    mutating func wait(_ pause: Duration, after error: NetworkError) {
        guard !isClosed else { return }
        failures += 1
        phase = .waiting(pause, after: error)
    }

    // MARK: Sending

    /// The connection to send a message over; `nil` if the message is kept for the next one.
    ///
    /// - Throws: What ended the socket, and `.transport(.cannotSendBody)` if too many messages are kept.
    mutating func route(_ message: WebSocketMessage) throws(NetworkError) -> Connection? {
        if case .open(let connection) = phase { return connection }
        try keep(message)
        return nil
    }

    /// Sending over a connection failed; the message is kept for the next one.
    mutating func sendFailed(_ message: WebSocketMessage, over connection: Connection) throws(NetworkError) {
        if case .open(let current) = phase, current === connection { phase = .lost(connection) }
        try keep(message)
    }

    private mutating func keep(_ message: WebSocketMessage) throws(NetworkError) {
        if case .closed(let error) = phase { throw error ?? Self.closed }
        guard !outgoing.append(message) else { return }
        throw NetworkError(
            .transport(.cannotSendBody("\(outgoing.limit) messages wait for a connection already")), phase: .sending)
    }

    // MARK: The end

    /// Closes the socket; `nil` if it was closed before.
    ///
    /// A connection is closed by one side: by the caller of this function, or by the attempt that connected too late.
    ///
    /// - Returns: What readers get from now on, and the connection to close.
    mutating func close(_ error: NetworkError?) -> (reason: NetworkError, connection: Connection?)? {
        guard !isClosed else { return nil }
        defer { phase = .closed(error) }
        outgoing.removeAll()
        return switch phase {
        case .preparing(let connection), .open(let connection): (error ?? Self.closed, connection)
        case .lost(let connection): (error ?? Self.closed, connection)
        case .connecting, .waiting, .closed: (error ?? Self.closed, nil)
        }
    }
}
