import GodwitSupport
import Synchronization

/// Does what ``ReconnectionState`` decides: a task that connects, reads, and connects again.
final class ReconnectingSession: Sendable {
    typealias Observer = AsyncStream<ReconnectingWebSocket.State>.Continuation

    private struct State: Sendable {
        var reconnection: ReconnectionState<WebSocket>
        var driver: Task<Void, Never>?
        var observers: [Int: Observer] = [:]
        var lastObserver = 0
    }

    private static let cancellation = NetworkError(.cancelled, phase: .connecting)

    let inbox = MessageRelay(capacity: 256 << 10)
    private let options: ReconnectOptions
    private let connect: ReconnectingWebSocket.Connect
    private let timeline: Timeline
    private let random: RandomSource
    private let state: Mutex<State>

    init(_ options: ReconnectOptions, _ connect: @escaping ReconnectingWebSocket.Connect) {
        self.options = options
        self.connect = connect
        let outgoing = OutgoingQueue(limit: options.outgoingLimit, overflow: options.overflow)
        state = Mutex(State(reconnection: ReconnectionState(outgoing, settledAfter: options.settledAfter)))
        timeline = Timeline(options.clock)
        random = RandomSource(options.randomness)
    }

    func start() {
        let driver = Task { await run() }
        let isClosed = state.withLock { state in
            state.driver = driver
            return state.reconnection.isClosed
        }
        if isClosed { driver.cancel() }
    }

    // MARK: Connecting

    private func run() async {
        while !Task.isCancelled {
            let start = timeline.now
            let error = await useConnection()
            let lifetime = timeline.now - start
            let failures = state.withLock { $0.reconnection.disconnected(after: lifetime) }
            guard shouldReconnect(after: error) else { return end(error) }
            let delay = random.draw { [backoff = options.backoff] in backoff.delay(afterFailure: failures, using: &$0) }
            let pause = RetryPause(
                delay, asked: error.suggestedRetryDelay, longest: options.longestRetryAfter
            ).duration
            update { $0.wait(pause, after: error) }
            guard (try? await timeline.sleep(for: pause)) != nil else { return }
            update { $0.connect() }
        }
    }

    /// Whether to make another connection. `.cancelled` counts: it ends the connection if a sender's task is canceled while
    /// the peer doesn't read, but not the session.
    private func shouldReconnect(after error: NetworkError) -> Bool {
        guard !Task.isCancelled, !state.withLock(\.reconnection.isClosed), !(error.underlying is AccountChanged) else {
            return false
        }
        return error.kind == .cancelled || options.reconnects(error)
    }

    /// Makes a connection and reads until it ends; returns what ended it.
    private func useConnection() async -> NetworkError {
        do throws(NetworkError) {
            let socket = try await connect()
            guard state.withLock({ $0.reconnection.connected(socket) }) else { throw Self.cancellation }
            do {
                try await options.onConnect(socket)
            } catch {
                throw NetworkError(thrown: error, phase: .middleware)
            }
            try await sendKeptMessages(over: socket)
            update { _ in }
            while true { await inbox.put(try await socket.receive()) }
        } catch {
            return error
        }
    }

    private func sendKeptMessages(over socket: WebSocket) async throws(NetworkError) {
        while let next = state.withLock({ $0.reconnection.nextMessage(for: socket) }) {
            do throws(NetworkError) {
                try await socket.send(next)
            } catch {
                state.withLock { $0.reconnection.finishMessage(isSent: false) }
                throw error
            }
            state.withLock { $0.reconnection.finishMessage(isSent: true) }
        }
    }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(NetworkError) {
        let socket = try state.withLock { state throws(NetworkError) in try state.reconnection.route(message) }
        guard let socket else { return }
        do throws(NetworkError) {
            try await socket.send(message)
        } catch {
            if case .cancelled = error.kind { throw error }
            try state.withLock { state throws(NetworkError) in
                try state.reconnection.sendFailed(message, over: socket)
            }
        }
    }

    // MARK: The end

    func close(_ content: CloseContent) async {
        let last = end(with: nil)
        if let socket = last?.socket { await socket.close(content.code, reason: content.reason) }
        last?.driver?.cancel()
    }

    /// Ends the session and its connection immediately.
    func abandon() {
        end(with: nil)?.driver?.cancel()
    }

    /// Ends the session immediately with an error, and sends a close frame without waiting for the answer.
    func end(_ error: NetworkError, saying content: CloseContent) {
        let last = end(with: error)
        if let socket = last?.socket { Task { await socket.close(content.code, reason: content.reason) } }
        last?.driver?.cancel()
    }

    private func end(_ error: NetworkError) {
        _ = end(with: error)
    }

    /// - Returns: What is left to end; `nil` if the session had ended before.
    private func end(with error: NetworkError?) -> (socket: WebSocket?, driver: Task<Void, Never>?)? {
        let last = state.withLock { state in
            state.reconnection.close(error).map { ($0.reason, $0.connection, state.driver.take()) }
        }
        guard let (reason, socket, driver) = last else { return nil }
        inbox.end(reason)
        update { _ in }
        return (socket, driver)
    }

    // MARK: States

    func states() -> AsyncStream<ReconnectingWebSocket.State> {
        let (stream, observer) = AsyncStream.makeStream(
            of: ReconnectingWebSocket.State.self, bufferingPolicy: .bufferingNewest(64))
        let id = state.withLock { state -> Int? in
            observer.yield(state.reconnection.observed)
            guard !state.reconnection.isClosed else { return nil }
            state.lastObserver += 1
            state.observers[state.lastObserver] = observer
            return state.lastObserver
        }
        guard let id else {
            observer.finish()
            return stream
        }
        observer.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.observers.removeValue(forKey: id) } }
        return stream
    }

    /// Changes the state and reports the new one to the observers. After `.closed` there are no observers.
    private func update(_ change: (inout ReconnectionState<WebSocket>) -> Void) {
        let (current, observers, isClosed) = state.withLock { state in
            change(&state.reconnection)
            defer { if state.reconnection.isClosed { state.observers = [:] } }
            return (state.reconnection.observed, Array(state.observers.values), state.reconnection.isClosed)
        }
        for observer in observers { observer.yield(current) }
        if isClosed { for observer in observers { observer.finish() } }
    }
}
