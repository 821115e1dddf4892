import Synchronization

/// Carries messages over a byte connection: reads and writes frames, answers pings and close frames, and rejects protocol
/// violations (RFC 6455).
final class FramedConnection: MessageConnection, DuplexReceiver {
    private enum Phase {
        case idle
        case reading(any MessageReceiver)
        /// The peer violated the protocol. Nothing more is read; `abandon` sends the close frame.
        case failed(any MessageReceiver, CloseContent)
        case ended
    }

    private let role: WebSocketRole
    private let messageLimit: Int
    /// Locked only on the transport's thread.
    private let reader: Mutex<MessageReader>
    /// Received bytes that are to be parsed once the receiver takes more messages.
    private let kept = Mutex<[UInt8]>([])
    private let phase = Mutex(Phase.idle)
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

    // MARK: MessageConnection

    func start(_ receiver: any MessageReceiver) {
        phase.withLock { $0 = .reading(receiver) }
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
        let fault = phase.withLock { phase -> CloseContent? in
            defer { phase = .ended }
            if case .failed(_, let content) = phase { return content }
            return nil
        }
        if let content = fault ?? code.map({ CloseContent($0) }) { sender.close(content) }
        sender.finish()
    }

    // MARK: DuplexReceiver

    /// What a chunk of bytes contained in addition to messages and pongs.
    private struct Received: Sendable {
        /// The bytes that were parsed.
        var used = 0
        var hasMessage = false
        var wantsMore = true
        var close: CloseContent?
        var fault: WebSocketFault?
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard case .reading(let receiver) = phase.withLock(\.self) else { return false }
        var rest = kept.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
        let received: Received
        if rest.isEmpty {
            received = parse(bytes, for: receiver)
            rest = Array(bytes.dropFirst(received.used))
        } else {
            rest.append(contentsOf: bytes)
            received = rest.withUnsafeBytes { parse($0, for: receiver) }
            rest.removeFirst(received.used)
        }
        if !received.hasMessage, !bytes.isEmpty { receiver.receiveActivity() }
        if let content = received.close { answer(content, receiver) }
        if let fault = received.fault { fail(fault, receiver) }
        guard received.fault == nil, !rest.isEmpty else { return received.wantsMore && received.fault == nil }
        kept.withLock { $0 = rest }
        // The receiver takes more, but other connections are next.
        if received.wantsMore { connection.resumeReading() }
        return false
    }

    /// Passes messages on until the receiver takes no more of them, or other connections should have their turn.
    private func parse(_ bytes: UnsafeRawBufferPointer, for receiver: any MessageReceiver) -> Received {
        // Mutex takes only sendable captures. The bytes are read before this function returns, so the address stays valid.
        let address = UInt(bitPattern: bytes.baseAddress)
        let count = bytes.count
        return reader.withLock { reader in
            let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
            return read(bytes, with: &reader, for: receiver)
        }
    }

    private func read(
        _ bytes: UnsafeRawBufferPointer, with reader: inout MessageReader, for receiver: any MessageReceiver
    ) -> Received {
        var received = Received()
        do throws(WebSocketFault) {
            received.used = try reader.read(bytes) { event in
                switch event {
                case .message(let message):
                    received.hasMessage = true
                    received.wantsMore = receiver.receive(message)
                // Sent here, so that an answer to a later message can't overtake it.
                case .ping(let content): sender.pong(content)
                case .pong(let content): Self.pingID(content).map(receiver.receivePong)
                case .close(let content): received.close = content
                }
                return received.wantsMore
            }
        } catch {
            received.fault = error
        }
        return received
    }

    /// The ID that a ping of ours carried.
    private static func pingID(_ content: [UInt8]) -> UInt64? {
        content.count == 8 ? content.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }

    func receiveEnd(_ error: NetworkError?) {
        // What came before the end, also if the receiver is slow.
        while kept.withLock({ !$0.isEmpty }) { _ = receive(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let receiver = phase.withLock { phase -> (any MessageReceiver)? in
            defer { phase = .ended }
            switch phase {
            case .reading(let receiver), .failed(let receiver, _): return receiver
            case .idle, .ended: return nil
            }
        }
        receiver?.receiveEnd(error)
    }

    /// Answers the peer's close frame. The server closes the connection (RFC 6455 section 7.1.1).
    private func answer(_ content: CloseContent, _ receiver: any MessageReceiver) {
        receiver.receiveClose(content.code, reason: content.reason)
        sender.close(CloseContent(content.code))
        if role == .server { receiver.receiveEnd(nil) }
    }

    /// Settles the close frame before the receiver learns of the fault, so that nothing else ends the connection first.
    private func fail(_ fault: WebSocketFault, _ receiver: any MessageReceiver) {
        phase.withLock { phase in
            if case .reading = phase { phase = .failed(receiver, CloseContent(fault.code, reason: fault.reason)) }
        }
        let kind: NetworkError.Kind =
            fault.code == .messageTooBig
            ? .tooLarge(limit: Int64(messageLimit)) : .transport(.protocolViolation(fault.reason))
        receiver.receiveFault(NetworkError(kind, phase: .receiving, underlying: fault))
    }
}
