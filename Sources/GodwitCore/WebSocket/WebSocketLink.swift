import Synchronization

/// The working half of a ``WebSocket``, whoever frames its messages: keeps them for their readers, slows the peer, asks
/// whether it is there, and knows how it ended. Everything is decided under one lock and done after it.
final class WebSocketLink: MessageReceiver {
    fileprivate struct State {
        var queue = MessageQueue()
        var isHoldingBack = false
        /// Whether a message was handed over and its reader has not come back for the next.
        var isHandling = false
        /// What the peer did wrong after messages that are still being read.
        var pendingFault: NetworkError?
        /// Whether our side asked to close, so that messages nobody reads hold up nothing.
        var isClosing = false
        /// What the peer's close frame said.
        var farewell: CloseContent?
        var ending: NetworkError?
        var pings: [UInt64: UnsafeContinuation<NetworkError?, Never>] = [:]
        var closers: [UnsafeContinuation<Void, Never>] = []
        var timers: [Task<Void, Never>] = []
        /// Counts what arrives.
        var activity = 0
        var lastID = 0
    }

    let options: WebSocketOptions
    let timeline: Timeline
    fileprivate let state = Mutex(State())
    private let connection: any MessageConnection

    init(_ connection: any MessageConnection, _ options: WebSocketOptions) {
        self.connection = connection
        self.options = options
        timeline = Timeline(options.clock)
    }

    /// Begins to read, and to ask whether the peer is there.
    func start() {
        connection.start(self)
        if let keepalive = options.keepalive { addTimer { await $0.keepAlive(keepalive) } }
    }

    /// How it ended: what the close frame said, or 1006; nil while it is open.
    var farewell: CloseContent? {
        state.withLock { state in state.ending.map { _ in state.farewell ?? CloseContent(.abnormalClosure) } }
    }

    /// Whether our side asked to close.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    // MARK: Messages

    func send(_ message: WebSocketMessage) async throws(NetworkError) {
        if let ending = state.withLock({ $0.ending }) { throw ending }
        guard !Task.isCancelled else { throw cancelled() }
        let failure = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                connection.send(message) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            abandon()
        }
        if Task.isCancelled { throw Self.cancellation }
        if let failure { throw state.withLock { $0.ending } ?? failure }
    }

    func receive() async throws(NetworkError) -> WebSocketMessage {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { wait($0, id) }
        } onCancel: {
            cancelReader(id)
        }
        return try result.get()
    }

    private func wait(_ reader: MessageQueue.Reader, _ id: Int) {
        var (resumesReading, fault) = (false, NetworkError?.none)
        let result = state.withLock { state -> Result<WebSocketMessage, NetworkError>? in
            // How it ended counts more than that nobody waits for it any more.
            guard state.ending != nil || !Task.isCancelled else { return .failure(Self.cancellation) }
            state.isHandling = false
            if let message = state.queue.popMessage() {
                state.isHandling = true
                if state.isHoldingBack, state.queue.byteCount <= options.receiveBuffer / 2 {
                    state.isHoldingBack = false
                    resumesReading = true
                }
                return .success(message)
            }
            if let ending = state.ending { return .failure(ending) }
            state.queue.append(reader, id: id)
            fault = state.pendingFault
            return nil
        }
        if let fault { end(fault) }
        if resumesReading { connection.resumeReading() }
        if let result { reader.resume(returning: result) }
        if Task.isCancelled { abandon() }
    }

    private func cancelReader(_ id: Int) {
        let reader = state.withLock { $0.queue.removeReader(id) }
        reader?.resume(returning: .failure(Self.cancellation))
        abandon()
    }

    // MARK: What arrives

    func receive(_ message: WebSocketMessage) -> Bool {
        let (reader, goesOn) = state.withLock { state -> (MessageQueue.Reader?, Bool) in
            guard state.ending == nil else { return (nil, false) }
            state.activity += 1
            let reader = state.queue.popReader()
            if reader == nil { state.queue.append(message) } else { state.isHandling = true }
            if !state.isClosing, state.queue.byteCount > options.receiveBuffer { state.isHoldingBack = true }
            return (reader, !state.isHoldingBack)
        }
        reader?.resume(returning: .success(message))
        return goesOn
    }

    func receiveActivity() {
        state.withLock { $0.activity += 1 }
    }

    /// The peer says goodbye. It has as long to end the connection as to answer ours.
    func receiveClose(_ code: WebSocketCloseCode, reason: String) {
        let content = CloseContent(code, reason: reason)
        state.withLock { $0.farewell = content }
        addTimer { link in
            if await link.sleeps(for: link.options.closeTimeout) { link.end(Self.closed(content)) }
        }
    }

    /// The peer broke the rules. What it sent before is read first, and may be answered, for as long as a close may take;
    /// then the socket ends (RFC 6455 section 7.1.7).
    func receiveFault(_ error: NetworkError) {
        let isRead = state.withLock { state in
            guard state.ending == nil, !state.isClosing, state.isHandling || !state.queue.isEmpty else { return true }
            state.pendingFault = error
            return false
        }
        if isRead { return receiveEnd(error) }
        addTimer { link in
            if await link.sleeps(for: link.options.closeTimeout) { link.end(error) }
        }
    }

    func receiveEnd(_ error: NetworkError?) {
        let farewell = state.withLock { $0.farewell }
        end(
            farewell.map(Self.closed) ?? error
                ?? NetworkError(.transport(.connectionLost("it ended without a close frame")), phase: .receiving))
    }

    // MARK: Pings

    /// Sends a ping and waits for its pong.
    func ping() async throws(NetworkError) {
        if let ending = state.withLock({ $0.ending }) { throw ending }
        let id = state.withLock { state -> UInt64 in
            state.lastID += 1
            return UInt64(state.lastID)
        }
        let failure = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let failure = state.withLock { state -> NetworkError? in
                    if let ending = state.ending { return ending }
                    if Task.isCancelled { return Self.cancellation }
                    state.pings[id] = continuation
                    return nil
                }
                if let failure { return continuation.resume(returning: failure) }
                connection.ping(id)
            }
        } onCancel: {
            state.withLock { $0.pings.removeValue(forKey: id) }?.resume(returning: Self.cancellation)
        }
        if let failure { throw failure }
    }

    func receivePong(_ id: UInt64) {
        let ping = state.withLock { state in
            state.activity += 1
            return state.pings.removeValue(forKey: id)
        }
        ping?.resume(returning: nil)
    }

    /// What nobody waits for has this number.
    private static let unawaited: UInt64 = 0

    private func keepAlive(_ keepalive: WebSocketKeepalive) async {
        while await sleeps(for: keepalive.interval) {
            let before = state.withLock { $0.activity }
            connection.ping(Self.unawaited)
            guard await sleeps(for: keepalive.timeout) else { return }
            // Who does not read cannot hear the answer.
            let isSilent = state.withLock { $0.activity == before && !$0.isHoldingBack }
            if isSilent { return end(NetworkError(.timedOut(.inactivity), phase: .receiving)) }
        }
    }

    // MARK: The end

    /// Says goodbye and waits until the connection is over.
    func close(_ content: CloseContent) async {
        let (isFirst, goesOn) = state.withLock { state in
            defer { (state.isClosing, state.isHoldingBack) = (true, false) }
            return (!state.isClosing && state.farewell == nil && state.ending == nil, state.isHoldingBack)
        }
        if isFirst {
            connection.close(content.code, reason: content.reason)
            addTimer { link in
                if await link.sleeps(for: link.options.closeTimeout) { link.end(Self.closed(content)) }
            }
        }
        if goesOn { connection.resumeReading() }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.ending == nil { state.closers.append(continuation) }
                    return state.ending != nil
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            abandon()
        }
    }

    /// Closes at once: nobody wants it any more.
    func abandon() {
        end(Self.cancellation, saying: .goingAway)
    }

    /// The first reason counts: it is settled before the peer hears of it, whose answer would be another.
    private func end(_ error: NetworkError, saying code: WebSocketCloseCode? = nil) {
        let last = state.withLock { state -> State.Last? in
            guard state.ending == nil else { return nil }
            state.ending = error
            return state.takeLast()
        }
        guard let last else { return }
        connection.abandon(code)
        for timer in last.timers { timer.cancel() }
        for reader in last.readers { reader.resume(returning: .failure(error)) }
        for ping in last.pings { ping.resume(returning: error) }
        for closer in last.closers { closer.resume() }
    }

    private func cancelled() -> NetworkError {
        abandon()
        return Self.cancellation
    }

    private static func closed(_ content: CloseContent) -> NetworkError {
        NetworkError(.socketClosed(code: content.code, reason: content.reason), phase: .receiving)
    }

    private static let cancellation = NetworkError(.cancelled, phase: .receiving)

    // MARK: Timers

    private func sleeps(for duration: Duration) async -> Bool {
        (try? await timeline.sleep(for: duration)) != nil
    }

    /// Runs until the socket ends.
    private func addTimer(_ work: @escaping @Sendable (WebSocketLink) async -> Void) {
        let timer = Task { await work(self) }
        let isOver = state.withLock { state in
            if state.ending == nil { state.timers.append(timer) }
            return state.ending != nil
        }
        if isOver { timer.cancel() }
    }
}

extension WebSocketLink.State {
    /// All who wait for something that will not come.
    fileprivate struct Last {
        var readers: [MessageQueue.Reader] = []
        var pings: [UnsafeContinuation<NetworkError?, Never>]
        var closers: [UnsafeContinuation<Void, Never>]
        var timers: [Task<Void, Never>]
    }

    fileprivate mutating func takeLast() -> Last {
        var last = Last(pings: Array(pings.values), closers: closers, timers: timers)
        while let reader = queue.popReader() { last.readers.append(reader) }
        (pings, closers, timers) = ([:], [], [])
        return last
    }
}
