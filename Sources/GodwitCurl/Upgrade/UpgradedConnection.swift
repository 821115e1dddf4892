#if os(Linux)
import CGodwitCurl
@_spi(Engines) import GodwitCore
import GodwitSockets

/// What the engine has to do after an event of a connection that leaves HTTP.
enum UpgradeEffect {
    /// libcurl has connected.
    case connected
    /// The exchange ended without an upgrade.
    case ended(Exchange, CURLcode)
    /// The server switched protocols: the exchange is over, and the connection stays.
    case switched(Exchange)
}

/// A connection that leaves HTTP: libcurl connects (names, proxies, TLS), we send the request for the upgrade, and after the
/// 101 it carries bytes. Used on its engine's thread.
final class UpgradedConnection {
    private enum Stage {
        /// libcurl has it.
        case connecting(Exchange)
        /// The request is sent, and the head of the response comes in.
        case asking(Exchange, ProtocolUpgrade)
        /// The server refused; its response comes in.
        case refused(Exchange, RefusalReader)
        /// Bytes pass; nil without a receiver.
        case open((any DuplexReceiver)?)
        case closed
    }

    let id: Int
    private unowned let upgrades: Upgrades
    private var carrier: ByteCarrier
    private var stage: Stage
    private var descriptor: Int32 = -1
    private var lines = LineCutter()
    /// Bytes that followed the 101 immediately.
    private var early: [UInt8] = []
    private var output = OutputQueue()
    private var reads = false
    private var isSecure = false
    private var effect: UpgradeEffect?

    /// How often one turn of the loop reads from one connection before the others have their turn.
    private static let readsPerTurn = 16

    init(_ id: Int, _ exchange: Exchange, on handle: EasyHandle, in upgrades: Upgrades) {
        self.id = id
        self.upgrades = upgrades
        carrier = ByteCarrier(handle)
        stage = .connecting(exchange)
    }

    var handle: EasyHandle? { carrier.handle }
    var socket: OwnedSocket? { carrier.socket }

    /// The exchange that has not switched yet.
    var exchange: Exchange? {
        switch stage {
        case .connecting(let exchange), .asking(let exchange, _), .refused(let exchange, _): exchange
        case .open, .closed: nil
        }
    }

    // MARK: Connecting

    /// Starts; false if libcurl refuses. May be called again then.
    func connect() -> Bool {
        carrier.connect(ConnectMulti(self, in: upgrades))
    }

    /// When libcurl has to be called again.
    var connectDeadline: LoopTime? { carrier.connectDeadline }

    func serveTimer() {
        carrier.actOnTimers()
        settleConnecting()
    }

    func serve(_ descriptor: Int32, _ selection: Int32) {
        if case .connecting = stage {
            carrier.act(on: descriptor, selection)
            return settleConnecting()
        }
        if selection & CURL_CSELECT_OUT != 0 { flush() }
        if selection & ~CURL_CSELECT_OUT != 0, reads { readAvailable() }
    }

    private func settleConnecting() {
        guard case .connecting(let exchange) = stage, let code = carrier.connectOutcome() else { return }
        upgrades.connected(self)
        guard code == CURLE_OK, let upgrade = exchange.options.upgrade else {
            return end(exchange, code)
        }
        guard let descriptor = handle?.connectedSocket else {
            return end(exchange, CURLE_COULDNT_CONNECT)
        }
        self.descriptor = descriptor
        isSecure = exchange.request.url.scheme == .https
        carrier.begin(on: descriptor, isSecure: isSecure, in: upgrades.poller)
        stage = .asking(exchange, upgrade)
        reads = true
        effect = .connected
        write(UpgradeRequest.head(of: exchange.request, to: upgrade)) { [socket] _ in socket?.finishQueued() }
        updateWatch()
    }

    /// The exchange is over.
    func releaseHandle() { carrier.releaseHandle() }

    // MARK: Commands

    func perform(_ command: DuplexCommand) {
        switch command {
        case .start(let receiver): start(receiver)
        case .resumeReading: resumeReading()
        case .write(let bytes, let sent, let completion): write(bytes, from: sent, completion)
        case .close: upgrades.close(self)
        }
    }

    private func start(_ receiver: any DuplexReceiver) {
        guard case .open(nil) = stage else { return }
        stage = .open(receiver)
        reads = true
        let bytes = early
        early = []
        pass(bytes, to: receiver)
    }

    private func resumeReading() {
        guard case .open(let receiver?) = stage else { return }
        // It may have kept some bytes.
        pass([], to: receiver)
    }

    private func pass(_ bytes: [UInt8], to receiver: any DuplexReceiver) {
        reads = bytes.withUnsafeBytes(receiver.receive)
        // Bytes that TLS holds cause no event.
        if reads { readAvailable() }
        updateWatch()
    }

    // MARK: Writing

    private func write(
        _ bytes: [UInt8], from sent: Int = 0, _ completion: @escaping @Sendable (NetworkError?) -> Void
    ) {
        if case .closed = stage { return completion(Self.gone) }
        output.append(bytes, from: sent, completion)
        if output.count == 1 { flush() }
    }

    private func flush() {
        let (code, isEmpty) = output.drain(carrier.send)
        if code != CURLE_OK && code != CURLE_AGAIN { return fail(code) }
        if !isEmpty || isWatchingOutput { updateWatch() }
    }

    // MARK: Reading

    private func readAvailable() {
        let buffer = upgrades.readBuffer
        for _ in 0..<Self.readsPerTurn where reads {
            let (code, count) = carrier.receive(into: buffer)
            if code == CURLE_AGAIN { return }
            guard code == CURLE_OK else { return fail(code) }
            guard count > 0 else { return end() }
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            // The kernel has no more, or will report it; TLS might have more.
            if count < buffer.count && !isSecure { return }
        }
        if reads { upgrades.noteUnread(self) }
    }

    /// Reads what was left over in the last turn.
    func serveAgain() {
        if reads { readAvailable() }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        switch stage {
        case .asking(let exchange, _):
            readHead(bytes, exchange)
        case .refused(let exchange, var reader):
            let isComplete = reader.read(bytes) { exchange.receive($0) == .taken }
            stage = .refused(exchange, reader)
            guard isComplete else { return }
            end(exchange, CURLE_OK)
            updateWatch()
        case .open(let receiver?):
            guard !receiver.receive(bytes) else { return }
            reads = false
            updateWatch()
        case .open(nil), .connecting, .closed:
            break
        }
    }

    private func readHead(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) {
        var rest = bytes
        while !exchange.state.isReceiving {
            guard let line = lines.next(in: &rest) else { break }
            guard let handle, line.withUnsafeBytes({ handle.headLines.pointee.take($0) }) != .refused else {
                return end(exchange, CURLE_WRITE_ERROR)
            }
        }
        guard lines.size <= ResponseHeadParser.limit else { return end(exchange, CURLE_OUT_OF_MEMORY) }
        guard let head = exchange.reception.head else { return }
        if head.status.code == 101 {
            early = Array(rest)
            reads = false
            stage = .open(nil)
            updateWatch()
            effect = .switched(exchange)
        } else {
            stage = .refused(exchange, RefusalReader(head))
            take(rest)
        }
    }

    // MARK: The end

    /// What the engine has to do since it last asked. It asks after each event.
    func takeEffect() -> UpgradeEffect? {
        effect.take()
    }

    /// The exchange ends without an upgrade. Nothing that still arrives counts.
    private func end(_ exchange: Exchange, _ code: CURLcode) {
        reads = false
        effect = .ended(exchange, code)
    }

    /// The peer closed its side.
    private func end() {
        switch stage {
        case .open(let receiver):
            finish(receiver, nil)
        case .refused(let exchange, _):
            end(exchange, CURLE_OK)
        case .connecting(let exchange), .asking(let exchange, _):
            end(exchange, CURLE_GOT_NOTHING)
        case .closed:
            break
        }
    }

    private func fail(_ code: CURLcode) {
        let kind = carrier.failure(code)
        switch stage {
        case .open(let receiver): finish(receiver, NetworkError(kind, phase: .receiving))
        case .connecting(let exchange), .asking(let exchange, _), .refused(let exchange, _): end(exchange, code)
        case .closed:
            break
        }
    }

    private func finish(_ receiver: (any DuplexReceiver)?, _ error: NetworkError?) {
        reads = false
        // Nothing more can arrive, but written bytes may still go out.
        stage = .open(nil)
        updateWatch()
        receiver?.receiveEnd(error)
        if error != nil { upgrades.close(self) }
    }

    /// The transport is shut down.
    func cancel() {
        if case .open(let receiver?) = stage { receiver.receiveEnd(NetworkError(.cancelled, phase: .receiving)) }
        upgrades.close(self)
    }

    /// Closes the connection and frees everything; called by the engine.
    func free() {
        if case .closed = stage { return }
        stage = .closed
        reads = false
        if descriptor >= 0 { upgrades.watch(descriptor, for: 0, of: self) }
        carrier.free(in: upgrades.poller)
        output.fail(Self.gone)
    }

    private static let gone = NetworkError(.transport(.connectionLost("it is closed")), phase: .sending)

    // MARK: Events

    private var isWatchingOutput = false

    private func updateWatch() {
        guard descriptor >= 0 else { return }
        isWatchingOutput = !output.isEmpty
        let events = (reads ? godwit_epoll_in : 0) | (isWatchingOutput ? godwit_epoll_out : 0)
        upgrades.watch(descriptor, for: events, of: self)
    }
}
#endif
