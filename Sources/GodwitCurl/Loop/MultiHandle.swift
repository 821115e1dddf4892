import CGodwitCurl

/// libcurl's multi handle with typed calls.
struct MultiHandle {
    private let pointer: UnsafeMutableRawPointer?

    init() {
        pointer = curl_multi_init()
    }

    /// Sets what holds for all exchanges. The owner outlives the handle, which its callbacks reach.
    func configure(_ configuration: CurlConfiguration, owner: Engine) {
        godwit_multi_set_socket_function(pointer, onSocket)
        godwit_multi_set_pointer(
            pointer, CURLMOPT_SOCKETDATA, Unmanaged.passUnretained(owner.poller).toOpaque())
        godwit_multi_set_timer_function(pointer, onTimer)
        godwit_multi_set_pointer(pointer, CURLMOPT_TIMERDATA, Unmanaged.passUnretained(owner).toOpaque())
        godwit_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        godwit_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, configuration.maximumIdleConnections)
        godwit_multi_set_long(
            pointer, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost ?? 0)
        godwit_multi_set_long(pointer, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections ?? 0)
        godwit_multi_set_long(
            pointer, CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.maximumStreamsPerConnection)
    }

    func add(_ handle: EasyHandle) -> Bool {
        curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK
    }

    func remove(_ handle: EasyHandle) {
        curl_multi_remove_handle(pointer, handle.pointer)
    }

    func act(on descriptor: Int32, _ selection: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(pointer, descriptor, selection, &running)
    }

    func actOnTimers() {
        var running: Int32 = 0
        curl_multi_socket_action(pointer, CURL_SOCKET_BAD, 0, &running)
    }

    /// An exchange that has ended, and how.
    func nextFinished() -> (EasyHandle, CURLcode)? {
        var code = CURLE_OK
        guard let easy = godwit_multi_next_finished(pointer, &code), let context = godwit_get_private(easy) else {
            return nil
        }
        return (Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue(), code)
    }

    /// Closes every connection.
    func free() {
        curl_multi_cleanup(pointer)
    }
}

private func onSocket(
    easy: UnsafeMutableRawPointer?, descriptor: Int32, what: Int32, context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<Poller>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.watch(descriptor, for: Poller.events(for: what))
    }
    return 0
}

private func onTimer(
    multi: UnsafeMutableRawPointer?, milliseconds: Int, context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<Engine>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.setCurlTimer(milliseconds: milliseconds) }
    return 0
}
