@_spi(Engines) package import GodwitCore
import Synchronization

/// The messages of a system WebSocket. Requests one at a time, so that a slow reader slows the peer.
///
/// The end is reported once, when the task is over: the peer's close frame, otherwise the first failure. A failed read
/// is reported before the task ends.
package final class SocketMessages: MessageConnection {
    typealias Completion = @Sendable (NetworkError?) -> Void

    /// The state of reading.
    private enum Reading {
        /// No message is requested.
        case idle
        /// A message was requested from the task.
        case waiting
        /// The receiver is handling a message; it may have requested another.
        case delivering(wantsMore: Bool)
        /// No more messages.
        case over
    }

    private struct State: Sendable {
        var receiver: (any MessageReceiver)?
        var reading = Reading.idle
        var sends: [Int: Completion] = [:]
        var lastID = 0
        /// Our close frame.
        var sentClose: CloseContent?
        /// The peer's close frame.
        var receivedClose: CloseContent?
        /// The first failure.
        var failure: NetworkError?
        /// Whether to close with "message too big".
        var isTooLarge = false
        /// The receiver was told about the end, or abandoned the connection.
        var isOver = false
        var hasCompleted = false
    }

    private let task: any SocketTask
    private let host: String
    private let messageLimit: Int
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// How long an abandoned connection may take to close.
    private static let closeTimeout = Duration.seconds(1)

    /// - Parameters:
    ///   - messageLimit: Maximum bytes of a message.
    ///   - clock: The clock for the close timeout.
    package init(
        _ task: any SocketTask, host: String, messageLimit: Int, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.task = task
        self.host = host
        self.messageLimit = messageLimit
        self.clock = clock
    }

    deinit {
        if state.withLock({ !$0.isOver && !$0.hasCompleted }) { task.cancel() }
    }

    // MARK: Reading

    package func start(_ receiver: any MessageReceiver) {
        let (frame, isTooLate) = state.withLock { state in
            state.receiver = receiver
            return (state.receivedClose, state.hasCompleted)
        }
        if let frame { receiver.receiveClose(frame.code, reason: frame.reason) }
        isTooLate ? settle() : read()
    }

    package func resumeReading() {
        let reads = state.withLock { state in
            if case .delivering = state.reading { state.reading = .delivering(wantsMore: true) }
            if case .idle = state.reading { return true }
            return false
        }
        if reads { read() }
    }

    private func read() {
        let isAsked = state.withLock { state in
            guard case .idle = state.reading, !state.isOver else { return false }
            state.reading = .waiting
            return true
        }
        if isAsked { task.receive { [self] in take($0) } }
    }

    private func take(_ result: Result<WebSocketMessage, any Error>) {
        switch result {
        case .success(let message) where message.byteCount > messageLimit:
            refuse(NetworkError(.tooLarge(limit: Int64(messageLimit)), phase: .receiving))
        case .success(let message): deliver(message)
        case .failure(let error): stopReading(error)
        }
    }

    private func deliver(_ message: WebSocketMessage) {
        let receiver = state.withLock { state in
            state.reading = .delivering(wantsMore: false)
            return state.receiver
        }
        guard let receiver else { return }
        let wantsNext = receiver.receive(message)
        let reads = state.withLock { state in
            guard case .delivering(let wantsMore) = state.reading else { return false }
            state.reading = .idle
            return wantsNext || wantsMore
        }
        if reads { read() }
    }

    /// Every read fails at the end. The cause is known when the task is over; canceling ensures that.
    private func stopReading(_ error: any Error) {
        let failure = failure(error, .receiving)
        if case .tooLarge = failure.kind { return refuse(failure) }
        let isOurs = state.withLock { state in
            state.reading = .over
            state.failure = state.failure ?? failure
            return state.sentClose != nil
        }
        note(isOurs ? nil : task.closeFrame)
        if !isOurs { task.cancel() }
    }

    private func refuse(_ failure: NetworkError) {
        let receiver = state.withLock { state in
            state.reading = .over
            state.isTooLarge = true
            return state.receiver
        }
        // The receiver then abandons the connection.
        receiver?.receiveEnd(failure)
    }

    // MARK: Sending

    package func send(_ message: WebSocketMessage, completion: @escaping @Sendable (NetworkError?) -> Void) {
        let id = state.withLock { state -> Int? in
            guard !state.isOver, !state.hasCompleted, state.sentClose == nil, state.receivedClose == nil else {
                return nil
            }
            state.lastID += 1
            state.sends[state.lastID] = completion
            return state.lastID
        }
        guard let id else { return completion(Self.closed) }
        task.send(message) { [self] error in
            let completion = state.withLock { $0.sends.removeValue(forKey: id) }
            completion?(error.map { failure($0, .sending) })
        }
    }

    package func ping(_ id: UInt64) {
        task.ping { [weak self] error in
            // A failed ping is followed by the end of the task.
            if error == nil { self?.state.withLock(\.receiver)?.receivePong(id) }
        }
    }

    // MARK: The end

    package func close(_ code: WebSocketCloseCode, reason: String) {
        let content = CloseContent(code, reason: reason)
        let isFirst = state.withLock { state in
            guard !state.isOver, state.sentClose == nil, state.receivedClose == nil else { return false }
            state.sentClose = content
            return true
        }
        if isFirst { task.close(content) }
    }

    package func abandon(_ code: WebSocketCloseCode?) {
        let (isOpen, content, sends) = state.withLock { state -> (Bool, CloseContent?, [Completion]) in
            defer {
                state.isOver = true
                state.receiver = nil
                state.sends = [:]
            }
            let sendsClose = state.sentClose == nil && state.receivedClose == nil && state.failure == nil
            let code = state.isTooLarge ? .messageTooBig : code
            return (
                !state.isOver && !state.hasCompleted, sendsClose ? code.map { CloseContent($0) } : nil,
                Array(state.sends.values)
            )
        }
        for completion in sends { completion(Self.closed) }
        guard isOpen else { return }
        guard let content else { return task.cancel() }
        task.close(content)
        // The peer may never answer.
        Task { [task, clock] in
            try? await clock.sleep(for: Self.closeTimeout)
            task.cancel()
        }
    }

    /// The system reports the peer's close frame, or its answer to ours.
    package func receiveClose(_ frame: CloseContent) {
        note(frame)
    }

    private func note(_ frame: CloseContent?) {
        guard let frame else { return }
        let receiver = state.withLock { state -> (any MessageReceiver)? in
            guard state.receivedClose == nil else { return nil }
            state.receivedClose = frame
            return state.receiver
        }
        receiver?.receiveClose(frame.code, reason: frame.reason)
    }

    /// The task is over.
    package func complete(_ error: (any Error)?) {
        let isOurs = state.withLock { state in
            state.hasCompleted = true
            state.reading = .over
            state.failure = state.failure ?? error.map { failure($0, .receiving) }
            return state.sentClose != nil
        }
        // The peer's answer to our close frame isn't always reported; having sent ours is enough.
        note(isOurs ? state.withLock(\.sentClose) : task.closeFrame)
        settle()
    }

    /// Cancels the connection when the transport shuts down.
    package func cancel() {
        let receiver = state.withLock(\.receiver)
        if let receiver { return receiver.receiveEnd(NetworkError(.cancelled, phase: .receiving)) }
        task.cancel()
    }

    private func settle() {
        let last = state.withLock { state -> State? in
            guard state.receiver != nil else { return nil }
            defer {
                state.isOver = true
                state.receiver = nil
                state.sends = [:]
            }
            return state
        }
        guard let last else { return }
        let failure = last.receivedClose == nil ? last.failure : nil
        last.receiver?.receiveEnd(failure)
        for completion in last.sends.values { completion(failure ?? Self.closed) }
    }

    private func failure(_ error: any Error, _ phase: NetworkError.Phase) -> NetworkError {
        let kind = SocketFailure.kind(of: error, host: host, messageLimit: messageLimit)
        return NetworkError(kind, phase: phase, underlying: error)
    }

    private static let closed = NetworkError(.transport(.connectionLost("the socket is closed")), phase: .sending)
}
