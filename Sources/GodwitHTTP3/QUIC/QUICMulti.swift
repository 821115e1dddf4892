#if os(Linux)
import CLibcurl
import GodwitCore
import GodwitLibc
import GodwitSockets

/// libcurl's multi handle: a pool of QUIC connections, and the exchanges on them. Used on the loop's thread.
///
/// An engine has one that takes new exchanges. Older ones only finish theirs, on connections that nothing else may use.
final class QUICMulti {
    private let pointer: UnsafeMutableRawPointer?
    unowned let engine: QUICEngine
    /// When libcurl has to be called again; `nil` for never.
    private(set) var deadline: LoopTime?
    private(set) var streams: [UnsafeMutableRawPointer: QUICStream] = [:]
    /// Who opened a socket that is not yet a connection's.
    private var openers: [Int32: QUICStream] = [:]
    private var byNumber: [Int: QUICConnection] = [:]
    private var bySocket: [Int32: QUICConnection] = [:]
    /// Whether its connections carry several requests, and are kept for later ones.
    let isShared: Bool
    /// Whether others learn of its connections, as they may use them.
    private var isReported: Bool

    init(_ engine: QUICEngine, isShared: Bool = true) {
        self.engine = engine
        self.isShared = isShared
        isReported = isShared
        pointer = curl_multi_init()
        let context = Unmanaged.passUnretained(self).toOpaque()
        godwit_multi_set_socket_function(pointer, CURLMOPT_SOCKETFUNCTION, onSocket)
        godwit_multi_set_pointer(pointer, CURLMOPT_SOCKETDATA, context)
        godwit_multi_set_timer_function(pointer, CURLMOPT_TIMERFUNCTION, onTimer)
        godwit_multi_set_pointer(pointer, CURLMOPT_TIMERDATA, context)
        engine.options.apply(toMulti: pointer)
        if !isShared { godwit_multi_set_long(pointer, CURLMOPT_PIPELINING, CURLPIPE_NOTHING) }
    }

    /// Closes every connection.
    func free() {
        curl_multi_cleanup(pointer)
    }

    // MARK: Streams

    func add(_ stream: QUICStream) -> Bool {
        streams[stream.easy] = stream
        guard curl_multi_add_handle(pointer, stream.easy) == CURLM_OK else {
            streams[stream.easy] = nil
            return false
        }
        return true
    }

    /// Returns `false` for a stream that it doesn't have any more.
    func remove(_ stream: QUICStream) -> Bool {
        guard streams.removeValue(forKey: stream.easy) != nil else { return false }
        curl_multi_remove_handle(pointer, stream.easy)
        return true
    }

    /// A stream that has ended, and its result.
    func nextEnded() -> (QUICStream, CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(pointer, &left)?.pointee {
            if message.msg == CURLMSG_DONE, let easy = message.easy_handle, let stream = streams[easy] {
                return (stream, message.data.result)
            }
        }
        return nil
    }

    // MARK: Connections

    /// How many connections are open, and how many of them carry nothing.
    var counts: (open: Int, idle: Int) {
        (bySocket.count, bySocket.values.reduce(0) { $0 + ($1.streams == 0 ? 1 : 0) })
    }

    func connectionCount(to origin: Origin) -> Int {
        byNumber.values.reduce(0) { $0 + ($1.origin == origin ? 1 : 0) }
    }

    func opened(_ descriptor: Int32, by stream: QUICStream) {
        openers[descriptor] = stream
    }

    /// The connection that a stream is about to be sent on. A new one is known from now on.
    func connection(of stream: QUICStream) -> QUICConnection? {
        let number = godwit_get_offset(stream.easy, godwit_info_conn_id)
        if let known = byNumber[number] { return known }
        guard number >= 0, let descriptor = stream.sockets.last else { return nil }
        let connection = QUICConnection(number, of: stream, at: engine.now)
        openers[descriptor] = nil
        byNumber[number] = connection
        bySocket[descriptor] = connection
        if isReported { engine.connected(connection) }
        return connection
    }

    /// libcurl closes a socket.
    func closeSocket(_ descriptor: Int32) -> Int32 {
        engine.poller.forget(descriptor)
        openers.removeValue(forKey: descriptor)?.sockets.removeAll { $0 == descriptor }
        if let connection = bySocket.removeValue(forKey: descriptor) {
            byNumber[connection.number] = nil
            if isReported { engine.disconnected(connection) }
        }
        return close(descriptor)
    }

    /// It takes no more exchanges.
    func retire() { isReported = false }

    // MARK: Events

    func act(on descriptor: Int32, _ selection: Int32) {
        if selection & CURL_CSELECT_IN != 0 { bySocket[descriptor]?.received = engine.now }
        var running: Int32 = 0
        curl_multi_socket_action(pointer, descriptor, selection, &running)
    }

    func serveTimer(at now: LoopTime) {
        guard let due = deadline, due <= now else { return }
        deadline = nil
        act(on: CURL_SOCKET_BAD, 0)
    }

    fileprivate func watch(_ descriptor: Int32, for what: Int32) {
        engine.poller.watch(descriptor, for: what, self)
    }

    /// libcurl has to be called again after so long; negative for never.
    fileprivate func setTimer(milliseconds: Int) {
        deadline = milliseconds < 0 ? nil : engine.now + Int64(milliseconds) * 1_000_000
    }
}

/// One QUIC connection. To the kernel it is a UDP socket, about which it tells nothing.
final class QUICConnection {
    let number: Int
    let origin: Origin
    /// When packets last arrived.
    var received: LoopTime
    /// How many requests it carries.
    var streams = 0
    /// Whether its server passed the check of its host's rules.
    let isVerified: Bool
    private var isNew = true

    /// - Parameter stream: The one that it was opened for.
    init(_ number: Int, of stream: QUICStream, at now: LoopTime) {
        self.number = number
        origin = stream.exchange.request.url.origin
        received = now
        isVerified = stream.check?.isPassed == true
    }

    /// Whether this is its first use.
    func takeNew() -> Bool {
        defer { isNew = false }
        return isNew
    }
}

private func onSocket(
    _: UnsafeMutableRawPointer?, descriptor: Int32, what: Int32, context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    if let context { Unmanaged<QUICMulti>.fromOpaque(context).takeUnretainedValue().watch(descriptor, for: what) }
    return 0
}

private func onTimer(_: UnsafeMutableRawPointer?, milliseconds: Int, context: UnsafeMutableRawPointer?) -> Int32 {
    if let context {
        Unmanaged<QUICMulti>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    }
    return 0
}
#endif
