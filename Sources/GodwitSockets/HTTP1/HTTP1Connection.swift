#if os(Linux)
import GodwitCore

/// A connection that speaks HTTP/1.1: one exchange after another (RFC 9112). Used in the loop's turn.
final class HTTP1Connection: PooledConnection, Carrier {
    /// The part of the response that comes next.
    enum Input {
        case head
        case body(Remainder)
        /// The body of a 407 of the proxy, which the exchange answers.
        case refusal(Refusal)
        /// The response is complete; its exchange waits for the end of the request.
        case done
    }

    /// What is left of a body.
    enum Remainder {
        case length(Int64)
        case chunks(ChunkReader)
        case untilClose
    }

    /// The part of the request that goes out next.
    enum Output: Equatable {
        case idle
        /// The head is out; the body waits for a 100, or until this time (RFC 9110 section 10.1.1).
        case expecting(LoopTime)
        case body
    }

    let number: Int
    let connection: Connection
    let route: Route
    var isKept = false
    var version: HTTPVersion { .http1_1 }
    // The loop's engine, which closes every connection before it goes.
    unowned(unsafe) let services: any ConnectionServices
    var reader = ResponseHeadReader()
    var exchange: Exchange?
    var input = Input.head
    var output = Output.idle
    /// Bytes of a body that its exchange doesn't take yet.
    var held: [UInt8] = []
    /// Whether the connection can serve another exchange after this one.
    var staysOpen = true
    var keepUntil: LoopTime?
    private(set) var isReused = false
    private(set) var isClosed = false
    /// How many bytes of the head there are, and how many the system had taken before them.
    var headSize = 0
    private var takenBefore = 0
    /// How many bytes of head and body the system took.
    var sentSize: Int { connection.takenBytes - takenBefore }
    /// How many pieces of the body were sent; over TLS each becomes records.
    var pieces = 0
    private var isServing = false

    init(_ number: Int, _ connection: Connection, _ route: Route, _ services: any ConnectionServices) {
        self.number = number
        self.connection = connection
        self.route = route
        self.services = services
        connection.onReady = { [self] in serve() }
    }

    var acknowledgedBytes: UInt64? { TCPFigures(of: connection.socket.descriptor)?.acknowledged }

    // MARK: Exchanges

    /// If the server has closed it already, its first exchange finds out.
    func begin() {}

    func start(_ exchange: Exchange, isReused: Bool, openConnections: Int?) {
        self.exchange = exchange
        self.isReused = isReused
        reader.reset()
        reader.acceptsSwitch = exchange.isUpgrade
        input = .head
        output = .idle
        // After a refused upgrade it isn't used again, as its body may be read in part.
        staysOpen = !exchange.isUpgrade
        keepUntil = nil
        headSize = 0
        takenBefore = connection.takenBytes
        pieces = 0
        let used = UsedConnection(connection, .http1_1, isReused: isReused, openConnections: openConnections)
        guard exchange.begin(on: self, used) else {
            self.exchange = nil
            services.gaveUp(exchange)
            return services.released(self, keepUntil: nil)
        }
        sendRequest(of: exchange)
        // The answer of a server that was quick, or the end of a connection that it closed.
        if connection.isReadable { serve() }
    }

    /// Closes if anything has arrived since the last response, which would be taken for the answer of the next request: a 408 too.
    /// The kernel is asked, as events may be outstanding, or left to a caller that is alone. Into memory of its own, as another
    /// connection's bytes may be in the shared buffer.
    func checkIdle() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            if case .nothing = connection.receive(into: buffer) { return }
            close(nil)
        }
    }

    func abandon(_ exchange: Exchange) {
        guard exchange === self.exchange else { return }
        self.exchange = nil
        close(nil)
    }

    func resumeReceiving(_ exchange: Exchange) {
        guard exchange === self.exchange else { return }
        serve()
    }

    func resumeSending(_ exchange: Exchange) {
        guard exchange === self.exchange else { return }
        exchange.noteActivity(of: .source)
        pump()
    }

    /// The response is complete, and as much of the request is sent as ever will be.
    func finish(_ exchange: Exchange, _ trailers: HTTPFields) {
        self.exchange = nil
        exchange.complete(trailers)
        if staysOpen, connection.failure == nil, !connection.hasEnded {
            services.released(self, keepUntil: keepUntil)
        } else {
            close(nil)
        }
    }

    // MARK: Events

    func serveAgain() { serve() }
    func send() {}

    /// Continues after events of the socket.
    func serve() {
        guard !isClosed, !isServing else { return }
        isServing = true
        defer { isServing = false }
        if connection.hasPendingOutput || output == .body { pump() }
        if exchange == nil { return serveIdle() }
        takeHeld()
        readAvailable()
        // The end may have come with the response, in one event.
        if exchange == nil, !isClosed { serveIdle() }
    }

    private func serveIdle() {
        if connection.isReadable { checkIdle() }
    }

    /// How often one turn of the loop reads from one connection before the others have their turn.
    private static let readsPerTurn = 4

    private func readAvailable() {
        var count = 0
        while !isClosed, let exchange, connection.isReadable {
            if case .body = input, !exchange.takesInput { return }
            if case .done = input { return watchSending() }
            guard count < Self.readsPerTurn else { return services.serveLater(self) }
            count += 1
            let buffer = services.readBuffer
            let limit = min(buffer.count, exchange.readLimit)
            switch connection.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<limit])) {
            case .bytes(let count): take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            case .nothing: return
            case .end(let isNotified): return ended(isNotified: isNotified)
            case .failed(let kind): return failed(kind)
            }
        }
    }

    private func takeHeld() {
        guard !held.isEmpty, let exchange, exchange.takesInput else { return }
        let bytes = held
        held = []
        bytes.withUnsafeBytes { take($0) }
    }

    /// The response is complete; what still arrives, or an end, shows that the request can't be completed.
    private func watchSending() {
        switch connection.receive(into: services.readBuffer) {
        case .nothing: break
        case .bytes, .end, .failed:
            staysOpen = false
            settleSending(isOver: true)
        }
    }

    // MARK: Input

    private func take(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty, !isClosed, let exchange {
            switch input {
            case .head: guard takeHead(&rest, exchange) else { return }
            case .body: guard takeBody(&rest, exchange) else { return }
            case .refusal(let refusal): guard skip(refusal, &rest, exchange) else { return }
            case .done:
                // Bytes after a response belong to nothing that was asked for.
                staysOpen = false
                return settleSending(isOver: false)
            }
        }
    }

    /// Reads a head; `false` if nothing more has to be done with the bytes.
    private func takeHead(_ rest: inout UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        exchange.noteHeadBytes()
        switch reader.read(&rest) {
        case .incomplete: return false
        case .interim(let status, let fields):
            exchange.receiveInterim(status, fields)
            if status.code == 100, case .expecting = output { continueBody() }
            return true
        case .complete(let head): return takeHead(head, &rest, exchange)
        case .invalid(let reason): return refuse(exchange, .invalidResponse(reason: reason))
        case .tooLarge: return refuse(exchange, .tooLarge(limit: Int64(ResponseHeadReader.limit)))
        }
    }

    private func takeHead(
        _ head: HTTP1ResponseHead, _ rest: inout UnsafeRawBufferPointer, _ exchange: Exchange
    ) -> Bool {
        if head.status.code == 417, exchange.isExpecting, canSendBodyAgain(exchange) {
            return lose(exchange, .transport(.connectionLost("the server failed the expectation")), .expectationFailed)
        }
        if answersProxy(head, exchange) { return takeRefusal(head, rest, exchange) }
        let framing = head.framing(of: exchange.request.method)
        if !head.keepsAlive || head.isFramedTwice || framing == .untilClose { staysOpen = false }
        keepUntil = head.keepAliveTimeout.map { services.now + Int64(min($0, 1 << 20)) * 1_000_000_000 }
        let isSwitch = head.status.code == 101
        if head.minorVersion == 0 { exchange.noteVersion(.http1_0) }
        guard exchange.receive(head.status, head.fields, length: head.contentLength, hasBody: framing != .none) else {
            return refuse(exchange)
        }
        if isSwitch {
            switchProtocols(exchange, early: Array(rest))
            return false
        }
        answerWhileSending(head.status)
        switch framing {
        case .none: return completeInput([:], rest)
        case .length(let length): input = .body(.length(length))
        case .chunked: input = .body(.chunks(ChunkReader()))
        case .untilClose: input = .body(.untilClose)
        }
        return true
    }

    /// Whether the body can be sent again.
    func canSendBodyAgain(_ exchange: Exchange) -> Bool {
        exchange.source?.sent == 0 || exchange.request.body?.isReplayable == true && !exchange.sendsTrailers
    }

    private func switchProtocols(_ exchange: Exchange, early: [UInt8]) {
        self.exchange = nil
        isClosed = true
        services.switched(exchange, self, early: early)
    }

    /// Reads a piece of the body; `false` if nothing more has to be done with the bytes.
    private func takeBody(_ rest: inout UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        guard exchange.takesInput else {
            held.append(contentsOf: rest)
            return false
        }
        guard case .body(let remainder) = input else { return true }
        switch remainder {
        case .length(let left):
            let count = Int(min(Int64(rest.count), left))
            let piece = UnsafeRawBufferPointer(rebasing: rest[..<count])
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            input = .body(.length(left - Int64(count)))
            guard exchange.receive(piece) else { return refuse(exchange) }
            if isRefusalLong(exchange) { return endRefusal() }
            return left > count ? true : completeInput([:], rest)
        case .untilClose:
            let piece = rest
            rest = UnsafeRawBufferPointer(rebasing: rest[rest.count...])
            guard exchange.receive(piece) else { return refuse(exchange) }
            return isRefusalLong(exchange) ? endRefusal() : true
        case .chunks(var chunks):
            input = .done
            let step = chunks.next(&rest)
            input = .body(.chunks(chunks))
            return takeChunk(step, rest, exchange)
        }
    }

    private func takeChunk(_ step: ChunkReader.Step, _ rest: UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        switch step {
        case .incomplete: return false
        case .content(let piece):
            guard exchange.receive(piece) else { return refuse(exchange) }
            return isRefusalLong(exchange) ? endRefusal() : true
        case .end(let trailers): return completeInput(trailers, rest)
        case .invalid(let reason): return refuse(exchange, .invalidResponse(reason: reason))
        case .tooLarge(let limit): return refuse(exchange, .tooLarge(limit: Int64(limit)))
        }
    }

    /// Of a response that refuses an upgrade, an error shows no more than this.
    private func isRefusalLong(_ exchange: Exchange) -> Bool {
        exchange.isUpgrade && exchange.reception.encodedBytes >= 64 << 10
    }

    private func endRefusal() -> Bool {
        staysOpen = false
        return completeInput([:], UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The response is complete.
    func completeInput(_ trailers: HTTPFields, _ rest: UnsafeRawBufferPointer) -> Bool {
        if !rest.isEmpty { staysOpen = false }
        input = .done
        exchange?.reception.trailers = trailers
        settleSending(isOver: false)
        return false
    }

    func close(_ reason: NetworkError.Kind?) {
        guard !isClosed else { return }
        isClosed = true
        held = []
        let exchange = exchange.take()
        connection.close()
        services.closed(self)
        if let exchange, let reason {
            services.lost(exchange, reason, ExchangeState.Loss(isReused: isReused, isSilent: false))
        }
    }
}
#endif
