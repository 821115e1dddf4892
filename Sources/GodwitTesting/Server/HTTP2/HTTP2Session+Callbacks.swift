#if canImport(CNGHTTP2)
import CNGHTTP2
import GodwitCore

extension HTTP2Session {
    static func setCallbacks(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBegin)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, onField)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, onSent)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onClose)
    }

    private static func session(_ context: UnsafeMutableRawPointer?) -> HTTP2Session? {
        context.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let onBegin: nghttp2_on_begin_headers_callback = { _, frame, context in
        guard let session = session(context), let frame else { return 0 }
        let stream = frame.pointee.hd.stream_id
        session.streams[stream, default: Stream()].fields = HTTPFields()
        session.streams[stream]?.size = 0
        return 0
    }

    private static let onField: nghttp2_on_header_callback = {
        _, frame, name, nameLength, value, valueLength, _, context in
        guard let session = session(context), let frame, let name, let value else { return 0 }
        session.add(
            UnsafeRawBufferPointer(start: name, count: nameLength),
            UnsafeRawBufferPointer(start: value, count: valueLength),
            to: frame.pointee.hd.stream_id)
        return 0
    }

    /// The window of the connection opens at once, so that a body that isn't read holds up no other.
    private static let onData: nghttp2_on_data_chunk_recv_callback = { pointer, _, stream, bytes, count, context in
        guard let session = session(context), let bytes else { return 0 }
        nghttp2_session_consume_connection(pointer, count)
        session.events.append(.content(stream: stream, Data(bytes: bytes, count: count)))
        return 0
    }

    private static let onFrame: nghttp2_on_frame_recv_callback = { _, frame, context in
        guard let session = session(context), let frame else { return 0 }
        let header = frame.pointee.hd
        let isHead = UInt32(header.type) == NGHTTP2_HEADERS.rawValue
        guard isHead || UInt32(header.type) == NGHTTP2_DATA.rawValue else { return 0 }
        session.received(
            isHead: isHead, isEnd: UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0, on: header.stream_id)
        return 0
    }

    /// A response that is complete before its request ends the stream (RFC 9113 section 8.1).
    private static let onSent: nghttp2_on_frame_send_callback = { _, frame, context in
        guard let session = session(context), let frame else { return 0 }
        let header = frame.pointee.hd
        let carriesBody = [NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue].contains(UInt32(header.type))
        guard carriesBody, UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0,
            session.streams[header.stream_id]?.hasRequestEnded == false
        else { return 0 }
        session.reset(header.stream_id, NGHTTP2_NO_ERROR)
        return 0
    }

    private static let onClose: nghttp2_on_stream_close_callback = { _, stream, _, context in
        guard let session = session(context) else { return 0 }
        session.streams.removeValue(forKey: stream)?.output?.close()
        session.events.append(.closed(stream: stream))
        return 0
    }

    /// nghttp2 wants bytes of a response's body.
    static let onRead: nghttp2_data_source_read_callback = { _, stream, buffer, length, flags, _, context in
        let failed = Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        guard let session = session(context), let buffer, let flags, let output = session.streams[stream]?.output else {
            return failed
        }
        switch output.take(into: UnsafeMutableRawBufferPointer(start: buffer, count: length)) {
        case .bytes(let count): return count
        case .later: return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        case .end(let trailers):
            flags.pointee = NGHTTP2_DATA_FLAG_EOF.rawValue
            if !trailers.isEmpty {
                flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
                session.sendTrailers(trailers, on: stream)
            }
            return 0
        }
    }

    // MARK: What they mean

    private func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, to number: Int32) {
        guard var stream = streams[number] else { return }
        defer { streams[number] = stream }
        stream.size += name.count + value.count + 32
        // The rest is counted and dropped.
        guard stream.size <= headLimit else { return }
        let text = String(decoding: name, as: UTF8.self)
        guard !text.hasPrefix(":") else {
            stream.pseudoFields[text] = String(decoding: value, as: UTF8.self)
            return
        }
        guard let name = HTTPField.Name(text),
            let field = HTTPField(name: name, value: FieldText.decode(value, for: name))
        else { return }
        stream.fields.append(field)
    }

    private func received(isHead: Bool, isEnd: Bool, on number: Int32) {
        guard var stream = streams[number] else { return }
        let isFirst = isHead && !stream.hasHead
        stream.hasHead = stream.hasHead || isHead
        stream.hasRequestEnded = isEnd
        streams[number] = stream
        if isFirst {
            let isTooLarge = stream.size > headLimit
            events.append(.head(stream: number, head(of: stream, hasBody: !isEnd), isTooLarge: isTooLarge))
        }
        if isEnd { events.append(.end(stream: number, trailers: isHead && !isFirst ? stream.fields : [:])) }
    }

    /// The head of a request, as one of HTTP/1.1 would be: with `Host`, and one `Cookie` (RFC 9113 sections 8.2.3 and 8.3.1).
    private func head(of stream: Stream, hasBody: Bool) -> HTTP1RequestHead {
        var fields = stream.fields
        let cookies = fields.values(of: .cookie)
        if cookies.count > 1 { fields[.cookie] = cookies.joined(separator: "; ") }
        if let authority = stream.pseudoFields[":authority"], !fields.contains(.host) { fields[.host] = authority }
        return HTTP1RequestHead(
            method: stream.pseudoFields[":method"].flatMap { HTTPMethod($0) } ?? .get,
            target: stream.pseudoFields[":path"] ?? stream.pseudoFields[":authority"] ?? "/", fields: fields,
            framing: hasBody ? .chunked : .none)
    }
}
#endif
