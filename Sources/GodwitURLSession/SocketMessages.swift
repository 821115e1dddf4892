package import GodwitCore
import Synchronization

/// The messages of a system's WebSocket: one is asked for at a time, so that a reader who does not ask slows the peer.
///
/// How it ended is told once, when the task is over: the close frame where there was one, else the first thing that went
/// wrong. A failed read comes before both.
package final class SocketMessages: MessageConnection {
    typealias Completion = @Sendable (NetworkError?) -> Void

    /// Where the reading stands.
    private enum Reading {
        /// Nobody wants the next message.
        case idle
        /// The task was asked for one.
        case waiting
        /// The receiver has one in hand; whether it asked for more meanwhile.
        case delivering(wantsMore: Bool)
        /// There will be none.
        case over
    }

    private struct State: Sendable {
        var receiver: (any MessageReceiver)?
        var reading = Reading.idle
        var sends: [Int: Completion] = [:]
        var lastID = 0
        /// What our close frame said.
        var goodbye: CloseContent?
        /// What the peer's said.
        var farewell: CloseContent?
        /// What went wrong first.
        var failure: NetworkError?
        /// Whether the peer is told that its message was too large.
        var isTooLarge = false
        /// The receiver heard the end, or does not want to.
        var isOver = false
        var hasCompleted = false
    }

    private let task: any SocketTask
    private let host: String
    private let messageLimit: Int
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// How long a goodbye may take that nobody waits for.
    private static let grace = Duration.seconds(1)

    /// - Parameters:
    ///   - host: Whom to name in errors.
    ///   - messageLimit: The most bytes a message may have.
    ///   - clock: What the time for an unheard goodbye is measured by.
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
        let (farewell, isTooLate) = state.withLock { state in
            state.receiver = receiver
            return (state.farewell, state.hasCompleted)
        }
        if let farewell { receiver.receiveClose(farewell.code, reason: farewell.reason) }
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
        let goesOn = receiver.receive(message)
        let reads = state.withLock { state in
            guard case .delivering(let wantsMore) = state.reading else { return false }
            state.reading = .idle
            return goesOn || wantsMore
        }
        if reads { read() }
    }

    /// A read fails at the end, whatever it is. Why is known once the task is over, which cancelling it sees to.
    private func stopReading(_ error: any Error) {
        let failure = failure(error, .receiving)
        if case .tooLarge = failure.kind { return refuse(failure) }
        let isOurs = state.withLock { state in
            state.reading = .over
            state.failure = state.failure ?? failure
            return state.goodbye != nil
        }
        note(isOurs ? nil : task.farewell)
        if !isOurs { task.cancel() }
    }

    private func refuse(_ failure: NetworkError) {
        let receiver = state.withLock { state in
            state.reading = .over
            state.isTooLarge = true
            return state.receiver
        }
        // Which then abandons the connection.
        receiver?.receiveEnd(failure)
    }

    // MARK: Sending

    package func send(_ message: WebSocketMessage, completion: @escaping @Sendable (NetworkError?) -> Void) {
        let id = state.withLock { state -> Int? in
            guard !state.isOver, !state.hasCompleted, state.goodbye == nil, state.farewell == nil else { return nil }
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
            // A ping that fails is followed by the end of the task.
            if error == nil { self?.state.withLock(\.receiver)?.receivePong(id) }
        }
    }

    // MARK: The end

    package func close(_ code: WebSocketCloseCode, reason: String) {
        let content = CloseContent(code, reason: reason)
        let isFirst = state.withLock { state in
            guard !state.isOver, state.goodbye == nil, state.farewell == nil else { return false }
            state.goodbye = content
            return true
        }
        if isFirst { task.close(content) }
    }

    package func abandon(_ code: WebSocketCloseCode?) {
        let (isOpen, content, sends) = state.withLock { state -> (Bool, CloseContent?, [Completion]) in
            defer { (state.isOver, state.receiver, state.sends) = (true, nil, [:]) }
            let saysGoodbye = state.goodbye == nil && state.farewell == nil && state.failure == nil
            let code = state.isTooLarge ? .messageTooBig : code
            return (
                !state.isOver && !state.hasCompleted, saysGoodbye ? code.map { CloseContent($0) } : nil,
                Array(state.sends.values)
            )
        }
        for completion in sends { completion(Self.closed) }
        guard isOpen else { return }
        guard let content else { return task.cancel() }
        task.close(content)
        // The peer may never answer.
        Task { [task, clock] in
            try? await clock.sleep(for: Self.grace)
            task.cancel()
        }
    }

    /// The system says that the peer said goodbye, or that ours was answered.
    package func hear(_ farewell: CloseContent) {
        note(farewell)
    }

    private func note(_ farewell: CloseContent?) {
        guard let farewell else { return }
        let receiver = state.withLock { state -> (any MessageReceiver)? in
            guard state.farewell == nil else { return nil }
            state.farewell = farewell
            return state.receiver
        }
        receiver?.receiveClose(farewell.code, reason: farewell.reason)
    }

    /// The task is over.
    package func complete(_ error: (any Error)?) {
        let isOurs = state.withLock { state in
            state.hasCompleted = true
            state.reading = .over
            state.failure = state.failure ?? error.map { failure($0, .receiving) }
            return state.goodbye != nil
        }
        // Whether the peer answered our close frame is not always told; that we asked to close is enough.
        note(isOurs ? state.withLock(\.goodbye) : task.farewell)
        settle()
    }

    /// Ends it from outside: the transport shuts down.
    package func cancel() {
        let receiver = state.withLock(\.receiver)
        if let receiver { return receiver.receiveEnd(NetworkError(.cancelled, phase: .receiving)) }
        task.cancel()
    }

    private func settle() {
        let last = state.withLock { state -> State? in
            guard state.receiver != nil else { return nil }
            defer { (state.isOver, state.receiver, state.sends) = (true, nil, [:]) }
            return state
        }
        guard let last else { return }
        let failure = last.farewell == nil ? last.failure : nil
        last.receiver?.receiveEnd(failure)
        for completion in last.sends.values { completion(failure ?? Self.closed) }
    }

    private func failure(_ error: any Error, _ phase: NetworkError.Phase) -> NetworkError {
        let kind = SocketFailure.kind(of: error, host: host, messageLimit: messageLimit)
        return NetworkError(kind, phase: phase, underlying: error)
    }

    private static let closed = NetworkError(.transport(.connectionLost("the socket is closed")), phase: .sending)
}
