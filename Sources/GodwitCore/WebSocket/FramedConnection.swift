internal import GodwitDeflate
import Synchronization

/// Messages over bytes: reads frames on the transport's thread, writes them, answers pings and close frames, and refuses
/// what a peer may not do (RFC 6455).
final class FramedConnection: MessageConnection, DuplexReceiver {
    private struct State: Sendable {
        var receiver: (any MessageReceiver)?
        /// What a peer is told that broke the rules.
        var verdict: CloseContent?
    }

    private let role: WebSocketRole
    private let messageLimit: Int
    /// Locked while a piece is read, which happens on the transport's thread alone.
    private let reader: Mutex<MessageReader>
    private let state = Mutex(State())
    private let sender: WebSocketSender
    private let connection: any DuplexConnection

    init(
        _ role: WebSocketRole, _ connection: any DuplexConnection, _ options: WebSocketOptions,
        _ deflate: DeflateParameters?
    ) {
        self.role = role
        self.connection = connection
        messageLimit = options.messageLimit
        sender = WebSocketSender(role, connection, options, deflate)
        reader = Mutex(Self.makeReader(role, options, deflate))
    }

    private static func makeReader(
        _ role: WebSocketRole, _ options: WebSocketOptions, _ deflate: DeflateParameters?
    ) -> sending MessageReader {
        let decompressor = deflate.map { agreed in
            Inflater(
                windowBits: role == .client ? agreed.serverWindowBits : agreed.clientWindowBits,
                forgets: role == .client ? agreed.serverForgets : agreed.clientForgets)
        }
        return MessageReader(role, limit: options.messageLimit, decompressor: decompressor)
    }

    // MARK: What is sent

    func start(_ receiver: any MessageReceiver) {
        state.withLock { $0.receiver = receiver }
        connection.start(self)
    }

    func resumeReading() {
        connection.resumeReading()
    }

    func send(_ message: WebSocketMessage, completion: @escaping @Sendable (NetworkError?) -> Void) {
        sender.send(message, completion: completion)
    }

    func ping(_ id: UInt64) {
        sender.ping(withUnsafeBytes(of: id.bigEndian, Array.init))
    }

    func close(_ code: WebSocketCloseCode, reason: String) {
        sender.close(CloseContent(code, reason: reason))
    }

    func abandon(_ code: WebSocketCloseCode?) {
        let verdict = state.withLock { state in
            state.receiver = nil
            return state.verdict
        }
        if let farewell = verdict ?? code.map({ CloseContent($0) }) { sender.close(farewell) }
        connection.close()
    }

    // MARK: What arrives

    /// What a piece of bytes came to, beside messages and pongs.
    private struct Arrival: Sendable {
        var isQuiet = true
        var goesOn = true
        var farewell: CloseContent?
        var fault: WebSocketFault?
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // After a fault nothing more is read.
        guard let receiver = state.withLock({ $0.verdict == nil ? $0.receiver : nil }) else { return false }
        // A lock takes nothing along that is not sendable. The bytes are read before this returns, so where they are will do.
        let address = UInt(bitPattern: bytes.baseAddress)
        let count = bytes.count
        let arrival = reader.withLock { reader in
            let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
            return read(bytes, with: &reader, for: receiver)
        }
        if arrival.isQuiet { receiver.receiveActivity() }
        if let farewell = arrival.farewell { answer(farewell, receiver) }
        if let fault = arrival.fault { refuse(fault, receiver) }
        return arrival.goesOn && arrival.fault == nil
    }

    private func read(
        _ bytes: UnsafeRawBufferPointer, with reader: inout MessageReader, for receiver: any MessageReceiver
    ) -> Arrival {
        var arrival = Arrival()
        do throws(WebSocketFault) {
            try reader.read(bytes) { event in
                switch event {
                case .message(let message):
                    arrival.isQuiet = false
                    arrival.goesOn = receiver.receive(message)
                // At once, so that no answer to a later message overtakes it.
                case .ping(let content): sender.pong(content)
                case .pong(let content): Self.number(content).map(receiver.receivePong)
                case .close(let content): arrival.farewell = content
                }
            }
        } catch {
            arrival.fault = error
        }
        return arrival
    }

    /// The number in a ping of ours that came back.
    private static func number(_ content: [UInt8]) -> UInt64? {
        content.count == 8 ? content.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }

    func receiveEnd(_ error: NetworkError?) {
        state.withLock { $0.receiver.take() }?.receiveEnd(error)
    }

    /// The peer says goodbye: so do we, and the server closes the connection (RFC 6455 section 7.1.1).
    private func answer(_ farewell: CloseContent, _ receiver: any MessageReceiver) {
        receiver.receiveClose(farewell.code, reason: farewell.reason)
        sender.close(CloseContent(farewell.code))
        if role == .server { receiver.receiveEnd(nil) }
    }

    /// The reason is settled before the peer hears of it, whose answer would be another.
    private func refuse(_ fault: WebSocketFault, _ receiver: any MessageReceiver) {
        state.withLock { $0.verdict = CloseContent(fault.code, reason: fault.reason) }
        let kind: NetworkError.Kind =
            fault.code == .messageTooBig
            ? .tooLarge(limit: Int64(messageLimit)) : .transport(.protocolViolation(fault.reason))
        receiver.receiveFault(NetworkError(kind, phase: .receiving, underlying: fault))
    }
}
