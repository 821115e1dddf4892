#if os(Linux)
import CNGHTTP2
import GodwitCore

/// What a session reports while it takes bytes, or gives them.
protocol HTTP2SessionOwner: AnyObject {
    /// A head or trailers are complete.
    func endHead(_ stream: Int32, _ head: HTTP2Head, isEnd: Bool)
    /// A head is too large: nothing more is reported of it.
    func tooLarge(_ stream: Int32)
    func content(_ bytes: UnsafeRawBufferPointer, _ stream: Int32)
    func endContent(_ stream: Int32)
    func closed(_ stream: Int32, _ code: UInt32)
    func settings()
    func goAway(lastStream: Int32, _ code: UInt32)
    /// The peer violated HTTP/2 on the connection, as nghttp2 says.
    func violated(_ reason: String)
    /// Bytes of a body to send.
    func supply(_ buffer: UnsafeMutableRawBufferPointer, _ stream: Int32) -> HTTP2Session.Supply
}

/// The client's side of HTTP/2: nghttp2 with typed calls. It does no I/O.
final class HTTP2Session {
    enum Supply {
        case bytes(Int)
        case later
        case end(HTTPFields)
        case failed
    }

    private var pointer: OpaquePointer?
    // It owns the session.
    private unowned(unsafe) let owner: any HTTP2SessionOwner
    @exclusivity(unchecked) private var block = HTTP2FieldBlock()
    @exclusivity(unchecked) private var collector = HeadCollector()
    @exclusivity(unchecked) private var flood = FrameFlood()
    /// When the bytes arrived that are being taken.
    @exclusivity(unchecked) private var now = LoopTime.zero
    static let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)

    /// `nil` if memory ran out.
    ///
    /// - Parameters:
    ///   - window: Bytes that the server may send on a stream before any are consumed.
    ///   - headLimit: The most bytes of a head, sent to the server as a setting.
    init?(_ owner: any HTTP2SessionOwner, window: Int, headLimit: Int) {
        self.owner = owner
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
        guard nghttp2_session_client_new2(&pointer, callbacks, context, option) == 0 else { return nil }
        let settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(clamping: window)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue), value: UInt32(clamping: headLimit)),
        ]
        guard nghttp2_submit_settings(pointer, Self.noFlags, settings, settings.count) == 0,
            nghttp2_session_set_local_window_size(pointer, Self.noFlags, 0, Self.connectionWindow) == 0
        else { return nil }
    }

    /// Bytes of all streams; it opens again at once, so that a body that isn't read holds up no other.
    private static let connectionWindow: Int32 = 32 << 20

    deinit { nghttp2_session_del(pointer) }

    // MARK: Bytes

    /// The result of taking bytes.
    enum Intake {
        case taken
        /// A head has more CONTINUATION frames than nghttp2 accepts.
        case headTooLarge
        /// Memory ran out, the peer's preface isn't one of HTTP/2, or it floods the client.
        case failed
    }

    /// Takes bytes from the server.
    func receive(_ bytes: UnsafeRawBufferPointer, at now: LoopTime) -> Intake {
        self.now = now
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = nghttp2_session_mem_recv(pointer, start, bytes.count)
        if count == bytes.count { return .taken }
        return count == Self.tooManyContinuations ? .headTooLarge : .failed
    }

    /// NGHTTP2_ERR_TOO_MANY_CONTINUATIONS, which nghttp2 1.61 introduced and distributors added to earlier ones.
    private static let tooManyContinuations = -905

    /// The stream whose head is being received.
    var headStream: Int32? { collector.stream }

    /// The next bytes to send, valid until the next call; empty if there are none.
    func output() -> UnsafeRawBufferPointer {
        var bytes: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(pointer, &bytes)
        return UnsafeRawBufferPointer(start: count > 0 ? bytes : nil, count: max(0, count))
    }

    /// Whether nothing will be sent or received any more, as after a GOAWAY and the last stream.
    var isOver: Bool { nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0 }

    /// How many streams the server allows.
    var mostStreams: Int {
        Int(clamping: nghttp2_session_get_remote_settings(pointer, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    // MARK: Streams

    /// Submits a request. Returns its stream; `nil` if the connection takes no more.
    ///
    /// - Parameter write: Adds the fields of its head.
    func request(hasBody: Bool, _ write: (inout HTTP2FieldBlock) -> Void) -> Int32? {
        block.removeAll()
        write(&block)
        let stream = block.withEntries { fields in
            guard hasBody else {
                return nghttp2_submit_request(pointer, nil, fields.baseAddress, fields.count, nil, nil)
            }
            var provider = nghttp2_data_provider()
            provider.read_callback = Self.onRead
            return nghttp2_submit_request(pointer, nil, fields.baseAddress, fields.count, &provider, nil)
        }
        return stream > 0 ? stream : nil
    }

    /// The stream's body has more.
    func resume(_ stream: Int32) { nghttp2_session_resume_data(pointer, stream) }

    /// Ends a stream.
    func reset(_ stream: Int32, _ code: nghttp2_error_code) {
        nghttp2_submit_rst_stream(pointer, Self.noFlags, stream, code.rawValue)
    }

    /// Opens a stream's window by bytes that were taken.
    func consume(_ count: Int, of stream: Int32) {
        nghttp2_session_consume_stream(pointer, stream, count)
    }

    /// Makes a stream's window larger than that of others.
    func widen(_ stream: Int32, to window: Int32) {
        nghttp2_session_set_local_window_size(pointer, Self.noFlags, stream, window)
    }

    func ping() { nghttp2_submit_ping(pointer, Self.noFlags, nil) }

    func goAway() {
        nghttp2_session_terminate_session(pointer, NGHTTP2_NO_ERROR.rawValue)
    }
}

extension HTTP2Session {
    private static func setCallbacks(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, _, context in
            HTTP2Session.with(context) { $0.beginFrame() } ?? 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, context in
            if let frame { HTTP2Session.with(context) { $0.collector.begin(frame.pointee.hd.stream_id) } }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks, onField)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, context in
            HTTP2Session.with(context) { $0.owner.closed(stream, code) }
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, code, context in
            guard let frame else { return 0 }
            let reason = String(cString: nghttp2_strerror(code))
            HTTP2Session.with(context) { $0.owner.violated("\(reason) (frame type \(frame.pointee.hd.type))") }
            return 0
        }
        nghttp2_session_callbacks_set_error_callback2(callbacks) { _, _, text, count, context in
            guard let text, count > 0 else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: text, count: count)
            HTTP2Session.with(context) { $0.owner.violated(String(decoding: bytes, as: UTF8.self)) }
            return 0
        }
    }

    /// The session of a callback. It is held by who called nghttp2, and isn't counted again for each field.
    @inline(__always)
    private static func with<Result>(
        _ context: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Result
    ) -> Result? {
        context.map { Unmanaged<HTTP2Session>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
    }

    private func beginFrame() -> Int32 {
        guard flood.add(at: now) else { return 0 }
        owner.violated("too many frames that bring nothing")
        return Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }

    private static let onField: nghttp2_on_header_callback = {
        _, _, name, nameLength, value, valueLength, _, context in
        let isTaken = with(context) { session in
            session.take(
                UnsafeRawBufferPointer(start: name, count: nameLength),
                UnsafeRawBufferPointer(start: value, count: valueLength))
        }
        return isTaken == false ? Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) : 0
    }

    private func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        if collector.add(name, value) { return true }
        if let stream = collector.stream { owner.tooLarge(stream) }
        return false
    }

    private static let onData: nghttp2_on_data_chunk_recv_callback = { pointer, _, stream, bytes, count, context in
        nghttp2_session_consume_connection(pointer, count)
        with(context) {
            $0.flood.reset()
            $0.owner.content(UnsafeRawBufferPointer(start: bytes, count: count), stream)
        }
        return 0
    }

    private static let onFrame: nghttp2_on_frame_recv_callback = { _, frame, context in
        if let frame { with(context) { $0.take(frame.pointee) } }
        return 0
    }

    private func take(_ frame: nghttp2_frame) {
        let header = frame.hd
        let isEnd = UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            flood.reset()
            owner.endHead(header.stream_id, collector.end(), isEnd: isEnd)
        case NGHTTP2_DATA.rawValue: if isEnd { owner.endContent(header.stream_id) }
        case NGHTTP2_SETTINGS.rawValue:
            if UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue == 0 { owner.settings() }
        case NGHTTP2_GOAWAY.rawValue:
            owner.goAway(lastStream: frame.goaway.last_stream_id, frame.goaway.error_code)
        default: break
        }
    }

    /// nghttp2 wants bytes of a body.
    private static let onRead: nghttp2_data_source_read_callback = {
        pointer, stream, buffer, length, flags, _, context in
        let failed = Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        let supply = with(context) {
            $0.flood.reset()
            return $0.owner.supply(UnsafeMutableRawBufferPointer(start: buffer, count: length), stream)
        }
        switch supply {
        case .bytes(let count): return count
        case .later: return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        case .failed, nil: return failed
        case .end(let trailers):
            flags?.pointee = NGHTTP2_DATA_FLAG_EOF.rawValue
            if !trailers.isEmpty {
                flags?.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
                var block = HTTP2FieldBlock()
                for field in trailers { block.add(field) }
                _ = block.withEntries { nghttp2_submit_trailer(pointer, stream, $0.baseAddress, $0.count) }
            }
            return 0
        }
    }
}
#endif
