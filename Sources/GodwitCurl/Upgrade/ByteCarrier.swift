#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// Carries the bytes of a connection that leaves HTTP: libcurl, or the socket once it is ours (decision 093).
struct ByteCarrier {
    /// Nil once nothing needs it.
    private(set) var handle: EasyHandle?
    private var multi: ConnectMulti?
    /// Nil while libcurl has the socket.
    private(set) var socket: OwnedSocket?

    init(_ handle: EasyHandle) {
        self.handle = handle
    }

    /// Starts to connect; false if libcurl refuses. May be called again then.
    mutating func connect(_ multi: ConnectMulti) -> Bool {
        self.multi?.free()
        self.multi = multi
        guard let handle else { return false }
        handle.onlyConnect()
        return multi.add(handle)
    }

    /// When libcurl has to be called again.
    var connectDeadline: LoopTime? { multi?.deadline }

    func actOnTimers() { multi?.actOnTimers() }

    func act(on descriptor: Int32, _ selection: Int32) { multi?.act(on: descriptor, selection) }

    /// How connecting ended; nil if it goes on.
    func connectOutcome() -> CURLcode? { multi?.nextFinished()?.1 }

    /// Bytes pass from here on. Those that nothing encrypts need no libcurl, whose multi handle alone takes 36 KB.
    mutating func begin(on descriptor: Int32, isSecure: Bool, in poller: Poller) {
        guard let handle else { return }
        guard !isSecure, !handle.usesProxy else { return handle.readLargePieces() }
        poller.kept = descriptor
        multi?.remove(handle)
        freeMulti()
        poller.kept = -1
        // The request for the upgrade.
        socket = OwnedSocket(descriptor, queued: 1)
    }

    /// The exchange is over: frees what it alone needed.
    mutating func releaseHandle() {
        if socket != nil { freeHandle() }
    }

    /// Sends what is possible without waiting; `CURLE_AGAIN` if that is nothing.
    func send(_ bytes: UnsafeRawBufferPointer) -> (CURLcode, count: Int) {
        if let socket { return socket.send(bytes) }
        var count = 0
        return (curl_easy_send(handle?.pointer, bytes.baseAddress, bytes.count, &count), count)
    }

    /// Receives bytes, none at the end; `CURLE_AGAIN` if none have arrived.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> (CURLcode, count: Int) {
        if let socket { return socket.receive(into: buffer) }
        var count = 0
        return (curl_easy_recv(handle?.pointer, buffer.baseAddress, buffer.count, &count), count)
    }

    /// Why it failed.
    func failure(_ code: CURLcode) -> NetworkError.Kind {
        if let failure = socket?.failure { handle?.setErrorMessage(failure) }
        guard let handle else { return .transport(.connectionLost(socket?.failure ?? "it is closed")) }
        return CurlFailure.kind(of: code, on: handle)
    }

    /// Closes the connection and frees everything.
    mutating func free(in poller: Poller) {
        if let handle { multi?.remove(handle) }
        freeHandle()
        freeMulti()
        socket?.end(in: poller)
    }

    private mutating func freeHandle() {
        handle?.free()
        handle = nil
    }

    private mutating func freeMulti() {
        multi?.free()
        multi = nil
    }
}
#endif
