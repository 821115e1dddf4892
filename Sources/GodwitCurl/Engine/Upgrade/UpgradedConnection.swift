import CGodwitCurl
import GodwitCore

/// A connection that leaves HTTP: libcurl connects (names, proxies, TLS), we ask for the upgrade, and from the 101 on it
/// carries bytes. Lives on its engine's thread.
final class UpgradedConnection {
    private enum Stage {
        /// libcurl has it.
        case connecting(Exchange)
        /// The request is sent, the answer's head comes in.
        case asking(Exchange, ProtocolUpgrade)
        /// The server said no; its reasons come in.
        case refused(Exchange, RefusalReader)
        /// Bytes pass; nil until somebody takes them.
        case open((any DuplexReceiver)?)
        case closed
    }

    let id: Int
    private let handle: EasyHandle
    private var engine: Engine { handle.engine }
    private var multi: ConnectMulti?
    private var stage: Stage
    private var descriptor: Int32 = -1
    private var lines = LineCutter()
    /// What came right behind the 101.
    private var early: [UInt8] = []
    private var output = OutputQueue()
    private var reads = false
    private var isSecure = false

    /// How often one turn of the loop reads from one connection, so that the others get theirs.
    private static let readsPerTurn = 16

    init(_ id: Int, _ exchange: Exchange, on handle: EasyHandle) {
        self.id = id
        self.handle = handle
        stage = .connecting(exchange)
    }

    // MARK: Connecting

    /// Begins; false where libcurl refuses.
    func connect() -> Bool {
        let multi = ConnectMulti(self, on: engine)
        self.multi = multi
        handle.onlyConnect()
        return multi.add(handle)
    }

    /// When libcurl wants to be called again.
    var connectDeadline: LoopTime? { multi?.deadline }

    func serveTimer() {
        multi?.actOnTimer()
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
        guard case .connecting(let exchange) = stage, let code = multi?.outcome() else { return }
        engine.connected(self)
        engine.races.established(handle)
        guard code == CURLE_OK, let upgrade = exchange.request.options.upgrade else {
            return engine.endUpgrade(exchange, code)
        }
        guard let socket = handle.connectedSocket else {
            return engine.endUpgrade(exchange, CURLE_COULDNT_CONNECT)
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
        case .close: engine.close(self)
        }
    }

    private func start(_ receiver: any DuplexReceiver) {
        guard case .open(nil) = stage else { return }
        stage = .open(receiver)
        reads = true
        let bytes = early
        early = []
        if !bytes.isEmpty { reads = bytes.withUnsafeBytes(receiver.receive) }
        resumeReading(if: reads)
    }

    private func resumeReading(if wanted: Bool = true) {
        guard case .open(_?) = stage else { return }
        reads = wanted
        // What TLS holds already shows no event.
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
        let buffer = engine.readBuffer
        for _ in 0..<Self.readsPerTurn where reads {
            var count = 0
            let code = curl_easy_recv(handle.pointer, buffer.baseAddress, buffer.count, &count)
            if code == CURLE_AGAIN { return }
            guard code == CURLE_OK else { return fail(code) }
            guard count > 0 else { return end() }
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            // The kernel has no more, or will say so; TLS might.
            if count < buffer.count && !isSecure { return }
        }
        if reads { engine.serveAgain(self) }
    }

    /// More than one turn's share is there.
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
            if isComplete { engine.endUpgrade(exchange, CURLE_OK) }
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
        while exchange.head == nil {
            guard let line = lines.next(in: &rest) else { break }
            guard line.withUnsafeBytes({ handle.headLines.pointee.take($0) }) else {
                return engine.endUpgrade(exchange, CURLE_WRITE_ERROR)
            }
        }
        guard lines.size <= ResponseHeadParser.limit else { return engine.endUpgrade(exchange, CURLE_OUT_OF_MEMORY) }
        guard let head = exchange.head else { return }
        if head.status.code == 101 {
            early = Array(rest)
            reads = false
            stage = .open(nil)
            updateWatch()
            engine.handOver(exchange, CurlDuplex(id, on: engine.loop))
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
            engine.endUpgrade(exchange, CURLE_OK)
        case .connecting(let exchange), .asking(let exchange, _):
            engine.endUpgrade(exchange, CURLE_GOT_NOTHING)
        case .closed:
            break
        }
    }

    private func fail(_ code: CURLcode) {
        switch stage {
        case .open(let receiver):
            let kind = CurlFailure.kind(of: code, on: handle, isConnected: true)
            finish(receiver, NetworkError(kind, phase: .receiving))
        case .connecting(let exchange), .asking(let exchange, _), .refused(let exchange, _):
            engine.endUpgrade(exchange, code)
        case .closed:
            break
        }
    }

    private func finish(_ receiver: (any DuplexReceiver)?, _ error: NetworkError?) {
        reads = false
        // Nothing more can come, but what is written may still go out.
        stage = .open(nil)
        updateWatch()
        receiver?.receiveEnd(error)
        if error != nil { engine.close(self) }
    }

    /// The transport is shut down.
    func cancel() {
        if case .open(let receiver?) = stage { receiver.receiveEnd(NetworkError(.cancelled, phase: .receiving)) }
        engine.close(self)
    }

    /// Closes the connection and lets go of everything; called by the engine.
    func free() {
        if case .closed = stage { return }
        stage = .closed
        reads = false
        if descriptor >= 0 { engine.watch(descriptor, for: 0, of: self) }
        if let multi { multi.free(handle) } else { handle.free() }
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
        engine.watch(descriptor, for: events, of: self)
    }
}
