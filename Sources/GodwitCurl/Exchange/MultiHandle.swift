#if os(Linux)
import CGodwitCurl
import GodwitSockets

/// libcurl's multi handle with typed calls: a pool of connections, and the exchanges on them.
///
/// An engine has one that takes new exchanges. An older one only finishes its own; see ``MultiHandles/retire()``.
class MultiHandle {
    /// Its number among an engine's multi handles.
    let generation: UInt32
    /// When libcurl has to be called again; nil for never.
    var deadline: LoopTime?
    /// How many exchanges it has.
    private(set) var count = 0
    /// Exchanges whose response is complete before their request.
    @exclusivity(unchecked) private var answeredEarly: [Exchange] = []
    private let pointer: UnsafeMutableRawPointer?
    private let clock: UnsafeMutablePointer<LoopTime>
    private let poller: Poller

    init(generation: UInt32, poller: Poller) {
        self.generation = generation
        self.poller = poller
        clock = poller.clock
        pointer = curl_multi_init()
        let context = Unmanaged.passUnretained(self).toOpaque()
        godwit_multi_set_socket_function(pointer, CURLMOPT_SOCKETFUNCTION, onSocket)
        godwit_multi_set_pointer(pointer, CURLMOPT_SOCKETDATA, context)
        godwit_multi_set_timer_function(pointer, CURLMOPT_TIMERFUNCTION, onTimer)
        godwit_multi_set_pointer(pointer, CURLMOPT_TIMERDATA, context)
    }

    convenience init(_ configuration: CurlConfiguration, generation: UInt32, poller: Poller) {
        self.init(generation: generation, poller: poller)
        godwit_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        godwit_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, configuration.maximumIdleConnections)
        godwit_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
        limitConnections(to: configuration.maximumConnections)
        limitStreams(to: configuration.maximumStreamsPerConnection)
    }

    /// Sets how many requests an HTTP/2 connection may carry at once.
    func limitStreams(to count: Int) {
        godwit_multi_set_long(pointer, CURLMOPT_MAX_CONCURRENT_STREAMS, count)
    }

    /// Sets how many connections may be open at once; `nil` means no limit.
    func limitConnections(to count: Int?) {
        godwit_multi_set_long(pointer, CURLMOPT_MAX_TOTAL_CONNECTIONS, count ?? 0)
    }

    func add(_ handle: EasyHandle) -> Bool {
        guard add(handle.pointer) else { return false }
        handle.generation = generation
        count += 1
        return true
    }

    /// Does nothing for a handle that is not on it.
    func remove(_ handle: EasyHandle) {
        guard handle.generation == generation else { return }
        handle.generation = nil
        remove(handle.pointer)
        count -= 1
    }

    func add(_ easy: UnsafeMutableRawPointer) -> Bool {
        guard curl_multi_add_handle(pointer, easy) == CURLM_OK else { return false }
        // A handle that was added has to run immediately.
        setTimer(milliseconds: 0)
        return true
    }

    func remove(_ easy: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(pointer, easy)
    }

    func act(on descriptor: Int32, _ selection: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(pointer, descriptor, selection, &running)
    }

    func actOnTimers() {
        deadline = nil
        act(on: CURL_SOCKET_BAD, 0)
    }

    func actOnTimers(dueAt now: LoopTime) {
        if let deadline, deadline <= now { actOnTimers() }
    }

    /// An exchange that has ended, and its result.
    func nextFinished() -> (EasyHandle, CURLcode)? {
        var code = CURLE_OK
        // A handle without an exchange, such as the pruner's, has no context.
        while let easy = godwit_multi_next_finished(pointer, &code) {
            guard let context = godwit_get_private(easy) else { continue }
            return (Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue(), code)
        }
        return nil
    }

    /// Closes every connection.
    func free() {
        curl_multi_cleanup(pointer)
    }

    /// libcurl waits for something else on a socket.
    func watch(_ descriptor: Int32, _ what: Int32, _ easy: UnsafeMutableRawPointer?) {
        poller.watch(descriptor, for: Poller.events(for: what), generation: generation)
        if what & CURL_POLL_IN == 0, let easy { noteReadingEnded(on: easy) }
        guard what == CURL_POLL_REMOVE, let easy, poller.needsSharing(descriptor) else { return }
        switch godwit_get_long(easy, CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_1_0, CURL_HTTP_VERSION_1_1: poller.note(.exclusive, of: descriptor)
        case CURL_HTTP_VERSION_2_0, CURL_HTTP_VERSION_3: poller.note(.shared, of: descriptor)
        default: break
        }
    }

    /// libcurl reads no more on the connection of a handle. It doesn't say that a response is complete while it sends (decision 108).
    private func noteReadingEnded(on easy: UnsafeMutableRawPointer) {
        guard let context = godwit_get_private(easy) else { return }
        let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
        if let exchange = handle.exchange, exchange.hasEarlyAnswer { answeredEarly.append(exchange) }
    }

    func takeAnsweredEarly() -> [Exchange] {
        if answeredEarly.isEmpty { return [] }
        defer { answeredEarly = [] }
        return answeredEarly
    }

    /// libcurl has to be called again after so long; negative for never.
    func setTimer(milliseconds: Int) {
        deadline = milliseconds < 0 ? nil : clock.pointee + Int64(milliseconds) * 1_000_000
    }
}

private func onSocket(
    easy: UnsafeMutableRawPointer?, descriptor: Int32, what: Int32, context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    if let context { Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().watch(descriptor, what, easy) }
    return 0
}

private func onTimer(multi: UnsafeMutableRawPointer?, milliseconds: Int, context: UnsafeMutableRawPointer?) -> Int32 {
    if let context {
        Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    }
    return 0
}
#endif
