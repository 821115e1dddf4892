import CGodwitCurl

/// A multi handle that makes one connection and keeps it.
///
/// Of its own, because libcurl closes a kept connection that was idle for two minutes, or is one too many, when another
/// is opened on the same multi handle, and thinks of one that switched protocols as idle. Costs six kilobytes.
final class ConnectMulti {
    private let pointer: UnsafeMutableRawPointer?
    private unowned let engine: Engine
    /// When libcurl wants to be called again; nil for never.
    private(set) var deadline: LoopTime?
    /// Who is told of events on libcurl's descriptors.
    unowned let owner: UpgradedConnection

    init(_ owner: UpgradedConnection, on engine: Engine) {
        self.owner = owner
        self.engine = engine
        pointer = curl_multi_init()
        let context = Unmanaged.passUnretained(self).toOpaque()
        godwit_multi_set_socket_function(pointer, onSocket)
        godwit_multi_set_pointer(pointer, CURLMOPT_SOCKETDATA, context)
        godwit_multi_set_timer_function(pointer, onTimer)
        godwit_multi_set_pointer(pointer, CURLMOPT_TIMERDATA, context)
    }

    func add(_ handle: EasyHandle) -> Bool {
        curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK
    }

    func act(on descriptor: Int32, _ selection: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(pointer, descriptor, selection, &running)
    }

    func actOnTimer() {
        deadline = nil
        act(on: CURL_SOCKET_BAD, 0)
    }

    /// How the connecting ended; nil while it goes on.
    func outcome() -> CURLcode? {
        var code = CURLE_OK
        return godwit_multi_next_finished(pointer, &code) == nil ? nil : code
    }

    /// Closes the connection.
    func free(_ handle: EasyHandle) {
        curl_multi_remove_handle(pointer, handle.pointer)
        handle.free()
        curl_multi_cleanup(pointer)
    }

    fileprivate func watch(_ descriptor: Int32, _ what: Int32) {
        engine.watch(descriptor, for: Poller.events(for: what), of: owner)
    }

    fileprivate func setTimer(milliseconds: Int) {
        deadline = milliseconds < 0 ? nil : engine.now + Int64(milliseconds) * 1_000_000
        engine.noteConnectTimer(deadline)
    }
}

private func onSocket(
    easy: UnsafeMutableRawPointer?, descriptor: Int32, what: Int32, context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    if let context { Unmanaged<ConnectMulti>.fromOpaque(context).takeUnretainedValue().watch(descriptor, what) }
    return 0
}

private func onTimer(
    multi: UnsafeMutableRawPointer?, milliseconds: Int, context: UnsafeMutableRawPointer?
) -> Int32 {
    if let context {
        Unmanaged<ConnectMulti>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    }
    return 0
}
