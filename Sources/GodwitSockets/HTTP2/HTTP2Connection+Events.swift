#if os(Linux)
import CNGHTTP2
import GodwitCore

// What the session reports.
extension HTTP2Connection: HTTP2SessionOwner {
    func beginHead(_ stream: Int32) {
        headStream = stream
        streams[stream]?.fields = HTTPFields()
        streams[stream]?.status = nil
    }

    func field(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ stream: Int32) -> Bool {
        guard let stream = streams[stream] else { return true }
        stream.headSize += name.count + value.count + 32
        guard stream.headSize <= ResponseHeadReader.limit else {
            refuse(stream, .tooLarge(limit: Int64(ResponseHeadReader.limit)))
            return false
        }
        if name.first == UInt8(ascii: ":") {
            if name.elementsEqual(":status".utf8) {
                stream.status = Int(String(decoding: value, as: UTF8.self)).flatMap { HTTPStatus($0) }
            }
            return true
        }
        let place = stream.fields.count
        if place < lastFields.count, lastFields.isField(at: place, name, value) {
            stream.fields.append(lastFields[place])
            return true
        }
        let name = HTTPField.Name(unchecked: String(decoding: name, as: UTF8.self))
        stream.fields.append(HTTPField(unchecked: name, value: FieldText.decode(value, for: name)))
        return true
    }

    func endHead(_ number: Int32, isEnd: Bool) {
        headStream = nil
        guard let stream = streams[number] else { return }
        if stream.hasHead {
            stream.exchange.reception.trailers = stream.fields
        } else if !takeHead(stream, isEnd: isEnd) {
            return
        }
        if isEnd { end(stream) }
    }

    private func takeHead(_ stream: HTTP2Stream, isEnd: Bool) -> Bool {
        let exchange = stream.exchange
        guard let status = stream.status else { return refuse(stream, invalid: "the response has no status") }
        if status.kind == .informational { return takeInterim(status, stream) }
        if status.code == 417, exchange.isExpecting, exchange.request.body?.isReplayable == true {
            failExpectation(stream)
            return false
        }
        stream.hasHead = true
        lastFields = stream.fields
        if let fault = ContentLength.fault(in: stream.fields) { return refuse(stream, invalid: fault) }
        let length = ContentLength.value(in: stream.fields)
        guard exchange.receive(status, stream.fields, length: length, hasBody: !isEnd) else {
            refuse(stream, nil)
            return false
        }
        if !isEnd { widen(stream, length) }
        // The server doesn't want the rest of the request.
        if status.code >= 400 { stream.isUnwanted = true }
        return true
    }

    private func takeInterim(_ status: HTTPStatus, _ stream: HTTP2Stream) -> Bool {
        if let fault = stream.interims.add(status) { return refuse(stream, invalid: fault) }
        stream.exchange.receiveInterim(status, stream.fields)
        return true
    }

    private func failExpectation(_ stream: HTTP2Stream) {
        session?.reset(stream.number, NGHTTP2_CANCEL)
        forget(stream)
        services.lost(
            stream.exchange, .transport(.connectionLost("the server failed the expectation")),
            ExchangeState.Loss(evidence: .expectationFailed, isReused: stream.isReused))
    }

    private func refuse(_ stream: HTTP2Stream, invalid reason: String) -> Bool {
        refuse(stream, .invalidResponse(reason: reason))
        return false
    }

    /// A body that is collected or written to a file needs no small window.
    private func widen(_ stream: HTTP2Stream, _ length: Int64?) {
        if case .stream = stream.exchange.sink { return }
        guard length.map({ $0 > window }) ?? true else { return }
        session?.widen(stream.number, to: 8 << 20)
    }

    func content(_ bytes: UnsafeRawBufferPointer, _ number: Int32) {
        guard let stream = streams[number] else {
            session?.consume(bytes.count, of: number)
            return
        }
        stream.unconsumed += bytes.count
        deliver(bytes, to: stream)
        if streams[number] === stream { open(stream) }
    }

    func deliver(_ bytes: UnsafeRawBufferPointer, to stream: HTTP2Stream) {
        guard stream.backlog.isEmpty, stream.exchange.takesInput else {
            return stream.backlog.append(contentsOf: bytes)
        }
        if !bytes.isEmpty, !stream.exchange.receive(bytes) { refuse(stream, nil) }
    }

    func endContent(_ number: Int32) {
        if let stream = streams[number] { end(stream) }
    }

    /// The server ended its side.
    private func end(_ stream: HTTP2Stream) {
        stream.hasEnded = true
        guard stream.backlog.isEmpty else { return }
        complete(stream)
    }

    /// The response is complete, and all of it is taken.
    func complete(_ stream: HTTP2Stream) {
        guard streams[stream.number] === stream else { return }
        let exchange = stream.exchange
        if !stream.isSent {
            // Bytes and files come to an end soon; a stream may have none, as it may wait for the response's.
            guard exchange.source?.isOpenStream != false || stream.isUnwanted else { return }
            session?.reset(stream.number, NGHTTP2_NO_ERROR)
            sendSoon()
        }
        forget(stream)
        exchange.complete(exchange.reception.trailers)
    }

    func closed(_ number: Int32, _ code: UInt32) {
        guard let stream = streams[number] else { return }
        if stream.hasEnded {
            stream.isSent = true
            if stream.backlog.isEmpty { complete(stream) }
            return
        }
        if code == NGHTTP2_REFUSED_STREAM.rawValue { return refused(stream) }
        forget(stream)
        let kind: NetworkError.Kind
        switch code {
        case NGHTTP2_NO_ERROR.rawValue:
            kind = .transport(.connectionLost("the server reset the stream before it ended (NO_ERROR)"))
        case _ where violation != nil: kind = .transport(.protocolViolation(violation ?? ""))
        default:
            let name = String(cString: nghttp2_http2_strerror(code))
            kind = .transport(.protocolViolation("the stream was reset: \(name)"))
        }
        violation = nil
        services.lost(stream.exchange, kind, ExchangeState.Loss(isSilent: stream.headSize == 0))
    }

    private func refused(_ stream: HTTP2Stream) {
        let goAway = goAwayFrame.flatMap { stream.number > $0.lastStream ? $0 : nil }
        streams[stream.number] = nil
        let loss = ExchangeState.Loss(
            evidence: .refused(goAway), isReused: stream.isReused, isSilent: stream.headSize == 0)
        services.lost(stream.exchange, .transport(.connectionLost("the server refused the stream")), loss)
        services.released(self, keepUntil: nil)
    }

    private func refuse(_ stream: HTTP2Stream, _ kind: NetworkError.Kind?) {
        if let kind { _ = stream.exchange.refuse(kind) }
        session?.reset(stream.number, NGHTTP2_CANCEL)
        forget(stream)
        services.gaveUp(stream.exchange)
        sendSoon()
    }

    func settings() {
        services.limited(self, to: session?.mostStreams ?? 0)
    }

    func goAway(lastStream: Int32, _ code: UInt32) {
        goAwayFrame = Resending.GoAway(lastStream: lastStream, code: code)
        services.retired(self)
    }

    func pong() {}

    func violated(_ reason: String) { if violation == nil { violation = reason } }

    func supply(_ buffer: UnsafeMutableRawBufferPointer, _ number: Int32) -> HTTP2Session.Supply {
        guard let stream = streams[number], !stream.isSent else { return .end([:]) }
        if stream.isUnwanted { return .later }
        let exchange = stream.exchange
        switch exchange.supply(buffer) {
        case .bytes(0):
            stream.isSent = true
            exchange.state.sent()
            return .end(exchange.source?.trailers ?? [:])
        case .bytes(let count): return .bytes(count)
        case .pause: return .later
        case .failed:
            streams[number] = nil
            services.released(self, keepUntil: nil)
            services.gaveUp(exchange)
            return .failed
        }
    }
}
#endif
