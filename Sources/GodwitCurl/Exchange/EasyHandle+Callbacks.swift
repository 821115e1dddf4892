import CGodwitCurl
import Glibc
import GodwitCore

extension EasyHandle {
    /// Points libcurl's callbacks at this handle, through which each finds the current exchange.
    ///
    /// - Parameter asksBeforeSending: Whether libcurl can ask (`CURLOPT_PREREQFUNCTION`).
    func setCallbacks(asksBeforeSending: Bool) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        godwit_set_pointer(pointer, CURLOPT_PRIVATE, context)
        godwit_set_data_function(pointer, CURLOPT_WRITEFUNCTION, onContent)
        godwit_set_pointer(pointer, CURLOPT_WRITEDATA, context)
        godwit_set_data_function(pointer, CURLOPT_HEADERFUNCTION, onHeaderLine)
        godwit_set_pointer(pointer, CURLOPT_HEADERDATA, headLines)
        godwit_set_data_function(pointer, CURLOPT_READFUNCTION, onRead)
        godwit_set_pointer(pointer, CURLOPT_READDATA, context)
        godwit_set_seek_function(pointer, onSeek)
        godwit_set_pointer(pointer, CURLOPT_SEEKDATA, context)
        if asksBeforeSending {
            godwit_set_prerequest_function(pointer, onPrerequest)
            godwit_set_pointer(pointer, CURLOPT_PREREQDATA, context)
        } else {
            setDebugCallback()
            godwit_set_long(pointer, CURLOPT_VERBOSE, 1)
        }
        godwit_set_resolver_function(pointer, onResolve)
        godwit_set_pointer(pointer, CURLOPT_RESOLVER_START_DATA, context)
        godwit_set_open_function(pointer, onOpen)
        godwit_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, context)
        // A connection outlives the handle that opened it, but not the engine and its poller.
        godwit_set_close_function(pointer, onClose)
        godwit_set_pointer(
            pointer, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(host.poller).toOpaque())
    }

    /// libcurl calls it only in its verbose mode.
    func setDebugCallback() {
        godwit_set_debug_function(pointer, onDebug)
        godwit_set_pointer(pointer, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque())
    }
}

private func handle(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
    context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
}

private func onContent(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let exchange = handle(context)?.exchange else { return Int(CURL_WRITEFUNC_ERROR) }
    return switch exchange.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
    case .taken: size * count
    case .pause: Int(CURL_WRITEFUNC_PAUSE)
    case .refused: Int(CURL_WRITEFUNC_ERROR)
    }
}

private func onHeaderLine(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let lines = context?.assumingMemoryBound(to: HeadLines.self)
    let isTaken = lines?.pointee.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? false
    return isTaken ? size * count : Int(CURL_WRITEFUNC_ERROR)
}

private func onRead(
    buffer: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let exchange = handle(context)?.exchange else { return Int(CURL_READFUNC_ABORT) }
    switch exchange.supply(UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) {
    case .bytes(let count): return count
    case .pause: return Int(CURL_READFUNC_PAUSE)
    case .failed: return Int(CURL_READFUNC_ABORT)
    }
}

private func onSeek(context: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
    guard origin == SEEK_SET, let exchange = handle(context)?.exchange, exchange.rewindSource(to: Int64(offset)) else {
        return Int32(CURL_SEEKFUNC_FAIL)
    }
    return Int32(CURL_SEEKFUNC_OK)
}

private func onPrerequest(
    context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32,
    _: Int32
) -> Int32 {
    guard let handle = handle(context), let exchange = handle.exchange else { return Int32(CURL_PREREQFUNC_ABORT) }
    if exchange.isWarmUp {
        exchange.agreedOnHTTP2 = godwit_agreed_on_http2(handle.pointer) != 0
        return Int32(CURL_PREREQFUNC_OK)
    }
    if handle.host.meetsEndedConnection(handle) {
        // libcurl 8 would keep it, and offer it to the next exchange.
        handle.closeConnectionAfterwards()
        return Int32(CURL_PREREQFUNC_ABORT)
    }
    guard exchange.willSend() else { return Int32(CURL_PREREQFUNC_ABORT) }
    handle.host.willSend(exchange)
    return Int32(CURL_PREREQFUNC_OK)
}

/// Reports the head that goes out; also notes that it does, if libcurl doesn't ask before it sends.
private func onDebug(
    _: UnsafeMutableRawPointer?, type: curl_infotype, text: UnsafeMutablePointer<CChar>?, count: Int,
    context: UnsafeMutableRawPointer?
) -> Int32 {
    guard type == CURLINFO_HEADER_OUT, let handle = handle(context), let exchange = handle.exchange else { return 0 }
    if !handle.isAskedBeforeSending { exchange.noteSending() }
    if let report = exchange.options.onHeadSent {
        report(String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self))
    }
    return 0
}

private func onResolve(
    _: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?, context: UnsafeMutableRawPointer?
) -> Int32 {
    handle(context)?.exchange?.noteConnecting()
    return 0
}

private func onOpen(
    context: UnsafeMutableRawPointer?, _: curlsocktype, address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    let handle = handle(context)
    if let address, godwit_is_datagram(address) != 0, let handle, let exchange = handle.exchange,
        !handle.host.admitsDatagrams(address, for: exchange)
    {
        return CURL_SOCKET_BAD
    }
    let descriptor = godwit_open_socket(address)
    let error = errno
    guard let handle else { return descriptor }
    guard descriptor >= 0 else {
        // libcurl will only report that it could not connect.
        if error == EMFILE || error == ENFILE { handle.exchange?.state.lackDescriptor() }
        return descriptor
    }
    handle.host.opened(descriptor, address, by: handle)
    return descriptor
}

private func onClose(context: UnsafeMutableRawPointer?, descriptor: curl_socket_t) -> Int32 {
    if let context { Unmanaged<Poller>.fromOpaque(context).takeUnretainedValue().libcurlCloses(descriptor) }
    return close(descriptor)
}
