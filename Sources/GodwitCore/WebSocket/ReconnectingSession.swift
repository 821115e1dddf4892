import Synchronization

/// The working half of a ``ReconnectingWebSocket``: one task that connects, reads, and connects again.
final class ReconnectingSession: Sendable {
    private struct State: Sendable {
        var current = ReconnectingWebSocket.State.connecting(attempt: 1)
        var observers: [Int: AsyncStream<ReconnectingWebSocket.State>.Continuation] = [:]
        /// The connection that sends go to; nil while there is none, or what waited goes first.
        var socket: WebSocket?
        /// The newest connection, to be closed with the whole.
        var newest: WebSocket?
        var outgoing: OutgoingQueue
        var driver: Task<Void, Never>?
        var isOver = false
        var ending: NetworkError?
        var lastID = 0
    }

    let inbox = MessageRelay(capacity: 256 << 10)
    private let options: ReconnectOptions
    private let connect: ReconnectingWebSocket.Connect
    private let timeline: Timeline
    private let random: RandomSource
    private let state: Mutex<State>

    init(_ options: ReconnectOptions, _ connect: @escaping ReconnectingWebSocket.Connect) {
        self.options = options
        self.connect = connect
        state = Mutex(State(outgoing: OutgoingQueue(limit: options.outgoingLimit, overflow: options.overflow)))
        timeline = Timeline(options.clock)
        random = RandomSource(options.randomness)
    }

    func start() {
        let driver = Task { await run() }
        let isOver = state.withLock { state in
            state.driver = driver
            return state.isOver
        }
        if isOver { driver.cancel() }
    }

    // MARK: Connecting

    private func run() async {
        var failures = 0
        while !Task.isCancelled {
            // The first attempt is what a session begins with.
            if failures > 0 { tell(.connecting(attempt: failures + 1)) }
            let start = timeline.now
            let (error, wasOpen) = await converse()
            guard goesOn(after: error) else {
                end(error)
                return
            }
            if wasOpen, timeline.now - start >= options.settledAfter { failures = 0 }
            failures += 1
            let drawn = random.draw { [backoff = options.backoff, failures] in
                backoff.delay(afterFailure: failures, using: &$0)
            }
            let pause = max(drawn, error.suggestedRetryDelay ?? .zero)
            tell(.waiting(pause, after: error))
            guard (try? await timeline.sleep(for: pause)) != nil else { return }
        }
    }

    /// Whether there is to be another connection. One that a sender took with it, whose task was cancelled while the peer
    /// did not read, is lost; the session is not.
    private func goesOn(after error: NetworkError) -> Bool {
        guard !Task.isCancelled, !state.withLock(\.isOver), !(error.underlying is AccountChanged) else { return false }
        return error.kind == .cancelled || options.reconnects(error)
    }

    /// One connection from its beginning to its end; what ended it, and whether it stood.
    private func converse() async -> (NetworkError, wasOpen: Bool) {
        var wasOpen = false
        do throws(NetworkError) {
            let socket = try await connect()
            defer { state.withLock { if $0.newest === socket { ($0.socket, $0.newest) = (nil, nil) } } }
            guard
                state.withLock({ state in
                    if !state.isOver { state.newest = socket }
                    return !state.isOver
                })
            else { throw Self.cancellation }
            do {
                try await options.onConnect(socket)
            } catch {
                throw NetworkError(thrown: error, phase: .middleware)
            }
            try await sendWaiting(over: socket)
            wasOpen = true
            tell(.open)
            while true { await inbox.put(try await socket.receive()) }
        } catch {
            return (error, wasOpen)
        }
    }

    /// Sends what waited, in order, and lets new messages through once nothing does any more.
    private func sendWaiting(over socket: WebSocket) async throws(NetworkError) {
        while let next = state.withLock({ state -> WebSocketMessage? in
            let next = state.outgoing.take()
            if next == nil, !state.isOver { state.socket = socket }
            return next
        }) {
            do throws(NetworkError) {
                try await socket.send(next)
            } catch {
                state.withLock { $0.outgoing.putBack() }
                throw error
            }
            state.withLock { $0.outgoing.finish() }
        }
    }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(NetworkError) {
        guard
            let socket = try state.withLock({ state throws(NetworkError) in
                if state.isOver { throw state.ending ?? Self.closed }
                return state.socket
            })
        else { return try keep(message) }
        do throws(NetworkError) {
            try await socket.send(message)
        } catch {
            if case .cancelled = error.kind { throw error }
            state.withLock { if $0.socket === socket { $0.socket = nil } }
            try keep(message)
        }
    }

    private func keep(_ message: WebSocketMessage) throws(NetworkError) {
        try state.withLock { state throws(NetworkError) in
            if state.isOver { throw state.ending ?? Self.closed }
            guard !state.outgoing.append(message) else { return }
            let count = max(0, options.outgoingLimit)
            throw NetworkError(
                .transport(.cannotSendBody("\(count) messages wait for a connection already")), phase: .sending)
        }
    }

    // MARK: The end

    func close(_ content: CloseContent) async {
        let last = end(nil)
        // Without a connection the attempt under way ends at once; one that it still makes is closed as it comes.
        if let socket = last?.newest { await socket.close(content.code, reason: content.reason) }
        last?.driver?.cancel()
    }

    /// Ends it at once, with the connection that it has.
    func abandon() {
        end(nil)?.driver?.cancel()
    }

    /// Ends it at once with an error, and sends the peer a close frame without waiting for its answer.
    func end(_ error: NetworkError, saying content: CloseContent) {
        let last = end(error)
        if let socket = last?.newest { Task { await socket.close(content.code, reason: content.reason) } }
        last?.driver?.cancel()
    }

    /// Ends it for good, and says what is left to be ended; `nil` if it was over already.
    ///
    /// The connection is taken out under the same lock under which a new one is put in, so that each is closed by one side:
    /// by whoever ends the session, or by the attempt that made it too late.
    @discardableResult
    private func end(_ error: NetworkError?) -> Last? {
        let last = state.withLock { state -> Last? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.ending = error
            let last = Last(newest: state.newest, driver: state.driver)
            (state.socket, state.newest, state.driver) = (nil, nil, nil)
            state.outgoing.removeAll()
            return last
        }
        guard let last else { return nil }
        inbox.end(error ?? Self.closed)
        tell(.closed(error))
        return last
    }

    private struct Last {
        let newest: WebSocket?
        let driver: Task<Void, Never>?
    }

    private static let closed = NetworkError(.socketClosed(code: .normalClosure, reason: ""), phase: .receiving)
    private static let cancellation = NetworkError(.cancelled, phase: .connecting)

    // MARK: States

    func states() -> AsyncStream<ReconnectingWebSocket.State> {
        let (stream, observer) = AsyncStream.makeStream(of: ReconnectingWebSocket.State.self)
        let id = state.withLock { state -> Int in
            state.lastID += 1
            observer.yield(state.current)
            if state.isOver { observer.finish() } else { state.observers[state.lastID] = observer }
            return state.lastID
        }
        observer.onTermination = { [weak self] _ in self?.forget(id) }
        return stream
    }

    private func forget(_ id: Int) {
        state.withLock { _ = $0.observers.removeValue(forKey: id) }
    }

    private func tell(_ new: ReconnectingWebSocket.State) {
        let observers = state.withLock { state in
            if case .closed = state.current { return [AsyncStream<ReconnectingWebSocket.State>.Continuation]() }
            // Once it is over, only that is worth telling.
            if state.isOver { guard case .closed = new else { return [] } }
            state.current = new
            return Array(state.observers.values)
        }
        for observer in observers { observer.yield(new) }
        if case .closed = new { for observer in observers { observer.finish() } }
    }
}
