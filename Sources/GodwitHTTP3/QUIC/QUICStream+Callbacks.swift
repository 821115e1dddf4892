#if os(Linux)
import CLibcurl
import GodwitSockets

// What libcurl calls. A stream is alive for as long as libcurl has its handle.
extension QUICStream {
    func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        godwit_set_data_function(easy, CURLOPT_WRITEFUNCTION, onContent)
        godwit_set_pointer(easy, CURLOPT_WRITEDATA, context)
        godwit_set_data_function(easy, CURLOPT_HEADERFUNCTION, onHeaderLine)
        godwit_set_pointer(easy, CURLOPT_HEADERDATA, context)
        godwit_set_data_function(easy, CURLOPT_READFUNCTION, onRead)
        godwit_set_pointer(easy, CURLOPT_READDATA, context)
        godwit_set_seek_function(easy, onSeek)
        godwit_set_pointer(easy, CURLOPT_SEEKDATA, context)
        godwit_set_prerequest_function(easy, onPrerequest)
        godwit_set_pointer(easy, CURLOPT_PREREQDATA, context)
        godwit_set_context_function(easy, onContext)
        godwit_set_pointer(easy, CURLOPT_SSL_CTX_DATA, context)
        godwit_set_open_function(easy, onOpen)
        godwit_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        // A connection outlives the handle that opened it, but not its multi handle.
        godwit_set_close_function(easy, onClose)
        godwit_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(multi).toOpaque())
    }
}

private func stream(_ context: UnsafeMutableRawPointer?) -> QUICStream? {
    context.map { Unmanaged<QUICStream>.fromOpaque($0).takeUnretainedValue() }
}

private func onContent(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    stream(context)?.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? godwit_write_error
}

private func onHeaderLine(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let isTaken = stream(context)?.receive(line: UnsafeRawBufferPointer(start: bytes, count: size * count)) == true
    return isTaken ? size * count : godwit_write_error
}

private func onRead(
    buffer: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    stream(context)?.supply(UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) ?? godwit_read_abort
}

private func onSeek(context: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
    guard origin == SEEK_SET, let source = stream(context)?.exchange.source else { return CURL_SEEKFUNC_FAIL }
    return source.rewind(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func onPrerequest(
    context: UnsafeMutableRawPointer?, remote: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?,
    remotePort: Int32, localPort: Int32
) -> Int32 {
    let address = remote.map { String(cString: $0) } ?? ""
    let place = address.contains(":") ? "[\(address)]:\(remotePort)" : "\(address):\(remotePort)"
    return stream(context)?.maySend(to: place, from: Int(localPort)) == true
        ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func onContext(
    _: UnsafeMutableRawPointer?, tls: UnsafeMutableRawPointer?, context: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let tls, let stream = stream(context) else { return CURLE_ABORTED_BY_CALLBACK }
    return stream.prepare(OpaquePointer(tls))
}

private func onOpen(
    context: UnsafeMutableRawPointer?, _: curlsocktype, address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address, let stream = stream(context) else { return CURL_SOCKET_BAD }
    return stream.openSocket(address)
}

private func onClose(context: UnsafeMutableRawPointer?, descriptor: curl_socket_t) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<QUICMulti>.fromOpaque(context).takeUnretainedValue().closeSocket(descriptor)
}
#endif
