internal import GodwitDeflate
import Synchronization

/// Frames and hands over what a socket sends, in one order.
final class WebSocketSender: Sendable {
    private struct State {
        var writer: MessageWriter
        var random: RandomBits
        /// Answers to pings that are on their way.
        var pongs = 0
        /// The newest ping's content, to be answered when the others are on their way.
        var waitingPong: [UInt8]?
        var isClosed = false
    }

    private let state: Mutex<State>
    private let connection: any DuplexConnection

    /// A peer that pings and does not read is answered this often before its pings are left out (RFC 6455 section 5.5.3).
    private static let maximumPongs = 64

    init(
        _ role: WebSocketRole, _ connection: any DuplexConnection, _ options: WebSocketOptions,
        _ deflate: DeflateParameters?
    ) {
        self.connection = connection
        state = Mutex(Self.makeState(role, options, deflate))
    }

    private static func makeState(
        _ role: WebSocketRole, _ options: WebSocketOptions, _ deflate: DeflateParameters?
    ) -> sending State {
        let compressor = deflate.map { agreed in
            Deflater(
                windowBits: role == .client ? agreed.clientWindowBits : agreed.serverWindowBits,
                level: options.compression?.level ?? 6,
                forgets: role == .client ? agreed.clientForgets : agreed.serverForgets)
        }
        let writer = MessageWriter(
            role, fragmentSize: options.fragmentSize, compressor: compressor,
            threshold: options.compression?.threshold ?? 0)
        return State(writer: writer, random: RandomBits(options.randomness))
    }

    /// Sends a message; the completion is called when the system has it.
    func send(_ message: WebSocketMessage, completion: @escaping @Sendable (NetworkError?) -> Void) {
        let isOpen = state.withLock { state in
            guard !state.isClosed else { return false }
            connection.write(state.writer.frames(of: message, using: &state.random), completion: completion)
            return true
        }
        if !isOpen { completion(Self.closed) }
    }

    /// Sends a ping; nobody waits for that.
    func ping(_ content: [UInt8]) {
        state.withLock { write(.ping, content, &$0) { _ in } }
    }

    func pong(_ content: [UInt8]) {
        state.withLock { state in
            guard state.pongs < Self.maximumPongs else { return state.waitingPong = content }
            sendPong(content, &state)
        }
    }

    /// Sends a close frame, the last thing that is sent, unless one went before.
    func close(_ content: CloseContent) {
        state.withLock { state in
            write(.close, content.bytes, &state) { _ in }
            state.isClosed = true
        }
    }

    private func sendPong(_ content: [UInt8], _ state: inout State) {
        state.pongs += 1
        // A failure is the end of the connection, and may be told inside of the write.
        write(.pong, content, &state) { [weak self] failure in if failure == nil { self?.pongIsSent() } }
    }

    private func pongIsSent() {
        state.withLock { state in
            state.pongs -= 1
            if let content = state.waitingPong.take() { sendPong(content, &state) }
        }
    }

    private func write(
        _ opcode: FrameOpcode, _ content: [UInt8], _ state: inout State,
        _ completion: @escaping @Sendable (NetworkError?) -> Void
    ) {
        guard !state.isClosed else { return }
        connection.write(state.writer.control(opcode, content, using: &state.random), completion: completion)
    }

    private static let closed = NetworkError(.transport(.connectionLost("the socket is closed")), phase: .sending)
}

/// A generator of unknown type as a known one.
struct RandomBits: RandomNumberGenerator, Sendable {
    private var base: any RandomNumberGenerator & Sendable

    init(_ base: any RandomNumberGenerator & Sendable) {
        self.base = base
    }

    mutating func next() -> UInt64 { base.next() }
}
