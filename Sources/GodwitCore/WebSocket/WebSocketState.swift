import GodwitSupport

/// Decides what happens to a WebSocket's messages, pings and close frames, and how the socket ends. A pure value.
struct WebSocketState: Sendable {
    /// What is known about the end before it happens.
    private struct Closing {
        /// Whether this side asked to close, so that unread messages no longer slow the peer.
        var isOurs = false
        /// The peer's close frame.
        var peer: CloseContent?
        /// The peer's protocol violation, reported after the messages before it have been read.
        var fault: NetworkError?
    }

    private enum Phase {
        case open
        case closing(Closing)
        case ended(NetworkError, Closing)
    }

    private var phase = Phase.open
    private var inbox: MessageInbox
    /// Whether a reader took a message and has not come back for the next.
    private var isHandling = false
    private var pings: [UInt64: Waiter<NetworkError?>] = [:]
    private var closers = Waiters<Void>()
    private var lastPing: UInt64 = 0

    /// Counts what the peer sends.
    private(set) var activity = 0

    /// - Parameter receiveBuffer: The bytes of messages that may wait before the peer is slowed.
    init(receiveBuffer: Int) {
        inbox = MessageInbox(capacity: receiveBuffer)
    }

    private var closing: Closing {
        switch phase {
        case .open: Closing()
        case .closing(let closing), .ended(_, let closing): closing
        }
    }

    private mutating func note(_ change: (inout Closing) -> Void) {
        var closing = closing
        change(&closing)
        phase = ending.map { .ended($0, closing) } ?? .closing(closing)
    }

    /// What ended the socket; `nil` before the end.
    var ending: NetworkError? {
        if case .ended(let error, _) = phase { error } else { nil }
    }

    /// Whether this side asked to close.
    var isClosing: Bool { closing.isOurs }

    /// After the end, what the peer's close frame said, or 1006; `nil` before.
    var closeContent: CloseContent? {
        ending.map { _ in closing.peer ?? CloseContent(.abnormalClosure) }
    }

    // MARK: Messages

    enum Read {
        /// - resumesReading: Whether the connection must be asked for more.
        case message(WebSocketMessage, resumesReading: Bool)
        case waiting(MessageInbox.Reader)
        case ended(NetworkError)
        /// The peer violated the protocol, and all messages before that have been read: the socket must end.
        case broken(NetworkError)
        /// The reader's task is canceled: the socket must end.
        case canceled
    }

    /// A reader asks for a message.
    mutating func read(isCanceled: Bool) -> Read {
        guard ending != nil || !isCanceled else { return .canceled }
        let wasFull = inbox.isFull
        let message = inbox.take()
        isHandling = message != nil
        if let message { return .message(message, resumesReading: wasFull && !inbox.isFull) }
        if let ending { return .ended(ending) }
        if let fault = closing.fault { return .broken(fault) }
        return .waiting(inbox.addReader())
    }

    mutating func remove(_ reader: MessageInbox.Reader) {
        inbox.remove(reader)
    }

    /// A message arrived.
    ///
    /// - Returns: The reader to resume with it, and whether the connection may read on.
    mutating func receive(_ message: WebSocketMessage) -> (reader: MessageInbox.Reader?, wantsMore: Bool) {
        guard ending == nil else { return (nil, false) }
        activity += 1
        let reader = inbox.put(message)
        if reader != nil { isHandling = true }
        return (reader, !inbox.isFull)
    }

    // MARK: Pings

    /// Something other than a message arrived.
    mutating func receiveActivity() {
        activity += 1
    }

    /// Starts a ping.
    ///
    /// - Throws: What ended the socket.
    mutating func startPing() throws(NetworkError) -> (id: UInt64, pong: Waiter<NetworkError?>) {
        if let ending { throw ending }
        lastPing += 1
        let pong = Waiter<NetworkError?>()
        pings[lastPing] = pong
        return (lastPing, pong)
    }

    /// Finishes a ping, whose waiter is returned if it still waits.
    mutating func finishPing(_ id: UInt64) -> Waiter<NetworkError?>? {
        pings.removeValue(forKey: id)
    }

    /// Whether the peer sent nothing since `activity` had this value. A reader that doesn't read can't hear the peer.
    func isSilent(since activity: Int) -> Bool {
        activity == self.activity && !inbox.isFull
    }

    // MARK: The end

    /// This side asks to close.
    ///
    /// - Returns: Whether to send a close frame, whether to ask the connection for more, and what the caller waits for;
    ///   `nil` after the end.
    mutating func close() -> (sendsFrame: Bool, resumesReading: Bool, waiter: Waiter<Void>)? {
        let (sendsFrame, wasFull) = (!closing.isOurs && closing.peer == nil, inbox.isFull)
        note { $0.isOurs = true }
        inbox.removeLimit()
        return ending == nil ? (sendsFrame, wasFull, closers.add()) : nil
    }

    /// The peer's close frame arrived.
    mutating func receiveClose(_ content: CloseContent) {
        note { $0.peer = content }
    }

    /// The peer violated the protocol.
    ///
    /// - Returns: Whether the end must wait until the messages before it have been read.
    mutating func receiveFault(_ error: NetworkError) -> Bool {
        guard ending == nil, !closing.isOurs, isHandling || !inbox.isEmpty else { return false }
        note { $0.fault = error }
        return true
    }

    /// The error to end with now that the connection has ended.
    func reason(orElse error: NetworkError?) -> NetworkError {
        closing.peer.map(Self.closed) ?? error
            ?? NetworkError(.transport(.connectionLost("it ended without a close frame")), phase: .receiving)
    }

    static func closed(_ content: CloseContent) -> NetworkError {
        NetworkError(.socketClosed(code: content.code, reason: content.reason), phase: .receiving)
    }

    /// The tasks to resume at the end.
    struct Waiting: Sendable {
        package let readers: [MessageInbox.Reader]
        let pings: [Waiter<NetworkError?>]
        package let closers: [Waiter<Void>]
    }

    /// Ends the socket. The first error counts; later calls return `nil`.
    mutating func end(_ error: NetworkError) -> Waiting? {
        guard ending == nil else { return nil }
        phase = .ended(error, closing)
        defer { pings = [:] }
        return Waiting(readers: inbox.takeReaders(), pings: Array(pings.values), closers: closers.takeAll())
    }
}
