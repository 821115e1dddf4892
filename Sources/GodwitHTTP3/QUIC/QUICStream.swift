#if os(Linux)
import CLibcurl
import GodwitCore
import GodwitLibc
import GodwitSockets
import GodwitWire

/// One request and its response over QUIC: a handle of libcurl's. Used on the loop's thread.
final class QUICStream: Carrier {
    let exchange: Exchange
    let attempt: QUICAttempt
    let multi: QUICMulti
    let easy: UnsafeMutableRawPointer
    unowned let engine: QUICEngine
    private let rules: TLSRules
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields = CurlList()
    private let added: LoopTime
    var head = HeadLines()
    private(set) var check: CertificateCheck?
    /// The sockets that libcurl opened for it and has not closed.
    var sockets: [Int32] = []
    /// Set once the request goes out.
    private(set) var connection: QUICConnection?
    private(set) var isReused = false
    /// Whether libcurl wanted a new connection, which it must not have.
    private(set) var wasRefused = false
    /// Whether the server failed `Expect: 100-continue`.
    private(set) var failedExpectation = false
    /// Bytes of the body that have not arrived; `nil` if the response doesn't tell.
    private var missing: Int64?
    private var isReceivingPaused = false
    private var isSendingPaused = false
    private var mayConnect: Bool

    /// `nil` if memory ran out.
    init?(_ exchange: Exchange, _ attempt: QUICAttempt, _ rules: TLSRules, _ multi: QUICMulti, _ engine: QUICEngine) {
        guard let easy = curl_easy_init() else { return nil }
        self.exchange = exchange
        self.attempt = attempt
        self.rules = rules
        self.multi = multi
        self.easy = easy
        self.engine = engine
        added = engine.now
        mayConnect = attempt.mayConnect || exchange.state.sendCount > 0 || !multi.isShared
        errorText.pointee = 0
        engine.options.apply(to: easy)
        setCallbacks()
        setRequest()
    }

    deinit {
        curl_easy_cleanup(easy)
        errorText.deallocate()
    }

    /// libcurl's text about the failure; empty if there is none.
    var errorMessage: String { String(cString: errorText) }

    /// Whether the system had no route to the server.
    var lackedRoute: Bool {
        [ENETUNREACH, EHOSTUNREACH].contains(Int32(clamping: godwit_get_long(easy, CURLINFO_OS_ERRNO)))
    }

    // MARK: Options

    private func setRequest() {
        let request = exchange.request
        godwit_set_string(easy, CURLOPT_URL, request.url.absoluteString)
        godwit_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        setMethod(request)
        fields = QUICHead.lines(of: exchange, host: engine.options.host(for: request.url))
        godwit_set_pointer(easy, CURLOPT_HTTPHEADER, fields.first)
        let needsOwn = exchange.state.needsOwnConnection || exchange.isWarmUp || attempt.isProbe || !multi.isShared
        godwit_set_long(easy, CURLOPT_FRESH_CONNECT, needsOwn ? 1 : 0)
        godwit_set_long(easy, CURLOPT_FORBID_REUSE, multi.isShared ? 0 : 1)
        // Waiting for a connection that can be shared is better than opening one per request.
        godwit_set_long(easy, CURLOPT_PIPEWAIT, needsOwn ? 0 : 1)
    }

    private func setMethod(_ request: HTTPRequest) {
        let hasContent = request.body != nil || request.method.expectsContent
        if request.method == .head {
            godwit_set_long(easy, CURLOPT_NOBODY, 1)
        } else if hasContent {
            godwit_set_long(easy, CURLOPT_UPLOAD, 1)
            godwit_set_offset(easy, CURLOPT_INFILESIZE_LARGE, request.body.map { Int($0.length ?? -1) } ?? 0)
        }
        if request.method != .get || hasContent, request.method != .head {
            godwit_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    // MARK: What libcurl does

    /// libcurl prepares TLS for a new connection.
    func prepare(_ context: OpaquePointer) -> CURLcode {
        let check = CertificateCheck(rules, host: exchange.request.url.host)
        self.check = check
        return check.apply(to: context) ? CURLE_OK : CURLE_SSL_CERTPROBLEM
    }

    /// libcurl needs a socket.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        guard mayConnect else {
            // The connection is gone or full. Without a race, a network that lost UDP would hold the request up.
            wasRefused = true
            return CURL_SOCKET_BAD
        }
        if let port = attempt.port, let place = MemoryLayout<curl_sockaddr>.offset(of: \.addr) {
            // The port is at the same place in addresses of both families.
            UnsafeMutableRawPointer(address).storeBytes(of: port.bigEndian, toByteOffset: place + 2, as: UInt16.self)
        }
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.pointee.family, kind, address.pointee.protocol)
        guard descriptor >= 0 else {
            if errno == EMFILE || errno == ENFILE { exchange.setFailure(.transport(.tooManyOpenFiles), .connecting) }
            return descriptor
        }
        // Set earlier, this would reserve the connection for the handle.
        if exchange.isWarmUp { godwit_set_long(easy, CURLOPT_CONNECT_ONLY, 1) }
        sockets.append(descriptor)
        multi.opened(descriptor, by: self)
        return descriptor
    }

    /// libcurl is connected, and about to send. Returns whether it may.
    func maySend(to remote: String, from localPort: Int) -> Bool {
        // Without the check of its opener, rules for TLS would not hold over the connection.
        guard let connection = multi.connection(of: self), connection.isVerified else {
            exchange.setFailure(.unsupported(feature: "TLS rules over QUIC", on: CurlLibrary.name), .connecting)
            return false
        }
        let isNew = connection.takeNew()
        if exchange.isWarmUp { return true }
        guard attempt.take(), maySendAgain() else { return false }
        self.connection?.streams -= 1
        self.connection = connection
        connection.streams += 1
        isReused = !isNew
        if !exchange.begin(on: self, used(remote, localPort)) { return false }
        if exchange.source == nil { exchange.dropSource() }
        exchange.options.onHeadSent?(QUICHead.text(of: exchange, host: engine.options.host(for: exchange.request.url)))
        return true
    }

    /// Whether it is sent for the first time. If not, libcurl does again what a kept connection lost, whatever the method.
    private func maySendAgain() -> Bool {
        guard connection != nil else { return true }
        let loss = ExchangeState.Loss(isReused: isReused, isSilent: head.size == 0)
        switch exchange.state.lose(loss, exchange.request.method, isRepeatable: exchange.isRepeatable) {
        case .fail: return exchange.refuse(.transport(.connectionLost("it closed before an answer came")))
        case .stop(let reason): return exchange.refuse(.transport(.connectionLost(reason)))
        case .again:
            exchange.restart()
            return true
        }
    }

    private func used(_ remote: String, _ localPort: Int) -> UsedConnection {
        func time(_ info: CURLINFO) -> LoopTime? {
            let microseconds = godwit_get_offset(easy, info)
            return microseconds > 0 ? added + Int64(microseconds) * 1000 : nil
        }
        return UsedConnection(
            .http3, isReused: isReused,
            openConnections: isReused ? nil : multi.connectionCount(to: exchange.request.url.origin),
            remote: remote, localPort: localPort, from: added, resolved: time(CURLINFO_NAMELOOKUP_TIME_T),
            connected: time(CURLINFO_CONNECT_TIME_T), secured: time(CURLINFO_APPCONNECT_TIME_T))
    }

    /// A line of a head or of the trailers arrived; `false` to give up.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        switch head.take(line) {
        case .nothing: exchange.noteHeadBytes()
        case .interim(let status, let fields): exchange.receiveInterim(status, fields)
        case .invalid(let kind): return exchange.refuse(kind)
        case .head(let status, let fields): return receive(status, fields)
        }
        return true
    }

    private func receive(_ status: HTTPStatus, _ fields: HTTPFields) -> Bool {
        if status.code == 417, exchange.isExpecting, exchange.request.body?.isReplayable == true {
            failedExpectation = true
            return false
        }
        if let fault = ContentLength.fault(in: fields) { return exchange.refuse(.invalidResponse(reason: fault)) }
        let length = ContentLength.value(in: fields)
        missing = exchange.request.method == .head || status.forbidsContent ? 0 : length
        guard exchange.receive(status, fields, length: length, hasBody: missing != 0) else { return false }
        noteEnd()
        return true
    }

    /// libcurl doesn't end a response that is complete while a stream is still sent. The stream may wait for the response's end,
    /// so the engine ends both.
    private func noteEnd() {
        if missing == 0, exchange.source?.isOpenStream == true { engine.answered.append(self) }
    }

    /// Bytes of the body arrived. Returns how many are taken, in libcurl's terms.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard exchange.takesInput else {
            isReceivingPaused = true
            return godwit_write_pause
        }
        guard exchange.receive(bytes) else { return godwit_write_error }
        missing = missing.map { $0 - Int64(bytes.count) }
        noteEnd()
        return bytes.count
    }

    /// libcurl wants more of the request's body.
    func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch exchange.supply(buffer) {
        case .bytes(let count):
            if count == 0 { exchange.state.sent() }
            return count
        case .pause:
            isSendingPaused = true
            return godwit_read_pause
        case .failed: return godwit_read_abort
        }
    }

    // MARK: The exchange

    var acknowledgedBytes: UInt64? { nil }

    func resumeReceiving(_ exchange: Exchange) {
        guard isReceivingPaused else { return }
        isReceivingPaused = false
        setPauses()
    }

    func resumeSending(_ exchange: Exchange) {
        guard isSendingPaused else { return }
        isSendingPaused = false
        setPauses()
    }

    private func setPauses() {
        let bits = (isReceivingPaused ? CURLPAUSE_RECV : 0) | (isSendingPaused ? CURLPAUSE_SEND : 0)
        curl_easy_pause(easy, bits)
    }

    func abandon(_ exchange: Exchange) { remove() }

    /// Takes it from libcurl.
    func remove() {
        // libcurl closes connections of handles that only connect.
        if exchange.isWarmUp {
            godwit_set_long(easy, CURLOPT_CONNECT_ONLY, 0)
            godwit_set_long(easy, CURLOPT_FRESH_CONNECT, 0)
        }
        guard multi.remove(self) else { return }
        connection?.streams -= 1
        connection = nil
    }
}
#endif
