import CGodwitCurl
@_spi(Engines) import GodwitCore

/// What a connection that leaves HTTP needs of its engine. Used on the engine's thread.
protocol UpgradeHost: AnyObject {
    var poller: Poller { get }
    /// Received bytes on their way to their receiver, one connection at a time.
    var readBuffer: UnsafeMutableRawBufferPointer { get }

    func watch(_ descriptor: Int32, for events: UInt32, of connection: UpgradedConnection)
    func noteConnectTimer(_ deadline: LoopTime?)
    /// libcurl has connected, or failed.
    func connected(_ connection: UpgradedConnection, on handle: EasyHandle)
    /// A connection has more to read in this turn.
    func serveAgain(_ connection: UpgradedConnection)
    /// The server switched protocols.
    func handOver(_ exchange: Exchange, _ connection: UpgradedConnection)
    /// The exchange ended without an upgrade.
    func endUpgrade(_ exchange: Exchange, _ outcome: CURLcode)
    func close(_ connection: UpgradedConnection)
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
    private let handle: EasyHandle
    private unowned let host: any UpgradeHost
    private var multi: ConnectMulti?
    private var stage: Stage
    private var descriptor: Int32 = -1
    private var lines = LineCutter()
    /// Bytes that followed the 101 immediately.
    private var early: [UInt8] = []
    private var output = OutputQueue()
    private var reads = false
    private var isSecure = false

    /// How often one turn of the loop reads from one connection before the others have their turn.
    private static let readsPerTurn = 16

    init(_ id: Int, _ exchange: Exchange, on handle: EasyHandle, of host: any UpgradeHost) {
        self.id = id
        self.host = host
        self.handle = handle
        stage = .connecting(exchange)
    }

    // MARK: Connecting

    /// Starts; false if libcurl refuses. May be called again then.
    func connect() -> Bool {
        self.multi?.free()
        let multi = ConnectMulti(self, on: host)
        self.multi = multi
        handle.onlyConnect()
        return multi.add(handle)
    }

    /// When libcurl has to be called again.
    var connectDeadline: LoopTime? { multi?.deadline }

    func serveTimer() {
        multi?.actOnTimers()
        settleConnecting()
    }

    func serve(_ descriptor: Int32, _ selection: Int32) {
        if case .connecting = stage {
            multi?.act(on: descriptor, selection)
            return settleConnecting()
        }
        if selection & CURL_CSELECT_OUT != 0 { flush() }
        if selection & ~CURL_CSELECT_OUT != 0 { readAvailable() }
    }

    private func settleConnecting() {
        guard case .connecting(let exchange) = stage, let (_, code) = multi?.nextFinished() else { return }
        host.connected(self, on: handle)
        guard code == CURLE_OK, let upgrade = exchange.options.upgrade else {
            return host.endUpgrade(exchange, code)
        }
        guard let socket = handle.connectedSocket else {
            return host.endUpgrade(exchange, CURLE_COULDNT_CONNECT)
        }
        descriptor = socket
        isSecure = exchange.request.url.scheme == .https
        stage = .asking(exchange, upgrade)
        reads = true
        write(UpgradeRequest.head(of: exchange.request, to: upgrade)) { _ in }
        updateWatch()
    }

    // MARK: Commands

    func perform(_ command: DuplexCommand) {
        switch command {
        case .start(let receiver): start(receiver)
        case .resumeReading: resumeReading()
        case .write(let bytes, let completion): write(bytes, completion)
        case .close: host.close(self)
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

    private func write(_ bytes: [UInt8], _ completion: @escaping @Sendable (NetworkError?) -> Void) {
        if case .closed = stage { return completion(Self.gone) }
        output.append(bytes, completion)
        if output.count == 1 { flush() }
    }

    private func flush() {
        let (code, isEmpty) = output.drain(over: handle.pointer)
        if code != CURLE_OK && code != CURLE_AGAIN { return fail(code) }
        if !isEmpty || isWatchingOutput { updateWatch() }
    }

    // MARK: Reading

    private func readAvailable() {
        let buffer = host.readBuffer
        for _ in 0..<Self.readsPerTurn where reads {
            var count = 0
            let code = curl_easy_recv(handle.pointer, buffer.baseAddress, buffer.count, &count)
            if code == CURLE_AGAIN { return }
            guard code == CURLE_OK else { return fail(code) }
            guard count > 0 else { return end() }
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            // The kernel has no more, or will report it; TLS might have more.
            if count < buffer.count && !isSecure { return }
        }
        if reads { host.serveAgain(self) }
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
            reads = false
            updateWatch()
            host.endUpgrade(exchange, CURLE_OK)
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
            guard line.withUnsafeBytes({ handle.headLines.pointee.take($0) }) else {
                return host.endUpgrade(exchange, CURLE_WRITE_ERROR)
            }
        }
        guard lines.size <= ResponseHeadParser.limit else { return host.endUpgrade(exchange, CURLE_OUT_OF_MEMORY) }
        guard let head = exchange.reception.head else { return }
        if head.status.code == 101 {
            early = Array(rest)
            reads = false
            stage = .open(nil)
            updateWatch()
            host.handOver(exchange, self)
        } else {
            stage = .refused(exchange, RefusalReader(head))
            take(rest)
        }
    }

    // MARK: The end

    /// The peer closed its side.
    private func end() {
        switch stage {
        case .open(let receiver):
            finish(receiver, nil)
        case .refused(let exchange, _):
            host.endUpgrade(exchange, CURLE_OK)
        case .connecting(let exchange), .asking(let exchange, _):
            host.endUpgrade(exchange, CURLE_GOT_NOTHING)
        case .closed:
            break
        }
    }

    private func fail(_ code: CURLcode) {
        switch stage {
        case .open(let receiver):
            let kind = CurlFailure.kind(of: code, on: handle)
            finish(receiver, NetworkError(kind, phase: .receiving))
        case .connecting(let exchange), .asking(let exchange, _), .refused(let exchange, _):
            host.endUpgrade(exchange, code)
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
        if error != nil { host.close(self) }
    }

    /// The transport is shut down.
    func cancel() {
        if case .open(let receiver?) = stage { receiver.receiveEnd(NetworkError(.cancelled, phase: .receiving)) }
        host.close(self)
    }

    /// Closes the connection and frees everything; called by the engine.
    func free() {
        if case .closed = stage { return }
        stage = .closed
        reads = false
        if descriptor >= 0 { host.watch(descriptor, for: 0, of: self) }
        multi?.remove(handle)
        handle.free()
        multi?.free()
        multi = nil
        output.fail(Self.gone)
    }

    private static let gone = NetworkError(.transport(.connectionLost("it is closed")), phase: .sending)

    // MARK: Events

    private var isWatchingOutput = false

    private func updateWatch() {
        guard descriptor >= 0 else { return }
        isWatchingOutput = !output.isEmpty
        let events = (reads ? godwit_epoll_in : 0) | (isWatchingOutput ? godwit_epoll_out : 0)
        host.watch(descriptor, for: events, of: self)
    }
}
