#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// A libcurl handle that serves one exchange after the other. Used on its engine's thread.
///
/// Options that never change are set once; between exchanges only differences are set. A full reset and the thirty options
/// after it would cost as much as a small exchange.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    let resources: ExchangeResources
    private let clock: UnsafeMutablePointer<LoopTime>
    /// What libcurl's callbacks find their engine by.
    let engine: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var exchange: Exchange?
    /// The multi handle it is on.
    var generation: UInt32?
    @exclusivity(unchecked) var headParser = ResponseHeadParser()
    /// The lines for the parser.
    let headLines: UnsafeMutablePointer<HeadLines>
    @exclusivity(unchecked) private var url: CurlURL
    @exclusivity(unchecked) private var fields = FieldList()
    private var security: HandleSecurity
    private var shape = Shape.get
    private var isPrioritized = false
    private var hasLargeBuffer = false
    private var waitsToShare = false
    private var closesConnection = false
    private var reportsHeads = false
    /// Whether it serves no other exchange: libcurl 7.88 doesn't forget that a handle has sent trailer fields, and would write the
    /// next chunked body to the wrong place (decision 109).
    var isUsedUp = false
    let isAskedBeforeSending: Bool
    let protocols: ProtocolPreference
    private var connectsAlone = false
    /// The URL of the proxy that libcurl was last told to use.
    private(set) var proxy: String?
    /// libcurl's value of the HTTP version; nil for the configuration's.
    private var version: Int?
    private let errorText: UnsafeMutablePointer<CChar>
    /// The header that libcurl may still write to.
    private var heldHeader: UnsafeMutableRawPointer?

    /// What libcurl was last told to send.
    private enum Shape: Equatable {
        case get, head
        /// No content, with this method.
        case bare(HTTPMethod)
        /// Content, with this method.
        case upload(HTTPMethod)
    }

    /// - Parameters:
    ///   - number: Differs from those of the engine's other handles.
    ///   - engine: Outlives the handle. Its callbacks have to be set.
    init?(_ resources: ExchangeResources, number: Int, engine: UnsafeMutableRawPointer) {
        guard let url = CurlURL() else { return nil }
        guard let pointer = curl_easy_init() else {
            url.free()
            return nil
        }
        self.pointer = pointer
        self.url = url
        self.resources = resources
        self.engine = engine
        clock = resources.clock
        isAskedBeforeSending = resources.configuration.features.prerequest
        protocols = resources.configuration.protocols
        security = HandleSecurity(pointer, resources.trust.sessions)
        headLines = .allocate(capacity: 1)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.pointee = 0
        headLines.initialize(to: HeadLines(of: self, clock: clock))
        url.attach(to: pointer)
        resources.configuration.apply(to: pointer)
        // Different for each handle: libcurl would continue the TLS handshakes of connections with the same timer in one call.
        godwit_set_long(pointer, CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, 200 + number * 37 % 200)
        if let first = resources.addresses.first { godwit_set_pointer(pointer, CURLOPT_RESOLVE, first) }
        if let first = resources.targets.first { godwit_set_pointer(pointer, CURLOPT_CONNECT_TO, first) }
        godwit_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    }

    /// The time of this turn of the loop.
    var now: LoopTime { clock.pointee }

    /// The path of the unix-domain socket to connect to; `nil` if the URL's host is connected to.
    var socketPath: String? { resources.configuration.unixSocketPath }

    /// The `errno` of the last failure to connect.
    var systemError: Int32 { Int32(clamping: godwit_get_long(pointer, CURLINFO_OS_ERRNO)) }

    /// Frees libcurl's side. The handle is not used again.
    func free() {
        curl_easy_cleanup(pointer)
        godwit_drop_header(heldHeader)
        url.free()
        fields.free()
        security.free()
        headLines.pointee.free()
        headLines.deallocate()
        errorText.deallocate()
    }

    /// libcurl's message about the last failure; empty if there is none.
    var errorMessage: String {
        String(cString: errorText)
    }

    /// Sets the message about a failure of a socket that libcurl has given up.
    func setErrorMessage(_ text: String) {
        let bytes = text.utf8CString.prefix(Int(CURL_ERROR_SIZE) - 1)
        for (index, byte) in bytes.enumerated() { errorText[index] = byte }
        errorText[bytes.count] = 0
    }

    /// Sets the options of one exchange; false if libcurl refused them, or memory ran out.
    func prepare(for exchange: Exchange) -> Bool {
        self.exchange = exchange
        errorText.pointee = 0
        headParser.reset()
        headLines.pointee.reset()
        let request = exchange.request
        setShape(for: request, length: exchange.source?.length)
        setFields(of: request, isExpecting: exchange.isExpecting)
        setPriority(exchange.options.priority)
        setReporting(of: exchange.options.onHeadSent)
        setBuffer(for: request.delivery)
        setProxy(resources.proxies.proxy(for: request.url.origin))
        setVersion(exchange.route, for: request.url.scheme)
        setSharing(
            for: request.url.scheme,
            isAlone: exchange.state.needsOwnConnection || exchange.route.isProbe || exchange.sendsTrailers)
        // libcurl before 7.80 doesn't ask before it sends again what a kept connection lost: use no kept connection.
        if !isAskedBeforeSending {
            godwit_set_long(pointer, CURLOPT_FRESH_CONNECT, exchange.isRepeatable && !connectsAlone ? 0 : 1)
        }
        if exchange.isWarmUp { beginWarmUp() }
        guard security.set(for: request.url, resources.rules, resources.trust, on: pointer) else {
            return false
        }
        guard let fault = url.set(request.url) else { return true }
        exchange.failure = exchange.error(.invalidURL(reason: fault))
        return false
    }

    /// Whether the handshake met no pinned key. libcurl's code doesn't always tell: with a proxy that uses TLS itself, it
    /// reports a broken connection.
    var wasRefusedForPins: Bool { security.wasRefused(pointer) }

    /// Whether the connection was made with the engine's rules for TLS, if there are any.
    var hasTLSRules: Bool { !security.hasRules || godwit_has_tls_rules(pointer) != 0 }

    /// Whether the exchange was sent on a connection that had served another.
    var reusedConnection: Bool { godwit_get_long(pointer, CURLINFO_NUM_CONNECTS) == 0 }

    /// Whether the exchange's response came over HTTP/1.
    var usesHTTP1: Bool {
        [CURL_HTTP_VERSION_1_0, CURL_HTTP_VERSION_1_1].contains(godwit_get_long(pointer, CURLINFO_HTTP_VERSION))
    }

    /// The port of the connection's own end, once a request was sent on it; 0 if there is none.
    var localPort: Int { max(0, godwit_get_long(pointer, CURLINFO_LOCAL_PORT)) }

    /// The bytes of the request's body that libcurl wrote to its connection.
    var sentBodySize: UInt64 { UInt64(max(0, godwit_get_offset(pointer, CURLINFO_SIZE_UPLOAD_T))) }

    /// Frees what the request needed: it is sent, and its response may stay open for long.
    func releaseRequest() {
        godwit_set_pointer(pointer, CURLOPT_HTTPHEADER, nil)
        fields.release()
    }

    /// The exchange is over.
    func release() {
        exchange = nil
        security.release(pointer)
        keepConnectionAfterwards()
    }

    /// Prepares for another exchange, which libcurl may begin by writing to the last header of this one; false if it can't be held.
    ///
    /// Only after a whole response: each of its headers was reported after it was stored.
    func holdLastHeader(after outcome: CURLcode?) -> Bool {
        guard CurlLibrary.losesHeaders else { return true }
        guard outcome == CURLE_OK, let header = headLines.pointee.lastHeader else { return false }
        guard heldHeader != nil || isStored(header) else { return false }
        guard header != heldHeader else { return true }
        godwit_hold_header(header)
        godwit_drop_header(heldHeader)
        heldHeader = header
        return true
    }

    /// Whether libcurl names it as its last header. Libraries differ by what their distributors change, so each handle is asked once.
    /// The time grows with the square of the number.
    private func isStored(_ header: UnsafeMutableRawPointer) -> Bool {
        headLines.pointee.storedCount <= 50 && godwit_is_last_header(pointer, header) != 0
    }

    /// Undoes ``closeConnectionAfterwards()``.
    func keepConnectionAfterwards() {
        guard closesConnection else { return }
        closesConnection = false
        godwit_set_long(pointer, CURLOPT_FORBID_REUSE, 0)
    }

    /// Resumes a paused transfer: sending, and receiving if its reader has caught up. libcurl hands over what it held back
    /// before this returns. If that is refused, only this code says so.
    ///
    /// Resuming to receive without a reader would make libcurl read, and keep, one more buffer each time.
    func resume(receives: Bool) -> CURLcode {
        curl_easy_pause(pointer, receives ? CURLPAUSE_CONT : CURLPAUSE_RECV)
    }

    /// Makes libcurl run a transfer that is connecting.
    func runSoon() {
        guard exchange != nil else { return }
        curl_easy_pause(pointer, CURLPAUSE_ALL)
        curl_easy_pause(pointer, CURLPAUSE_CONT)
    }

    /// Uses none of the kept connections for this exchange.
    func useNewConnection() {
        connectsAlone = true
        keepConnectionAfterwards()
        godwit_set_long(pointer, CURLOPT_FRESH_CONNECT, 1)
    }

    /// Keeps the connection from being used again once the exchange is over.
    func closeConnectionAfterwards() {
        closesConnection = true
        godwit_set_long(pointer, CURLOPT_FORBID_REUSE, 1)
    }

    // MARK: Options of one exchange

    private func setShape(for request: HTTPRequest, length: Int64?) {
        let needed = Self.shape(of: request)
        if needed != shape {
            shape = needed
            // Back to a plain GET, which undoes what any other shape set.
            godwit_set_long(pointer, CURLOPT_NOBODY, 0)
            godwit_set_long(pointer, CURLOPT_HTTPGET, 1)
            godwit_set_string(pointer, CURLOPT_CUSTOMREQUEST, nil)
            switch needed {
            case .get: break
            case .head: godwit_set_long(pointer, CURLOPT_NOBODY, 1)
            case .bare(let method): setMethod(method)
            case .upload(let method):
                godwit_set_long(pointer, CURLOPT_UPLOAD, 1)
                setMethod(method)
            }
        }
        if case .upload = needed {
            let length = request.body == nil ? 0 : length ?? -1
            godwit_set_offset(pointer, CURLOPT_INFILESIZE_LARGE, length)
        }
    }

    private func setMethod(_ method: HTTPMethod) {
        _ = method.rawValue.withCString { godwit_set_string(pointer, CURLOPT_CUSTOMREQUEST, $0) }
    }

    /// Methods that expect content declare its length even if there is none (RFC 9110 section 8.6).
    private static func shape(of request: HTTPRequest) -> Shape {
        switch request.method {
        case .get where request.body == nil: .get
        case .head: .head
        case .post, .put, .patch: .upload(request.method)
        default: request.body == nil ? .bare(request.method) : .upload(request.method)
        }
    }

    private func setFields(of request: HTTPRequest, isExpecting: Bool) {
        // A part of an encoded representation can't be decoded, so a request for a range asks for the plain one.
        let acceptsCodings = shape != .head && !request.fields.contains(.range)
        let defaults =
            if shape == .get {
                FieldList.Default.withoutContent
            } else {
                isExpecting ? FieldList.Default.withExpectation : FieldList.Default.withContent
            }
        let lines = (acceptsCodings ? defaults : defaults.dropFirst()) + extraLines(for: request)
        godwit_set_pointer(
            pointer, CURLOPT_HTTPHEADER, fields.build(request.fields.withOneCookieField, defaults: lines))
    }

    /// The `Host` field that replaces libcurl's, if one is configured for this origin, the priority where it has a meaning, and the
    /// announced trailer fields.
    private func extraLines(for request: HTTPRequest) -> ArraySlice<FieldList.Default> {
        let (hosts, url) = (resources.configuration.hostFields, request.url)
        let host = hosts.isEmpty ? nil : hosts["\(url.host):\(url.port)"]
        let priority = protocols.mayShare(url.scheme) ? FieldList.Default.priority(of: request) : nil
        let trailer = request.body?.announcedTrailers
        guard host != nil || priority != nil || trailer != nil else { return [] }
        return [
            host.map { FieldList.Default(name: .host, line: "Host: \($0)") }, priority,
            trailer.map { FieldList.Default(name: .trailer, line: "Trailer: \($0)") },
        ].compactMap(\.self)[...]
    }

    /// libcurl reports heads only in its verbose mode.
    private func setReporting(of handler: (@Sendable (String) -> Void)?) {
        guard isAskedBeforeSending, reportsHeads != (handler != nil) else { return }
        reportsHeads = handler != nil
        godwit_set_long(pointer, CURLOPT_VERBOSE, reportsHeads ? 1 : 0)
    }

    /// A large buffer saves system calls for large bodies; a small one is cheaper to allocate for each exchange.
    private func setBuffer(for delivery: Delivery) {
        let needsLarge = if case .buffered = delivery { false } else { true }
        guard needsLarge != hasLargeBuffer else { return }
        hasLargeBuffer = needsLarge
        godwit_set_long(pointer, CURLOPT_BUFFERSIZE, needsLarge ? 128 << 10 : Int(CURL_MAX_WRITE_SIZE))
    }

    private func setProxy(_ wanted: String?) {
        guard wanted != proxy else { return }
        proxy = wanted
        godwit_set_string(pointer, CURLOPT_PROXY, wanted ?? "")
    }

    /// Waiting for a connection that can be shared is better than opening one per request. Over plain HTTP, where nothing
    /// will be shared, libcurl would wait for the first response too.
    private func setSharing(for scheme: HTTPURL.Scheme, isAlone: Bool) {
        setOwnConnection(isAlone, isKept: true)
        if protocols == .http2PriorKnowledge, scheme == .http, CurlLibrary.breaksPriorKnowledge {
            setOwnConnection(true, isKept: false)
        }
        waitToShare(protocols.mayShare(scheme) && !connectsAlone)
    }

    /// Whether libcurl waits for a connection that turns out to be shared, instead of making one.
    func waitToShare(_ waits: Bool) {
        guard waits != waitsToShare else { return }
        waitsToShare = waits
        godwit_set_long(pointer, CURLOPT_PIPEWAIT, waits ? 1 : 0)
    }

    private func setVersion(_ route: VersionRoute, for scheme: HTTPURL.Scheme) {
        // HTTP/2 is only chosen by TLS. libcurl 8 uses no kept connection without a response for a request that may be HTTP/2.
        let plain = scheme == .http && protocols == .http2WhereSecure ? CURL_HTTP_VERSION_1_1 : nil
        let wanted = route.curlVersion ?? plain
        guard wanted != version else { return }
        version = wanted
        godwit_set_long(pointer, CURLOPT_HTTP_VERSION, wanted ?? protocols.curlVersion)
    }

    /// Makes a connection for this exchange, which others may use afterwards or not.
    private func setOwnConnection(_ isAlone: Bool, isKept: Bool) {
        if isAlone, !isKept { closeConnectionAfterwards() }
        guard isAlone != connectsAlone else { return }
        connectsAlone = isAlone
        godwit_set_long(pointer, CURLOPT_FRESH_CONNECT, isAlone ? 1 : 0)
    }

    /// The weight of an HTTP/2 stream (RFC 7540 section 5.3); libcurl's default is 16.
    private func setPriority(_ priority: RequestPriority) {
        guard isPrioritized || priority != .normal else { return }
        isPrioritized = priority != .normal
        let weight =
            switch priority {
            case .low: 1
            case .normal: 16
            case .high: 256
            }
        godwit_set_long(pointer, CURLOPT_STREAM_WEIGHT, weight)
    }
}
#endif
