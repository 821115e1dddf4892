#if canImport(CNGHTTP2)
import CNGHTTP2
import GodwitCore
import GodwitSupport

/// A server's side of one HTTP/2 connection: nghttp2 with typed calls. It does no I/O, and its owner calls it under a lock.
///
/// Bytes go in by ``receive(_:)`` and come out by ``takeOutput()``. What nghttp2 reports in between are ``Event``s.
final class HTTP2Session {
    /// What the client sent.
    enum Event: Sendable {
        /// Whether the head has more bytes than allowed, and is incomplete.
        case head(stream: Int32, HTTP1RequestHead, isTooLarge: Bool)
        /// Bytes of a body. The stream's window opens again once they are consumed.
        case content(stream: Int32, Data)
        case end(stream: Int32, trailers: HTTPFields)
        /// The stream is over, whoever ended it.
        case closed(stream: Int32)
    }

    /// What is known of a stream.
    struct Stream {
        /// The fields of the head or the trailers that are being received.
        var fields = HTTPFields()
        var pseudoFields: [String: String] = [:]
        var size = 0
        var hasHead = false
        var hasRequestEnded = false
        var output: HTTP2Output?
    }

    /// Maximum requests of one connection at the same time.
    private static let mostStreams: UInt32 = 100

    var events: [Event] = []
    var streams: [Int32: Stream] = [:]
    let headLimit: Int
    private var pointer: OpaquePointer?

    /// Nil if memory ran out.
    ///
    /// - Parameter headLimit: Maximum bytes of a head or trailers.
    init?(headLimit: Int) {
        self.headLimit = headLimit
        var callbacks: OpaquePointer?
        var option: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&option) == 0 else { return nil }
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(option)
        }
        Self.setCallbacks(callbacks)
        // A stream's window opens when the body's bytes are consumed, not when they arrive.
        nghttp2_option_set_no_auto_window_update(option, 1)
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard nghttp2_session_server_new2(&pointer, callbacks, context, option) == 0 else { return nil }
        let settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: Self.mostStreams),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue), value: UInt32(clamping: headLimit)),
        ]
        guard nghttp2_submit_settings(pointer, Self.noFlags, settings, settings.count) == 0 else { return nil }
    }

    deinit {
        nghttp2_session_del(pointer)
    }

    static let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)

    // MARK: Bytes

    /// Takes bytes from the client, and returns what they mean; nil after a violation of the protocol, which a GOAWAY reports.
    func receive(_ bytes: ArraySlice<UInt8>) -> [Event]? {
        let count = bytes.withUnsafeBufferPointer { nghttp2_session_mem_recv(pointer, $0.baseAddress, $0.count) }
        defer { events = [] }
        return count == bytes.count ? events : nil
    }

    /// Removes some of the bytes to send; empty if there are none now.
    func takeOutput() -> Data {
        var output = Data()
        var bytes: UnsafePointer<UInt8>?
        while output.count < 64 << 10 {
            let count = nghttp2_session_mem_send(pointer, &bytes)
            guard count > 0, let bytes else { break }
            output.append(bytes, count: count)
        }
        return output
    }

    /// What happened while bytes were sent.
    func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// Whether nothing will be sent or received any more, as after a GOAWAY and the last stream.
    var isOver: Bool { nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0 }

    // MARK: Streams

    /// Opens a stream's window by bytes that were taken.
    func consume(_ count: Int, of stream: Int32) {
        nghttp2_session_consume_stream(pointer, stream, count)
    }

    /// Sends a response with a status from 100 to 199.
    func sendInterim(_ head: HTTPResponseHead, on stream: Int32) {
        Self.withFields(head.fields, status: head.status) {
            _ = nghttp2_submit_headers(pointer, Self.noFlags, stream, nil, $0.baseAddress, $0.count, nil)
        }
    }

    /// Sends a response's head. The body comes from the output; without one, the response ends with the head.
    func respond(_ head: HTTPResponseHead, on stream: Int32, output: HTTP2Output?) {
        guard streams[stream] != nil else { return output?.close() ?? () }
        streams[stream]?.output = output
        Self.withFields(head.fields, status: head.status) { fields in
            guard output != nil else {
                _ = nghttp2_submit_response(pointer, stream, fields.baseAddress, fields.count, nil)
                return
            }
            var provider = nghttp2_data_provider()
            provider.read_callback = Self.onRead
            _ = nghttp2_submit_response(pointer, stream, fields.baseAddress, fields.count, &provider)
        }
    }

    /// The stream's output has more.
    func resume(_ stream: Int32) {
        nghttp2_session_resume_data(pointer, stream)
    }

    func sendTrailers(_ fields: HTTPFields, on stream: Int32) {
        Self.withFields(fields, status: nil) {
            _ = nghttp2_submit_trailer(pointer, stream, $0.baseAddress, $0.count)
        }
    }

    /// Ends a stream.
    func reset(_ stream: Int32, _ code: nghttp2_error_code) {
        nghttp2_submit_rst_stream(pointer, Self.noFlags, stream, code.rawValue)
    }

    /// Ends the connection once its streams have ended.
    func sendGoAway() {
        nghttp2_submit_goaway(
            pointer, Self.noFlags, nghttp2_session_get_last_proc_stream_id(pointer), NGHTTP2_NO_ERROR.rawValue, nil, 0)
    }

    /// Makes nghttp2's form of the fields, whose names are in lowercase (RFC 9113 section 8.2). Those of a connection are left out.
    private static func withFields(
        _ fields: HTTPFields, status: HTTPStatus?, _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Void
    ) {
        var bytes: [UInt8] = []
        var lengths: [(name: Int, value: Int)] = []
        func add(_ name: String, _ value: [UInt8]) {
            bytes += Array(name.utf8) + value
            lengths.append((name.utf8.count, value.count))
        }
        if let status { add(":status", Array("\(status.code)".utf8)) }
        for field in fields where !field.name.isOfHTTP1Connection {
            add(field.name.rawName.asciiLowercased, FieldText.bytes(of: field.value))
        }
        bytes.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            let entries = lengths.map { length in
                defer { start = start.map { $0 + length.name + length.value } }
                return nghttp2_nv(
                    name: start, value: start.map { $0 + length.name }, namelen: length.name, valuelen: length.value,
                    flags: noFlags)
            }
            entries.withUnsafeBufferPointer(body)
        }
    }
}
#endif
