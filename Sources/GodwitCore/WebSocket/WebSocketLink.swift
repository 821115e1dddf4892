import GodwitSupport
import Synchronization

/// Does what ``WebSocketState`` decides: connects readers, timers and the connection of a ``WebSocket``.
final class WebSocketLink: MessageReceiver {
    /// The ID of keepalive pings, whose pongs have no waiter.
    private static let unawaited: UInt64 = 0
    private static let cancellation = NetworkError(.cancelled, phase: .receiving)

    let timeline: Timeline
    private let options: WebSocketOptions
    private let connection: any MessageConnection
    private let state: Mutex<WebSocketState>
    /// `nil` after the end.
    private let timers = Mutex<[Task<Void, Never>]?>([])

    init(_ connection: any MessageConnection, _ options: WebSocketOptions) {
        self.connection = connection
        self.options = options
        timeline = Timeline(options.clock)
        state = Mutex(WebSocketState(receiveBuffer: options.receiveBuffer))
    }

    /// Starts reading and keepalive pings.
    func start() {
        connection.start(self)
        if let keepalive = options.keepalive { addTimer { await $0.keepAlive(keepalive) } }
    }

    /// After the end, what the peer's close frame said, or 1006; `nil` while the socket is open.
    var closeContent: CloseContent? { state.withLock(\.closeContent) }

    /// Whether this side asked to close.
    var isClosing: Bool { state.withLock(\.isClosing) }

    // MARK: Messages

    func send(_ message: WebSocketMessage) async throws(NetworkError) {
        if let ending = state.withLock(\.ending) { throw ending }
        guard !Task.isCancelled else { throw canceled() }
        let failure = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                connection.send(message) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            abandon()
        }
        if Task.isCancelled { throw Self.cancellation }
        if let failure { throw state.withLock(\.ending) ?? failure }
        options.trace?.note(message, isSent: true, options.secrets)
    }

    func receive() async throws(NetworkError) -> WebSocketMessage {
        let isCanceled = Task.isCancelled
        switch state.withLock({ $0.read(isCanceled: isCanceled) }) {
        case .message(let message, let resumesReading):
            if resumesReading { connection.resumeReading() }
            return message
        case .waiting(let reader):
            return try await reader.value {
                state.withLock { $0.remove(reader) }
                reader.resume(returning: .failure(Self.cancellation))
                abandon()
            }.get()
        case .ended(let error): throw error
        case .broken(let fault):
            end(fault)
            throw fault
        case .canceled: throw canceled()
        }
    }

    private func canceled() -> NetworkError {
        abandon()
        return Self.cancellation
    }

    // MARK: MessageReceiver

    func receive(_ message: WebSocketMessage) -> Bool {
        options.trace?.note(message, isSent: false, options.secrets)
        let (reader, wantsMore) = state.withLock { $0.receive(message) }
        reader?.resume(returning: .success(message))
        return wantsMore
    }

    func receiveActivity() {
        state.withLock { $0.receiveActivity() }
    }

    func receivePong(_ id: UInt64) {
        let pong = state.withLock { state in
            state.receiveActivity()
            return state.finishPing(id)
        }
        pong?.resume(returning: nil)
    }

    /// The peer has ``WebSocketOptions/closeTimeout`` to end the connection.
    func receiveClose(_ code: WebSocketCloseCode, reason: String) {
        let content = CloseContent(code, reason: reason)
        state.withLock { $0.receiveClose(content) }
        endLater(WebSocketState.closed(content))
    }

    /// Messages before the fault are read first, and may be answered, for up to ``WebSocketOptions/closeTimeout``; then the
    /// socket ends (RFC 6455 section 7.1.7).
    func receiveFault(_ error: NetworkError) {
        state.withLock { $0.receiveFault(error) } ? endLater(error) : receiveEnd(error)
    }

    func receiveEnd(_ error: NetworkError?) {
        end(state.withLock { $0.reason(orElse: error) })
    }

    // MARK: Pings

    /// Sends a ping and waits for its pong.
    func ping() async throws(NetworkError) {
        if let ending = state.withLock(\.ending) { throw ending }
        guard !Task.isCancelled else { throw Self.cancellation }
        let (id, pong) = try state.withLock { state throws(NetworkError) in try state.startPing() }
        connection.ping(id)
        let failure = await pong.value {
            _ = state.withLock { $0.finishPing(id) }
            pong.resume(returning: Self.cancellation)
        }
        if let failure { throw failure }
    }

    private func keepAlive(_ keepalive: WebSocketKeepalive) async {
        while await sleeps(for: keepalive.interval) {
            let activity = state.withLock(\.activity)
            connection.ping(Self.unawaited)
            guard await sleeps(for: keepalive.timeout) else { return }
            if state.withLock({ $0.isSilent(since: activity) }) {
                return end(NetworkError(.timedOut(.inactivity), phase: .receiving))
            }
        }
    }

    // MARK: The end

    /// Sends a close frame and waits until the connection has ended.
    func close(_ content: CloseContent) async {
        guard let (sendsFrame, resumesReading, waiter) = state.withLock({ $0.close() }) else { return }
        if sendsFrame {
            connection.close(content.code, reason: content.reason)
            endLater(WebSocketState.closed(content))
        }
        if resumesReading { connection.resumeReading() }
        // Every end resumes the waiter, and a canceled task ends the socket.
        await waiter.value { abandon() }
    }

    /// Closes immediately, without waiting for the peer.
    func abandon() {
        end(Self.cancellation, saying: .goingAway)
    }

    /// Settles the error before the close frame is sent, because the peer's reaction would be another reason to end.
    private func end(_ error: NetworkError, saying code: WebSocketCloseCode? = nil) {
        // The peer's reason can repeat a secret.
        let error = error.hidingSecrets(of: options.secrets)
        guard let waiting = state.withLock({ $0.end(error) }) else { return }
        connection.abandon(code)
        for timer in timers.withLock({ $0.take() }) ?? [] { timer.cancel() }
        for reader in waiting.readers { reader.resume(returning: .failure(error)) }
        for ping in waiting.pings { ping.resume(returning: error) }
        for closer in waiting.closers { closer.resume() }
    }

    // MARK: Timers

    private func endLater(_ error: NetworkError) {
        addTimer { link in
            if await link.sleeps(for: link.options.closeTimeout) { link.end(error) }
        }
    }

    private func sleeps(for duration: Duration) async -> Bool {
        (try? await timeline.sleep(for: duration)) != nil
    }

    /// Starts a task that is canceled when the socket ends.
    private func addTimer(_ work: @escaping @Sendable (WebSocketLink) async -> Void) {
        let timer = Task { await work(self) }
        let isOver = timers.withLock { $0?.append(timer) == nil }
        if isOver { timer.cancel() }
    }
}
