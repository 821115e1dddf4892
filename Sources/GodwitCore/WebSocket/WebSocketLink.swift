internal import GodwitDeflate
import Synchronization

/// The working half of a ``WebSocket``: reads what arrives on the transport's thread, keeps messages for their readers,
/// answers pings, and knows how it ended. Everything is decided under one lock and done after it.
final class WebSocketLink: DuplexReceiver {
    fileprivate struct State {
        var reader: MessageReader
        var queue = MessageQueue()
        var isHoldingBack = false
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
    private let role: WebSocketRole
    fileprivate let state: Mutex<State>
    private let sender: WebSocketSender
    private let connection: any DuplexConnection

    init(
        _ role: WebSocketRole, _ connection: any DuplexConnection, _ options: WebSocketOptions,
        _ deflate: DeflateParameters?
    ) {
        self.role = role
        self.connection = connection
        self.options = options
        timeline = Timeline(options.clock)
        sender = WebSocketSender(role, connection, options, deflate)
        state = Mutex(Self.makeState(role, options, deflate))
    }

    private static func makeState(
        _ role: WebSocketRole, _ options: WebSocketOptions, _ deflate: DeflateParameters?
    ) -> sending State {
        let decompressor = deflate.map { agreed in
            Inflater(
                windowBits: role == .client ? agreed.serverWindowBits : agreed.clientWindowBits,
                forgets: role == .client ? agreed.serverForgets : agreed.clientForgets)
        }
        return State(reader: MessageReader(role, limit: options.messageLimit, decompressor: decompressor))
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
            await sender.send(message)
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
        var resumesReading = false
        let result = state.withLock { state -> Result<WebSocketMessage, NetworkError>? in
            // How it ended counts more than that nobody waits for it any more.
            guard state.ending != nil || !Task.isCancelled else { return .failure(Self.cancellation) }
            if let message = state.queue.popMessage() {
                if state.isHoldingBack, state.queue.byteCount <= options.receiveBuffer / 2 {
                    state.isHoldingBack = false
                    resumesReading = true
                }
                return .success(message)
            }
            if let ending = state.ending { return .failure(ending) }
            state.queue.append(reader, id: id)
            return nil
        }
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

    /// What a piece of bytes came to.
    private struct Arrival: Sendable {
        var events: [MessageReader.Event] = []
        var deliveries: [(reader: MessageQueue.Reader, message: WebSocketMessage)] = []
        var fault: WebSocketFault?
        var goesOn = false
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // A lock takes nothing along that is not sendable. The bytes are read before this returns, so where they are will do.
        let address = UInt(bitPattern: bytes.baseAddress)
        let count = bytes.count
        let arrival = state.withLock { state in
            let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
            return read(bytes, &state)
        }
        for (reader, message) in arrival.deliveries { reader.resume(returning: .success(message)) }
        for event in arrival.events { handle(event) }
        if let fault = arrival.fault { refuse(fault) }
        return arrival.goesOn && arrival.fault == nil
    }

    private func read(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Arrival {
        var arrival = Arrival()
        guard state.ending == nil else { return arrival }
        state.activity += 1
        do throws(WebSocketFault) {
            try state.reader.read(bytes) { event in
                switch event {
                case .message(let message):
                    if let reader = state.queue.popReader() {
                        arrival.deliveries.append((reader, message))
                    } else {
                        state.queue.append(message)
                    }
                // At once, so that no answer to a later message overtakes it.
                case .ping(let content): sender.pong(content)
                case .pong, .close: arrival.events.append(event)
                }
            }
        } catch {
            arrival.fault = error
        }
        if !state.isClosing, state.queue.byteCount > options.receiveBuffer { state.isHoldingBack = true }
        arrival.goesOn = !state.isHoldingBack
        return arrival
    }

    func receiveEnd(_ error: NetworkError?) {
        let farewell = state.withLock { $0.farewell }
        end(
            farewell.map(Self.closed) ?? error
                ?? NetworkError(.transport(.connectionLost("it ended without a close frame")), phase: .receiving))
    }

    private func handle(_ event: MessageReader.Event) {
        switch event {
        case .message, .ping: break
        case .pong(let content): endPing(content)
        case .close(let content): answerClose(content)
        }
    }

    /// The peer says goodbye: so do we, and the server closes the connection (RFC 6455 section 7.1.1).
    private func answerClose(_ content: CloseContent) {
        state.withLock { $0.farewell = content }
        sender.close(CloseContent(content.code))
        guard role == .client else { return end(Self.closed(content)) }
        addTimer { link in
            if await link.sleeps(for: link.options.closeTimeout) { link.end(Self.closed(content)) }
        }
    }

    private func refuse(_ fault: WebSocketFault) {
        let kind: NetworkError.Kind =
            fault.code == .messageTooBig
            ? .tooLarge(limit: Int64(options.messageLimit)) : .transport(.protocolViolation(fault.reason))
        end(
            NetworkError(kind, phase: .receiving, underlying: fault),
            saying: CloseContent(fault.code, reason: fault.reason))
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
                sender.ping(withUnsafeBytes(of: id.bigEndian, Array.init))
            }
        } onCancel: {
            state.withLock { $0.pings.removeValue(forKey: id) }?.resume(returning: Self.cancellation)
        }
        if let failure { throw failure }
    }

    private func endPing(_ content: [UInt8]) {
        guard content.count == 8 else { return }
        let id = content.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        state.withLock { $0.pings.removeValue(forKey: id) }?.resume(returning: nil)
    }

    private func keepAlive(_ keepalive: WebSocketKeepalive) async {
        while await sleeps(for: keepalive.interval) {
            let before = state.withLock { $0.activity }
            sender.ping([])
            guard await sleeps(for: keepalive.timeout) else { return }
            // Who does not read cannot hear the answer.
            let isSilent = state.withLock { $0.activity == before && !$0.isHoldingBack }
            if isSilent { return end(NetworkError(.timedOut(.inactivity), phase: .receiving)) }
        }
    }

    // MARK: The end

    /// Says goodbye and waits until the connection is over.
    func close(_ content: CloseContent) async {
        let goesOn = state.withLock { state in
            defer { state.isHoldingBack = false }
            state.isClosing = true
            return state.isHoldingBack
        }
        if sender.close(content) {
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
        end(Self.cancellation, saying: CloseContent(.goingAway))
    }

    /// The first reason counts: it is settled before the peer hears of it, whose answer would be another.
    private func end(_ error: NetworkError, saying farewell: CloseContent? = nil) {
        let last = state.withLock { state -> State.Last? in
            guard state.ending == nil else { return nil }
            state.ending = error
            return state.takeLast()
        }
        guard let last else { return }
        if let farewell { sender.close(farewell) }
        connection.close()
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
