#if os(Linux)
import CNGHTTP2
import GodwitCore

/// A connection that speaks HTTP/2: many exchanges at a time, each a stream (RFC 9113). Used in the loop's turn.
final class HTTP2Connection: PooledConnection {
    let number: Int
    let connection: Connection
    let route: Route
    var isKept = false
    var version: HTTPVersion { .http2 }
    // The loop's engine, which closes every connection before it goes.
    unowned(unsafe) let services: any ConnectionServices
    @exclusivity(unchecked) private(set) var session: HTTP2Session?
    @exclusivity(unchecked) var streams: [Int32: HTTP2Stream] = [:]
    var goAwayFrame: Resending.GoAway?
    /// nghttp2's words about a violation.
    var violation: String?
    @exclusivity(unchecked) private(set) var isClosed = false
    private var isGivenUp = false
    @exclusivity(unchecked) private var isServing = false
    @exclusivity(unchecked) private var isSendScheduled = false
    /// When bytes last arrived, and when a PING was sent that has no answer.
    @exclusivity(unchecked) private var lastReceipt: LoopTime
    @exclusivity(unchecked) private var pingSent: LoopTime?
    private var isWatching = false
    let window: Int

    /// `nil` if memory ran out.
    init?(
        _ number: Int, _ connection: Connection, _ route: Route, streamBuffer: Int, _ services: any ConnectionServices
    ) {
        self.number = number
        self.connection = connection
        self.route = route
        self.services = services
        lastReceipt = services.now
        window = min(max(streamBuffer / 2, 16 << 10), 1 << 20)
        session = HTTP2Session(self, window: window, headLimit: ResponseHeadReader.limit)
        guard session != nil else { return nil }
        connection.onReady = { [self] in serve() }
    }

    var acknowledgedBytes: UInt64? { TCPFigures(of: connection.socket.descriptor)?.acknowledged }

    // MARK: Exchanges

    func begin() {
        sendSoon()
        serve()
    }

    /// Takes a GOAWAY or an end that has arrived, as ``HTTP1Connection/checkIdle()`` does.
    func checkIdle() {
        guard streams.isEmpty, !isServing else { return }
        isServing = true
        var count = 0
        withUnsafeTemporaryAllocation(byteCount: 4 << 10, alignment: 16) { buffer in
            while !isClosed, count < Self.readsPerTurn, readOnce(into: buffer) { count += 1 }
        }
        isServing = false
        if count > 0 { send() }
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
    func forget(_ stream: HTTP2Stream) {
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
    func open(_ stream: HTTP2Stream) {
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
            guard readOnce(into: services.readBuffer) else { return }
        }
    }

    /// Returns whether anything was there.
    private func readOnce(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        switch connection.receive(into: buffer) {
        case .bytes(let count):
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        case .nothing: return false
        case .end: close(.transport(.connectionLost("the server closed the connection")))
        case .failed(let kind): close(kind)
        }
        return false
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        lastReceipt = services.now
        pingSent = nil
        // Held, as the connection may be closed meanwhile.
        let session = session
        switch session?.receive(bytes, at: lastReceipt) ?? .taken {
        case .taken: break
        case .headTooLarge:
            if let stream = session?.headStream.flatMap({ streams[$0] }) {
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
        guard sendOutput(of: session) else { return lose() }
        if session.isOver, !isClosed { endSession() }
    }

    /// Sends what the session gives, several frames at a time. Returns `false` if the connection failed.
    private func sendOutput(of session: HTTP2Session) -> Bool {
        let buffer = services.writeBuffer
        var count = 0
        func send(_ bytes: UnsafeRawBufferPointer) -> Bool { connection.send(bytes) != nil }
        while !connection.hasPendingOutput {
            let bytes = session.output()
            if bytes.isEmpty { break }
            if bytes.count > buffer.count - count {
                guard send(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return false }
                count = 0
            }
            if bytes.count > buffer.count {
                guard send(bytes) else { return false }
            } else {
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
                count += bytes.count
            }
        }
        return send(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
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
        var loss = ExchangeState.Loss(isReused: stream.isReused, isSilent: stream.headSize == 0, isShared: true)
        loss.isGivenUp = isGivenUp
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
            isGivenUp = true
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
        isGivenUp = true
        close(.transport(.connectionLost("given up: nothing arrived for \(silence) ms")))
    }
}
#endif
