import CGodwitCurl
import GodwitCore

/// The deadlines of one exchange: connecting, inactivity and the whole.
struct ExchangeTiming {
    private enum Stage {
        /// In libcurl's queue for a connection.
        case queued
        case connecting, moving
    }

    /// A part of the caller's side, which may take its time.
    struct Party: OptionSet {
        let rawValue: UInt8

        static let source = Party(rawValue: 1)
        static let reader = Party(rawValue: 2)
    }

    private let limits: TimeLimits
    private let begin: LoopTime
    private var firstReceipt: LoopTime?
    private var stage = Stage.queued
    private var last: LoopTime
    private var awaited: Party = []
    private var isAnswered = false
    /// When to look whether an upload moves; nil while there is none.
    private var nextLook: LoopTime?

    init(_ limits: TimeLimits, at now: LoopTime) {
        self.limits = limits
        begin = now
        last = now
    }

    /// A connection is being made; several attempts share one deadline.
    mutating func connecting(at now: LoopTime) {
        guard stage == .queued else { return }
        stage = .connecting
        last = now
    }

    /// It is sent again, and waits for a connection first.
    mutating func restart(at now: LoopTime) {
        stage = .queued
        last = now
        awaited = []
        nextLook = nil
    }

    mutating func moved(at now: LoopTime) {
        stage = .moving
        last = now
    }

    /// It has to wait for one side of the caller's.
    mutating func waits(for party: Party) {
        awaited.insert(party)
    }

    mutating func goesOn(after party: Party, at now: LoopTime) {
        awaited.remove(party)
        moved(at: now)
    }

    /// The response's header is complete.
    mutating func answered() {
        isAnswered = true
        nextLook = nil
    }

    /// There is a body to be sent. libcurl and the kernel take some of it in one go, and carry it without a word.
    mutating func startLooking(at now: LoopTime) {
        nextLook = now + limits.inactivity / 4
    }

    mutating func looked(at now: LoopTime) {
        if nextLook != nil { startLooking(at: now) }
    }

    var isLooking: Bool { nextLook != nil }

    /// When a byte was seen to move last.
    var lastMovement: LoopTime { last }

    /// A line of the response's header is in.
    mutating func received(at now: LoopTime) {
        moved(at: now)
        if firstReceipt == nil { firstReceipt = now }
    }

    /// Until the first byte of the response; nil where there was none.
    var firstByte: Duration? {
        firstReceipt.map { $0 - begin }
    }

    /// From the beginning until now.
    func total(at now: LoopTime) -> Duration {
        now - begin
    }

    /// Whether it waits for the caller's side: then its deadline may have been forgotten. From a server that has begun to
    /// answer, the rest is expected however long the source takes.
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
        let end = limits.total.map { begin + $0 }
        if isSuspended { return end }
        return switch stage {
        case .queued: end
        case .connecting: .earlier(last + limits.connect, end)
        case .moving: .earlier(.earlier(last + limits.inactivity, nextLook), end)
        }
    }

    /// What took too long.
    func expiredStage(at now: LoopTime) -> NetworkError.Stage {
        if let total = limits.total, begin + total <= now { return .total }
        return stage == .connecting ? .connect : .inactivity
    }

    /// Whether it has waited in the queue for longer than making a connection may take.
    func hasQueuedTooLong(at now: LoopTime) -> Bool {
        stage == .queued && hasWaitedTooLongToConnect(at: now)
    }

    /// Whether it has no connection yet and began longer ago than making one may take.
    func hasWaitedTooLongToConnect(at now: LoopTime) -> Bool {
        stage != .moving && begin + limits.connect <= now
    }
}

extension TransferMetrics {
    /// What libcurl measured about the exchange on a handle; the times after sending are not its to tell.
    init(_ handle: EasyHandle, received: Int64) {
        self.init()
        let easy = handle.pointer
        requestSent = Self.duration(easy, CURLINFO_PRETRANSFER_TIME_T)
        // An exchange that never came so far has made no connection either.
        reusedConnection = requestSent != nil && godwit_get_long(easy, CURLINFO_NUM_CONNECTS) == 0
        if !reusedConnection {
            dns = Self.duration(easy, CURLINFO_NAMELOOKUP_TIME_T)
            connect = Self.duration(easy, CURLINFO_CONNECT_TIME_T)
            tls = Self.duration(easy, CURLINFO_APPCONNECT_TIME_T)
        }
        bytesSent = godwit_get_offset(easy, CURLINFO_SIZE_UPLOAD_T)
        bytesReceived = received
        protocolVersion = Self.version(godwit_get_long(easy, CURLINFO_HTTP_VERSION))
        remoteAddress = handle.peerNames.name(of: easy)
    }

    private static func duration(_ easy: UnsafeMutableRawPointer, _ info: CURLINFO) -> Duration? {
        let microseconds = godwit_get_offset(easy, info)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    private static func version(_ value: Int) -> HTTPVersion? {
        switch value {
        case Int(CURL_HTTP_VERSION_1_0): .http1_0
        case Int(CURL_HTTP_VERSION_1_1): .http1_1
        case Int(CURL_HTTP_VERSION_2_0): .http2
        case Int(CURL_HTTP_VERSION_3): .http3
        default: nil
        }
    }
}
