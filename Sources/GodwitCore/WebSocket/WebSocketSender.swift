import Synchronization

/// Frames what a socket sends and writes it in order. One thread writes at a time, without holding a lock that others
/// need; meanwhile the others only enqueue.
final class WebSocketSender: Sendable {
    typealias Completion = @Sendable (NetworkError?) -> Void

    fileprivate enum Item: Sendable {
        case message(WebSocketMessage, Completion)
        case control(FrameOpcode, [UInt8])
        case pong([UInt8])
        case end
    }

    fileprivate struct State {
        var waiting: [Item] = []
        var isWriting = false
        var isClosed = false
        /// The number of pongs being written.
        var pongs = 0
        /// The newest ping's content, answered when a pong has been written.
        var waitingPong: [UInt8]?
    }

    private struct Encoder {
        var writer: MessageWriter
        var random: RandomBits
    }

    /// Pongs in progress. If the peer pings without reading, further pings are skipped (RFC 6455 section 5.5.3).
    fileprivate static let maximumPongs = 64
    private static let closed = NetworkError(.transport(.connectionLost("the socket is closed")), phase: .sending)

    private let state = Mutex(State())
    /// Locked only by the thread that writes.
    private let encoder: Mutex<Encoder>
    private let connection: any DuplexConnection

    init(
        _ role: WebSocketRole, _ connection: any DuplexConnection, _ options: WebSocketOptions,
        _ deflate: DeflateParameters?
    ) {
        self.connection = connection
        encoder = Mutex(Self.makeEncoder(role, options, deflate))
    }

    private static func makeEncoder(
        _ role: WebSocketRole, _ options: WebSocketOptions, _ deflate: DeflateParameters?
    ) -> sending Encoder {
        let compressor = deflate.map { agreed in
            Deflater(
                windowBits: role == .client ? agreed.clientWindowBits : agreed.serverWindowBits,
                level: options.compression?.level ?? 6,
                forgets: role == .client ? agreed.clientForgets : agreed.serverForgets)
        }
        let writer = MessageWriter(
            role, fragmentSize: options.fragmentSize, compressor: compressor,
            threshold: options.compression?.threshold ?? 0)
        return Encoder(writer: writer, random: RandomBits(options.randomness))
    }

    /// Sends a message; the completion is called when the system has it.
    func send(_ message: WebSocketMessage, completion: @escaping Completion) {
        var isOpen = true
        submit { state in
            isOpen = !state.isClosed
            return isOpen ? .message(message, completion) : nil
        }
        if !isOpen { completion(Self.closed) }
    }

    /// Sends a ping without waiting.
    func ping(_ content: [UInt8]) {
        submit { $0.isClosed ? nil : .control(.ping, content) }
    }

    func pong(_ content: [UInt8]) {
        submit { $0.startPong(content) }
    }

    /// Sends a close frame, unless one was sent before. Nothing is sent after it.
    func close(_ content: CloseContent) {
        submit { state in
            defer { state.isClosed = true }
            return state.isClosed ? nil : .control(.close, content.bytes)
        }
    }

    /// Closes the connection after everything that was sent.
    func finish() {
        submit { state in
            state.isClosed = true
            return .end
        }
    }

    private func submit(_ makeItem: (inout State) -> Item?) {
        let first = state.withLock { state in makeItem(&state).flatMap { state.add($0) } }
        guard let first else { return }
        write(first)
        while let items = state.withLock({ $0.takeWaiting() }) { for item in items { write(item) } }
    }

    private func write(_ item: Item) {
        switch item {
        case .message(let message, let completion):
            let frames = encoder.withLock { $0.writer.frames(of: message, using: &$0.random) }
            connection.write(frames, completion: completion)
        case .control(let opcode, let content):
            connection.write(frame(opcode, content)) { _ in }
        case .pong(let content):
            // After a failure the connection ends, so pongs needn't be counted.
            connection.write(frame(.pong, content)) { [weak self] in if $0 == nil { self?.finishPong() } }
        case .end: connection.close()
        }
    }

    private func frame(_ opcode: FrameOpcode, _ content: [UInt8]) -> [UInt8] {
        encoder.withLock { $0.writer.control(opcode, content, using: &$0.random) }
    }

    private func finishPong() {
        submit { state in
            state.pongs -= 1
            return state.waitingPong.take().flatMap { state.startPong($0) }
        }
    }
}

extension WebSocketSender.State {
    /// Enqueues an item; returns it if no thread is writing, so that the caller writes.
    fileprivate mutating func add(_ item: WebSocketSender.Item) -> WebSocketSender.Item? {
        guard isWriting else {
            isWriting = true
            return item
        }
        waiting.append(item)
        return nil
    }

    /// The items to write next; `nil` if none wait, and the caller stops writing.
    fileprivate mutating func takeWaiting() -> [WebSocketSender.Item]? {
        isWriting = !waiting.isEmpty
        defer { waiting = [] }
        return isWriting ? waiting : nil
    }

    fileprivate mutating func startPong(_ content: [UInt8]) -> WebSocketSender.Item? {
        guard !isClosed else { return nil }
        guard pongs < WebSocketSender.maximumPongs else {
            waitingPong = content
            return nil
        }
        pongs += 1
        return .pong(content)
    }
}

/// A generator of unknown type as one of a known type, as generic functions need.
struct RandomBits: RandomNumberGenerator, Sendable {
    private var base: any RandomNumberGenerator & Sendable

    init(_ base: any RandomNumberGenerator & Sendable) {
        self.base = base
    }

    mutating func next() -> UInt64 { base.next() }
}
