#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets

extension EasyHandle {
    /// Points libcurl's callbacks at this handle, through which each finds the current exchange and the engine.
    func setCallbacks() {
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
        if isAskedBeforeSending {
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
            pointer, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(resources.poller).toOpaque())
    }

    /// libcurl asks for the trailer fields of the exchange's request, and takes no other on this handle afterwards.
    func setTrailerCallback() {
        isUsedUp = true
        godwit_set_trailer_function(pointer, onTrailers)
        godwit_set_pointer(pointer, CURLOPT_TRAILERDATA, Unmanaged.passUnretained(self).toOpaque())
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

/// Passes an event to the handle's exchange, and makes the engine do what follows.
@inline(__always)
private func deliver<Result>(
    _ context: UnsafeMutableRawPointer?, orElse none: @autoclosure () -> Result,
    _ event: (Exchange, Unmanaged<Engine>) -> Result
) -> Result {
    guard let handle = handle(context), let exchange = handle.exchange else { return none() }
    let engine = Unmanaged<Engine>.fromOpaque(handle.engine)
    let result = event(exchange, engine)
    let effects = exchange.takeEffects()
    if !effects.isEmpty { engine.takeUnretainedValue().perform(effects, of: exchange) }
    return result
}

private func onContent(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    deliver(context, orElse: Int(CURL_WRITEFUNC_ERROR)) { exchange, _ in
        switch exchange.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
        case .taken: size * count
        case .pause: Int(CURL_WRITEFUNC_PAUSE)
        case .refused: Int(CURL_WRITEFUNC_ERROR)
        }
    }
}

private func onHeaderLine(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let lines = context?.assumingMemoryBound(to: HeadLines.self) else { return Int(CURL_WRITEFUNC_ERROR) }
    let intake = lines.pointee.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
    if intake == .taken { return size * count }
    let handle = Unmanaged.passUnretained(lines.pointee.handle).toOpaque()
    return deliver(handle, orElse: Int(CURL_WRITEFUNC_ERROR)) { _, _ in
        intake == .refused ? Int(CURL_WRITEFUNC_ERROR) : size * count
    }
}

private func onRead(
    buffer: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    deliver(context, orElse: Int(CURL_READFUNC_ABORT)) { exchange, _ in
        switch exchange.supply(UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) {
        case .bytes(let count): count
        case .pause: Int(CURL_READFUNC_PAUSE)
        case .failed: Int(CURL_READFUNC_ABORT)
        }
    }
}

private func onTrailers(
    fields: UnsafeMutablePointer<UnsafeMutablePointer<curl_slist>?>?, context: UnsafeMutableRawPointer?
) -> Int32 {
    deliver(context, orElse: CURL_TRAILERFUNC_ABORT) { exchange, _ in
        for field in exchange.source?.trailers ?? [:] {
            // libcurl frees the list, and what it holds.
            let line = FieldText.bytes(of: "\(field.name.rawName): \(field.value)").map(CChar.init(bitPattern:)) + [0]
            guard let longer = curl_slist_append(fields?.pointee, line) else { return CURL_TRAILERFUNC_ABORT }
            fields?.pointee = longer
        }
        return CURL_TRAILERFUNC_OK
    }
}

private func onSeek(context: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
    guard origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
    return deliver(context, orElse: CURL_SEEKFUNC_FAIL) { exchange, _ in
        exchange.rewindSource(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }
}

private func onPrerequest(
    context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32,
    _: Int32
) -> Int32 {
    deliver(context, orElse: CURL_PREREQFUNC_ABORT) { exchange, engine in
        engine.takeUnretainedValue().allowsSending(exchange) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
}

/// Reports the head that goes out; also notes that it does, if libcurl doesn't ask before it sends.
private func onDebug(
    _: UnsafeMutableRawPointer?, type: curl_infotype, text: UnsafeMutablePointer<CChar>?, count: Int,
    context: UnsafeMutableRawPointer?
) -> Int32 {
    guard type == CURLINFO_HEADER_OUT else { return 0 }
    return deliver(context, orElse: 0) { exchange, engine in
        if exchange.handle?.isAskedBeforeSending == false { engine.takeUnretainedValue().noteSending(exchange) }
        if let report = exchange.options.onHeadSent {
            report(String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self))
        }
        return 0
    }
}

private func onResolve(
    _: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?, context: UnsafeMutableRawPointer?
) -> Int32 {
    deliver(context, orElse: 0) { exchange, _ in
        exchange.noteConnecting()
        return 0
    }
}

private func onOpen(
    context: UnsafeMutableRawPointer?, _: curlsocktype, address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    deliver(context, orElse: godwit_open_socket(address)) { exchange, engine in
        engine.takeUnretainedValue().connections.openSocket(address, for: exchange)
    }
}

private func onClose(context: UnsafeMutableRawPointer?, descriptor: curl_socket_t) -> Int32 {
    if let context {
        let poller = Unmanaged<Poller>.fromOpaque(context).takeUnretainedValue()
        if poller.kept == descriptor { return 0 }
        poller.willClose(descriptor)
    }
    return close(descriptor)
}
#endif
