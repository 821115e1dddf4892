#if os(Linux)
import CNGHTTP2
import GodwitCore

// What the session reports.
extension HTTP2Connection: HTTP2SessionOwner {
    func tooLarge(_ number: Int32) {
        if let stream = streams[number] { refuse(stream, .tooLarge(limit: Int64(ResponseHeadReader.limit))) }
    }

    func endHead(_ number: Int32, _ head: HTTP2Head, isEnd: Bool) {
        guard let stream = streams[number] else { return }
        stream.headSize += head.size
        guard stream.headSize <= ResponseHeadReader.limit else { return tooLarge(number) }
        if stream.hasHead {
            stream.exchange.reception.trailers = head.fields
        } else if !take(head, stream, isEnd: isEnd) {
            return
        }
        if isEnd { end(stream) }
    }

    private func take(_ head: HTTP2Head, _ stream: HTTP2Stream, isEnd: Bool) -> Bool {
        let exchange = stream.exchange
        guard let status = head.status else { return refuse(stream, invalid: "the response has no status") }
        if status.kind == .informational { return takeInterim(status, head.fields, stream) }
        if status.code == 417, exchange.isExpecting, exchange.request.body?.isReplayable == true {
            failExpectation(stream)
            return false
        }
        stream.hasHead = true
        if let fault = ContentLength.fault(in: head.fields) { return refuse(stream, invalid: fault) }
        let length = ContentLength.value(in: head.fields)
        guard exchange.receive(status, head.fields, length: length, hasBody: !isEnd) else {
            refuse(stream, nil)
            return false
        }
        if !isEnd { widen(stream, length) }
        // The server doesn't want the rest of the request.
        if status.code >= 400 { stream.isUnwanted = true }
        return true
    }

    private func takeInterim(_ status: HTTPStatus, _ fields: HTTPFields, _ stream: HTTP2Stream) -> Bool {
        if let fault = stream.interims.add(status) { return refuse(stream, invalid: fault) }
        stream.exchange.receiveInterim(status, fields)
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
