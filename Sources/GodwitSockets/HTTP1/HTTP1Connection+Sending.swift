#if os(Linux)
package import GodwitCore

extension HTTP1Connection {
    /// Nanoseconds that a body waits for a 100 before it is sent anyway.
    private static let expectation: Int64 = 1_000_000_000

    /// Sends the head, and with it a body that is short and in memory: one write for both.
    func sendRequest(of exchange: Exchange) {
        guard let route = exchange.route else { return }
        exchange.asksProxyFirst = asksProxyFirst(exchange)
        services.writing { write(exchange, by: route, with: &$0) }
    }

    private func write(_ exchange: Exchange, by route: Route, with writer: inout HeadWriter) {
        RequestHead(of: exchange, by: route).write(to: &writer)
        headSize = writer.bytes.count
        if let report = exchange.options.onHeadSent { report(String(decoding: writer.bytes, as: UTF8.self)) }
        if exchange.source == nil {
            send(writer.bytes)
            return noteSent(exchange)
        }
        if exchange.isExpecting {
            send(writer.bytes)
            output = .expecting(services.now + Self.expectation)
            return services.wake(self, at: services.now + Self.expectation)
        }
        output = .body
        if supplyShortBody(of: exchange, to: &writer) { output = .idle }
        guard self.exchange != nil else { return }
        send(writer.bytes)
        output == .idle ? noteSent(exchange) : pump()
    }

    /// Adds a body whose length is known and small; `false` if more is to be sent.
    private func supplyShortBody(of exchange: Exchange, to writer: inout HeadWriter) -> Bool {
        guard let length = exchange.source?.length, length <= 16 << 10 else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
            while true {
                switch exchange.supply(buffer) {
                case .bytes(0): return true
                case .bytes(let count):
                    writer.content(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    pieces += 1
                    if exchange.source?.sent == length, exchange.source?.isOpenStream == false { return true }
                case .pause: return false
                case .failed:
                    giveUp(exchange)
                    return true
                }
            }
        }
    }

    private func giveUp(_ exchange: Exchange) {
        self.exchange = nil
        close(nil)
        services.gaveUp(exchange)
    }

    private func send(_ bytes: [UInt8]) {
        // A failure shows when the answer is read, which may be there.
        _ = bytes.withUnsafeBytes { connection.send($0) }
    }

    private func noteSent(_ exchange: Exchange) {
        if !connection.hasPendingOutput { exchange.state.sent() }
    }

    /// The server wants the body, or has taken too long to say.
    func continueBody() {
        guard case .expecting = output else { return }
        output = .body
        pump()
    }

    /// Called when the time has come that was asked for.
    func wake() {
        if case .expecting(let due) = output, due <= services.now { continueBody() }
    }

    /// Sends as much of the body as the system takes.
    func pump() {
        guard let exchange, !isClosed else { return }
        if connection.hasPendingOutput {
            guard let count = connection.flush() else { return stopSending(exchange) }
            if count > 0 { exchange.noteSent() }
        }
        var rounds = 0
        while output == .body, !connection.hasPendingOutput {
            // Others have their turn, also while a fast peer takes everything.
            guard rounds < 16 else { return services.serveLater(self) }
            rounds += 1
            guard sendPiece(of: exchange) else { break }
        }
        if output == .idle { noteSent(exchange) }
        settleSending(isOver: false)
    }

    /// Sends one piece; `false` if there is none now.
    private func sendPiece(of exchange: Exchange) -> Bool {
        let buffer = services.writeBuffer
        let isChunked = exchange.source?.length == nil
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[Self.chunkStart..<(64 << 10)])
        switch exchange.supply(room) {
        case .pause: return false
        case .failed:
            giveUp(exchange)
            return false
        case .bytes(0):
            output = .idle
            if isChunked { sendEnd(of: exchange) }
            return false
        case .bytes(let count):
            pieces += 1
            let piece = isChunked ? Self.chunk(in: buffer, count) : UnsafeRawBufferPointer(rebasing: room[..<count])
            guard connection.send(piece) != nil else {
                stopSending(exchange)
                return false
            }
            if let length = exchange.source?.length, exchange.source?.sent == length,
                exchange.source?.isOpenStream == false
            {
                output = .idle
            }
            return true
        }
    }

    private func sendEnd(of exchange: Exchange) {
        var writer = HeadWriter(capacity: 64)
        writer.endChunks(exchange.source?.trailers ?? [:])
        send(writer.bytes)
    }

    /// Room for the size of a chunk before its content.
    private static let chunkStart = 16

    /// The content in the buffer as a chunk, with the line before it and its end.
    private static func chunk(in buffer: UnsafeMutableRawBufferPointer, _ count: Int) -> UnsafeRawBufferPointer {
        let line = Array((String(count, radix: 16) + "\r\n").utf8)
        let start = chunkStart - line.count
        UnsafeMutableRawBufferPointer(rebasing: buffer[start..<chunkStart]).copyBytes(from: line)
        buffer[chunkStart + count] = 0x0D
        buffer[chunkStart + count + 1] = 0x0A
        return UnsafeRawBufferPointer(rebasing: buffer[start..<(chunkStart + count + 2)])
    }

    /// Nothing more can be sent. An answer may be there.
    private func stopSending(_ exchange: Exchange) {
        output = .idle
        staysOpen = false
        settleSending(isOver: true)
    }

    /// The answer's head arrived before the request was sent.
    func answerWhileSending(_ status: HTTPStatus) {
        guard output != .idle || connection.hasPendingOutput else { return }
        if case .expecting = output {
            // The server answered instead of asking for the body, and may or may not wait for it.
            output = .idle
            staysOpen = false
        } else if status.code >= 400 {
            output = .idle
            staysOpen = false
        }
    }
}

/// The head of a request as HTTP/1.1 sends it: the fields of the request, and those that the transport writes.
struct RequestHead {
    private let request: HTTPRequest
    private let route: Route
    private let isExpecting: Bool
    /// The length of the body as it is known now; a file may have changed.
    private let length: Int64?

    init(of exchange: Exchange, by route: Route) {
        request = exchange.request
        isExpecting = exchange.isExpecting
        length = exchange.source?.length
        self.route = route
    }

    func write(to writer: inout HeadWriter) {
        writer.startRequest(request.method.rawValue, target: target)
        writer.field("Host", route.host)
        if let authorization { writer.field("Proxy-Authorization", authorization) }
        writer.fields(request.fields.withOneCookieField)
        for field in RequestFields.added(to: request, mayShare: route.mayShare) {
            writer.field(field.name, field.value)
        }
        writeFraming(to: &writer)
        if let upgrade = request.options.upgrade {
            writer.field("Connection", "Upgrade")
            writer.field("Upgrade", upgrade.name)
        }
        writer.endHead()
    }

    private var authorization: String? {
        guard route.forwarder != nil, let authentication = route.plan.authentication,
            !request.fields.contains(.proxyAuthorization)
        else { return nil }
        return authentication.authorization(request.method, target: target)
    }

    private var target: Substring {
        route.forwarder == nil ? request.url.target : request.url.absoluteString[...]
    }

    private func writeFraming(to writer: inout HeadWriter) {
        guard let body = request.body else {
            if request.method.expectsContent { writer.field("Content-Length", "0") }
            return
        }
        if let length {
            writer.field("Content-Length", "\(length)")
        } else {
            writer.field("Transfer-Encoding", "chunked")
        }
        if let announced = body.announcedTrailers { writer.field("Trailer", announced) }
        if isExpecting, !request.fields.contains(.expect) { writer.field("Expect", "100-continue") }
    }
}

/// The fields that the transport adds to a request over each version, and leaves out.
package enum RequestFields {
    /// Whether HTTP/2 and HTTP/3 have no such field.
    package static func isOfHTTP1(_ field: HTTPField) -> Bool {
        if field.name == .te { return !field.value.equalsIgnoringASCIICase("trailers") }
        return field.name.isOfHTTP1Connection
    }

    package static func added(to request: HTTPRequest, mayShare: Bool) -> [(name: String, value: String)] {
        var added: [(name: String, value: String)] = []
        // A part of an encoded representation can't be decoded, so a request for a range asks for the plain one.
        if request.method != .head, !request.fields.contains(.range), !request.fields.contains(.acceptEncoding) {
            added.append(("Accept-Encoding", ContentDecoder.codings))
        }
        if mayShare, request.options.upgrade == nil, !request.fields.contains(.priority),
            let priority = request.priorityField
        {
            added.append(("Priority", priority))
        }
        return added
    }
}
#endif
