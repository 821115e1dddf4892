#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The deadlines of one exchange: connecting, inactivity and the whole.
struct ExchangeTiming {
    private enum Stage {
        /// In libcurl's queue for a connection.
        case queued
        /// A connection is being made; several attempts share one deadline.
        case connecting
        /// The request is on its way, or the response.
        case moving
    }

    /// A part of the caller's side, which may take any time.
    struct Party: OptionSet {
        let rawValue: UInt8

        static let source = Party(rawValue: 1)
        static let reader = Party(rawValue: 2)
    }

    private let limits: TimeLimits
    private let start: LoopTime
    private var firstReceipt: LoopTime?
    private var stage = Stage.queued
    private var last: LoopTime
    private var awaited: Party = []
    private var isAnswered = false
    /// When to look whether an upload moves; nil while there is none.
    private var nextLook: LoopTime?
    private var upload = UploadWatch()

    init(_ limits: TimeLimits, at now: LoopTime) {
        self.limits = limits
        start = now
        last = now
    }

    /// libcurl looks up a name or opens a socket.
    mutating func connecting(at now: LoopTime) {
        guard stage == .queued else { return }
        stage = .connecting
        last = now
    }

    /// The request is sent again, and waits for a connection first.
    mutating func restart(at now: LoopTime) {
        stage = .queued
        last = now
        awaited = []
        nextLook = nil
    }

    private mutating func moved(at now: LoopTime) {
        stage = .moving
        last = now
    }

    /// One of the caller's sides is not ready.
    mutating func waits(for party: Party) {
        awaited.insert(party)
    }

    mutating func resumes(after party: Party, at now: LoopTime) {
        awaited.remove(party)
        moved(at: now)
    }

    /// The response's header is complete.
    mutating func answered() {
        isAnswered = true
        nextLook = nil
    }

    /// There is a body to send. libcurl and the kernel take some of it in one step, and carry it without a callback.
    mutating func startLooking(at now: LoopTime) {
        nextLook = now + limits.inactivity / 4
    }

    /// Takes what libcurl and the kernel know of the exchange's progress.
    mutating func look(_ progress: UploadWatch.Progress, at now: LoopTime) {
        if nextLook != nil, upload.hasMoved(progress) {
            moved(at: now)
        } else if let received = progress.received, received > last {
            moved(at: received)
        }
        if nextLook != nil { startLooking(at: now) }
    }

    /// A line of the response's header is in.
    mutating func received(at now: LoopTime) {
        moved(at: now)
        if firstReceipt == nil { firstReceipt = now }
    }

    /// Until the first byte of the response; nil if there was none.
    var firstByte: Duration? {
        firstReceipt.map { $0 - start }
    }

    /// From the start until now.
    func total(at now: LoopTime) -> Duration {
        now - start
    }

    /// Whether it waits for the caller's side: then its deadline may have been forgotten. A server that has started to answer
    /// is expected to continue however long the source takes.
    var isSuspended: Bool {
        awaited.contains(.reader) || awaited.contains(.source) && !isAnswered
    }

    /// Whether it waits for one side of the caller's.
    var waitsForCaller: Bool { !awaited.isEmpty }

    /// How many milliseconds it has waited for the server; nil if it is not connected, or waits for the caller.
    func waited(at now: LoopTime) -> Int64? {
        guard case .moving = stage, awaited.isEmpty else { return nil }
        return now.nanoseconds(after: last) / 1_000_000
    }

    /// The earliest moment at which it has taken too long; nil for never.
    var deadline: LoopTime? {
        let end = limits.total.map { start + $0 }
        if isSuspended { return end }
        return switch stage {
        case .queued: end
        case .connecting: .earlier(last + limits.connect, end)
        case .moving: .earlier(.earlier(last + limits.inactivity, nextLook), end)
        }
    }

    /// What took too long.
    func expiredStage(at now: LoopTime) -> NetworkError.Stage {
        if let total = limits.total, start + total <= now { return .total }
        return stage == .connecting ? .connect : .inactivity
    }

    /// Whether it has waited in the queue for longer than making a connection may take.
    func hasQueuedTooLong(at now: LoopTime) -> Bool {
        stage == .queued && hasWaitedTooLongToConnect(at: now)
    }

    /// Whether it has no connection yet and began longer ago than making one may take.
    func hasWaitedTooLongToConnect(at now: LoopTime) -> Bool {
        stage != .moving && start + limits.connect <= now
    }
}

extension TransferMetrics {
    /// What libcurl measured about the exchange on a handle, up to the sending.
    init(_ handle: EasyHandle, received: Int64) {
        self.init()
        let easy = handle.pointer
        // libcurl 8 also has a time for an exchange that never got a connection.
        let isSent = handle.exchange.map { $0.state.sendCount > 0 || $0.isWarmUp } ?? false
        requestSent = isSent ? Self.duration(easy, CURLINFO_PRETRANSFER_TIME_T) : nil
        // An exchange that sent nothing has made no connection either.
        reusedConnection = requestSent != nil && handle.reusedConnection
        if !reusedConnection {
            dns = Self.duration(easy, CURLINFO_NAMELOOKUP_TIME_T)
            connect = Self.duration(easy, CURLINFO_CONNECT_TIME_T)
            tls = Self.duration(easy, CURLINFO_APPCONNECT_TIME_T)
        }
        bytesSent = godwit_get_offset(easy, CURLINFO_SIZE_UPLOAD_T)
        bytesReceived = received
        protocolVersion = Self.version(godwit_get_long(easy, CURLINFO_HTTP_VERSION))
        remoteAddress = Self.racedPeer(of: handle) ?? Self.peer(of: easy)
        if requestSent != nil { localPort = handle.localPort }
    }

    private static func duration(_ easy: UnsafeMutableRawPointer, _ info: CURLINFO) -> Duration? {
        let microseconds = godwit_get_offset(easy, info)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The address that won a race, if libcurl doesn't notice that it isn't the one that it tried.
    private static func racedPeer(of handle: EasyHandle) -> String? {
        let raced = handle.resources.poller.raced
        guard !raced.isEmpty, CurlLibrary.features.remembersFirstAddress else { return nil }
        let localPort = Int32(clamping: handle.localPort)
        guard let descriptor = raced.first(where: { godwit_local_port($0) == localPort }) else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let port = godwit_peer_of(descriptor, &text, text.count)
        let address = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return port > 0 ? Self.peer(String(decoding: address, as: UTF8.self), port: Int(port)) : nil
    }

    /// The server's address and port, such as `127.0.0.1:443` or `[::1]:443`; nil for a Unix domain socket.
    private static func peer(of easy: UnsafeMutableRawPointer) -> String? {
        let port = godwit_get_long(easy, CURLINFO_PRIMARY_PORT)
        // For a Unix domain socket libcurl returns the path.
        guard port > 0, let address = godwit_get_string(easy, CURLINFO_PRIMARY_IP).map({ String(cString: $0) }),
            !address.isEmpty, !address.hasPrefix("/")
        else { return nil }
        return peer(address, port: port)
    }

    private static func peer(_ address: String, port: Int) -> String {
        address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    private static func version(_ value: Int) -> HTTPVersion? {
        switch value {
        case CURL_HTTP_VERSION_1_0: .http1_0
        case CURL_HTTP_VERSION_1_1: .http1_1
        case CURL_HTTP_VERSION_2_0: .http2
        case CURL_HTTP_VERSION_3: .http3
        default: nil
        }
    }
}
#endif
