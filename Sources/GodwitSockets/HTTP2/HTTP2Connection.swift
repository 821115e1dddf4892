#if os(Linux)
import CNGHTTP2
import GodwitCore

/// A connection that speaks HTTP/2: many exchanges at a time, each a stream (RFC 9113). Used on the loop's thread.
final class HTTP2Connection: PooledConnection {
    let number: Int
    let connection: Connection
    let route: Route
    var hasServed = false
    var version: HTTPVersion { .http2 }
    // The loop's engine, which closes every connection before it goes.
    unowned(unsafe) let services: any ConnectionServices
    private(set) var session: HTTP2Session?
    var streams: [Int32: HTTP2Stream] = [:]
    /// The fields of the last head. A field at the same place with the same bytes is not made again.
    private var lastFields = HTTPFields()
    private var goAwayFrame: Resending.GoAway?
    /// nghttp2's words about a violation.
    private var violation: String?
    /// The stream whose head is being received.
    private var headStream: Int32?
    private(set) var isClosed = false
    private var isServing = false
    private var isSendScheduled = false
    /// When bytes last arrived, and when a PING was sent that has no answer.
    private var lastReceipt: LoopTime
    private var pingSent: LoopTime?
    private var isWatching = false
    private let window: Int

    /// `nil` if memory ran out.
    init?(
        _ number: Int, _ connection: Connection, _ route: Route, streamBuffer: Int, streams: Int,
        _ services: any ConnectionServices
    ) {
        (self.number, self.connection, self.route, self.services) = (number, connection, route, services)
        lastReceipt = services.now
        window = min(max(streamBuffer / 2, 16 << 10), 1 << 20)
        session = HTTP2Session(self, window: window, headLimit: ResponseHeadReader.limit)
        guard session != nil else { return nil }
        connection.onReady = { [weak self] in self?.serve() }
    }

    var acknowledgedBytes: UInt64? { TCPFigures(of: connection.socket.descriptor)?.acknowledged }

    // MARK: Exchanges

    func begin() {
        sendSoon()
        serve()
    }

    func start(_ exchange: Exchange, isReused: Bool, openConnections: Int?) {
        let stream = HTTP2Stream(exchange, self, isReused: isReused)
        let used = UsedConnection(connection, .http2, isReused: isReused, openConnections: openConnections)
        guard exchange.begin(on: stream, used) else {
            services.gaveUp(exchange)
            return services.released(self, keepUntil: nil)
        }
        let hasBody = exchange.source != nil
        stream.isSent = !hasBody
        if let report = exchange.options.onHeadSent { report(HTTP2RequestHead.text(of: exchange, route)) }
        let id = session?.request(hasBody: hasBody) { HTTP2RequestHead.write(exchange, route, to: &$0) }
        guard !isClosed, let id else {
            services.lost(
                exchange, .transport(.connectionLost("the connection takes no more requests")),
                ExchangeState.Loss(evidence: .refused(goAwayFrame), isReused: isReused))
            return services.retired(self)
        }
        stream.number = id
        streams[id] = stream
        if !hasBody { exchange.state.sent() }
        sendSoon()
        watch()
    }

    /// The exchange ends before its response.
    func abandon(_ stream: HTTP2Stream) {
        guard streams[stream.number] === stream else { return }
        session?.reset(stream.number, NGHTTP2_CANCEL)
        forget(stream)
        sendSoon()
    }

    /// A stream is not an exchange's any more.
    private func forget(_ stream: HTTP2Stream) {
        streams[stream.number] = nil
        services.released(self, keepUntil: nil)
    }

    func resumeReceiving(_ stream: HTTP2Stream) {
        guard streams[stream.number] === stream else { return }
        let bytes = stream.backlog
        stream.backlog = []
        if !bytes.isEmpty { bytes.withUnsafeBytes { deliver($0, to: stream) } }
        guard streams[stream.number] === stream else { return }
        if stream.hasEnded, stream.backlog.isEmpty { return complete(stream) }
        open(stream)
    }

    /// Opens the stream's window by what its exchange took.
    private func open(_ stream: HTTP2Stream) {
        guard stream.unconsumed > 0, stream.backlog.isEmpty, !stream.hasEnded else { return }
        guard !stream.exchange.flow.isFull, !stream.exchange.flow.holdsInput else { return }
        session?.consume(stream.unconsumed, of: stream.number)
        stream.unconsumed = 0
        sendSoon()
    }

    func resumeSending(_ stream: HTTP2Stream) {
        guard streams[stream.number] === stream else { return }
        stream.exchange.noteActivity(of: .source)
        session?.resume(stream.number)
        sendSoon()
    }

    // MARK: Events

    func serveAgain() { serve() }

    /// Continues after events of the socket.
    func serve() {
        guard !isClosed, !isServing else { return }
        isServing = true
        readAvailable()
        isServing = false
        send()
    }

    private static let readsPerTurn = 4

    private func readAvailable() {
        var count = 0
        while !isClosed, connection.isReadable {
            guard count < Self.readsPerTurn else { return services.serveLater(self) }
            count += 1
            switch connection.receive(into: services.readBuffer) {
            case .bytes(let count): take(UnsafeRawBufferPointer(rebasing: services.readBuffer[..<count]))
            case .nothing: return
            case .end:
                return close(.transport(.connectionLost("the server closed the connection")))
            case .failed(let kind): return close(kind)
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        lastReceipt = services.now
        pingSent = nil
        // Held, as the connection may be closed meanwhile.
        let session = session
        switch session?.receive(bytes) ?? .taken {
        case .taken: break
        case .headTooLarge:
            if let stream = headStream.flatMap({ streams[$0] }) {
                _ = stream.exchange.refuse(.tooLarge(limit: Int64(ResponseHeadReader.limit)))
            }
            close(.transport(.protocolViolation("the server sent too many CONTINUATION frames")))
        case .failed: close(.transport(.protocolViolation(violation ?? "the server doesn't speak HTTP/2")))
        }
    }

    /// Sends at the end of the turn, so that one write serves several requests.
    func sendSoon() {
        guard !isSendScheduled, !isClosed else { return }
        isSendScheduled = true
        services.sendSoon(self)
    }

    /// Sends what the session has, as far as the system takes it.
    func send() {
        isSendScheduled = false
        guard !isClosed, !isServing, let session else { return }
        isServing = true
        defer { isServing = false }
        if connection.hasPendingOutput, connection.flush() == nil { return lose() }
        var batch: [UInt8] = []
        while !connection.hasPendingOutput {
            let bytes = session.output()
            if bytes.isEmpty { break }
            batch.append(contentsOf: bytes)
            guard batch.count >= 64 << 10 else { continue }
            guard batch.withUnsafeBytes({ connection.send($0) }) != nil else { return lose() }
            batch.removeAll(keepingCapacity: true)
        }
        if !batch.isEmpty, batch.withUnsafeBytes({ connection.send($0) }) == nil { return lose() }
        if session.isOver, !isClosed { endSession() }
    }

    /// Writing failed: what the server sent before tells more.
    private func lose() {
        readAvailable()
        close(connection.failure ?? .transport(.connectionLost("it is closed")))
    }

    /// Nothing follows: after a GOAWAY of ours for a violation, or after the last stream.
    private func endSession() {
        let reason = violation ?? "the session ended"
        close(streams.isEmpty ? nil : .transport(.protocolViolation(reason)))
    }

    func close(_ reason: NetworkError.Kind?) {
        guard !isClosed else { return }
        isClosed = true
        let lost = streams.values.sorted { $0.number < $1.number }
        streams = [:]
        // nghttp2 must not be asked for output within its own calls.
        if reason == nil, !isServing, let session {
            session.goAway()
            let bytes = session.output()
            if !connection.hasPendingOutput, !bytes.isEmpty { _ = connection.send(bytes) }
        }
        session = nil
        connection.close()
        services.closed(self)
        let kind = reason ?? .transport(.connectionLost("it is closed"))
        for stream in lost { services.lost(stream.exchange, kind, loss(of: stream)) }
    }

    private func loss(of stream: HTTP2Stream) -> ExchangeState.Loss {
        var loss = ExchangeState.Loss(isReused: stream.isReused, isSilent: stream.headSize == 0)
        if let goAwayFrame, stream.number > goAwayFrame.lastStream { loss.evidence = .refused(goAwayFrame) }
        return loss
    }

    // MARK: Silence

    /// Nanoseconds of silence, while a response is awaited, after which a PING asks whether the peer is there; and after which
    /// it isn't.
    private static let patience: Int64 = 10_000_000_000

    /// Looks from time to time whether the peer is there, while streams wait.
    private func watch() {
        guard !isWatching else { return }
        isWatching = true
        services.wake(self, at: services.now + Self.patience)
    }

    func wake() {
        isWatching = false
        guard !isClosed, !streams.isEmpty else { return }
        let now = services.now
        if let pingSent, pingSent + Self.patience <= now {
            return close(.transport(.connectionLost("given up: the server doesn't answer a PING")))
        }
        if pingSent == nil, lastReceipt + Self.patience <= now, waitsForServer {
            pingSent = now
            session?.ping()
            sendSoon()
        }
        watch()
    }

    private var waitsForServer: Bool {
        streams.values.contains { $0.exchange.timing?.waited(at: services.now) != nil }
    }

    /// An exchange took too long. If nothing arrived for as long, the connection is dead.
    func suspect(_ stream: HTTP2Stream, _ ending: SilenceRule.Ending) {
        let silence = services.now.nanoseconds(after: lastReceipt) / 1_000_000
        guard streams[stream.number] === stream,
            SilenceRule(ending).givesUp(after: silence, others: streams.count - 1)
        else { return }
        streams[stream.number] = nil
        close(.transport(.connectionLost("given up: nothing arrived for \(silence) ms")))
    }
}

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
        guard let status = stream.status else {
            refuse(stream, .invalidResponse(reason: "the response has no status"))
            return false
        }
        if status.kind == .informational {
            stream.interimCount += 1
            guard stream.interimCount <= ResponseHeadReader.interimLimit else {
                let limit = ResponseHeadReader.interimLimit
                refuse(stream, .invalidResponse(reason: "the server sent more than \(limit) interim responses"))
                return false
            }
            guard status.code != 101 else {
                refuse(stream, .invalidResponse(reason: "the server switched protocols without being asked to"))
                return false
            }
            exchange.receiveInterim(status, stream.fields)
            return true
        }
        if status.code == 417, exchange.isExpecting, exchange.request.body?.isReplayable == true {
            session?.reset(stream.number, NGHTTP2_CANCEL)
            forget(stream)
            services.lost(
                exchange, .transport(.connectionLost("the server failed the expectation")),
                ExchangeState.Loss(evidence: .expectationFailed, isReused: stream.isReused))
            return false
        }
        stream.hasHead = true
        lastFields = stream.fields
        if let fault = ContentLength.fault(in: stream.fields) {
            refuse(stream, .invalidResponse(reason: fault))
            return false
        }
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

    private func deliver(_ bytes: UnsafeRawBufferPointer, to stream: HTTP2Stream) {
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
    private func complete(_ stream: HTTP2Stream) {
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
