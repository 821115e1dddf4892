import GodwitCore
import GodwitSupport

extension ConnectionLoop {
    /// Sends the response to a request. Returns what to do with the connection.
    mutating func answer(_ request: MockRequest, _ head: HTTP1RequestHead, _ route: Route?) throws(Failure) -> NextStep
    {
        shown = service.inspection.flatMap { inspection in request.shown.map(inspection.receive) }
        defer { shown = nil }
        do throws(Failure) {
            return try send(to: request, head, route)
        } catch {
            shown?.fail("the client closed the connection")
            throw error
        }
    }

    private mutating func send(
        to request: MockRequest, _ head: HTTP1RequestHead, _ route: Route?
    ) throws(Failure) -> NextStep {
        if case .webSocket(let route) = route?.reply {
            service.options.onResponse?(request, .switchingProtocols)
            shown?.finish(HTTPResponseHead(status: .switchingProtocols), streamed: nil)
            return try upgrade(route, request, head)
        }
        let response = try response(to: request, route)
        if response.delay > .zero { try wait(response.delay) }
        service.options.onResponse?(request, response.sentStatus)
        switch response.form {
        case .message:
            return try writeMessage(response, head)
        case .raw:
            shown?.fail("bytes were sent that are not a response")
            try writeContent(response, .plain)
            return nextStep(after: response, closing: response.closesConnection)
        case .hang:
            shown?.fail("no response is sent")
            _ = Handoff<Void>(waking: pipe).take(watching: socket)
            return .close
        case .tunnel(let host, let port):
            guard let tunnel = Tunnel(to: host, port: port) else {
                return try writeMessage(.text("cannot connect to \(host)\n", status: .badGateway), head)
            }
            shown?.finish(HTTPResponseHead(status: .ok), streamed: nil)
            try write(Data("HTTP/1.1 200 \r\n\r\n".utf8))
            tunnel.relay(socket, after: parser.takeRest())
            return .close
        case .noAnswer(.reset):
            shown?.fail("the connection was reset without a response")
            return .reset
        case .noAnswer(.close), .failure:
            shown?.fail("the connection was closed without a response")
            return .close
        }
    }

    private func response(to request: MockRequest, _ route: Route?) throws(Failure) -> MockResponse {
        if let response = service.response(to: request, route) { return response }
        guard case .handler(let handler) = route?.reply else { return .status(.notImplemented) }
        let handoff = Handoff<MockResponse>(waking: pipe)
        handoff.start { try await $0.put(try await handler(request)) }
        switch handoff.take(watching: socket) {
        case .element(let response): return response
        case .failure(let error): return .thrown(error)
        case .end, .clientGone: throw .clientGone
        }
    }

    func writeMessage(_ response: MockResponse, _ request: HTTP1RequestHead) throws(Failure) -> NextStep {
        let head = ResponseHead(response, to: request, closing: !request.keepsAlive)
        // Most responses are small and in memory: one write for head and body.
        if case .body(let body) = response.content, case .bytes(let data) = body.storage, head.writing == .plain,
            response.fault == nil, response.bytesPerSecond == nil
        {
            shown?.respond(response.head, body: data)
            shown?.finish(response.head, streamed: nil)
            try write(data.count <= 64 << 10 ? head.bytes + data : head.bytes)
            if data.count > 64 << 10 { try write(data) }
            return nextStep(after: response, closing: head.closes || head.length != Int64(data.count))
        }
        shown?.respond(response.head, body: nil)
        try write(head.bytes)
        guard head.writing != .nothing else {
            shown?.finish(response.head, streamed: nil)
            return nextStep(after: response, closing: head.closes)
        }
        let count = try writeContent(response, head.writing)
        if head.writing == .chunked, response.fault == nil { try write(ResponseHead.lastChunk(response.trailers)) }
        showEnd(of: response, after: count)
        let isWrong = head.writing == .plain && head.length != count
        return nextStep(after: response, closing: head.closes || isWrong)
    }

    private func showEnd(of response: MockResponse, after count: Int64) {
        guard let fault = response.fault else { shown?.finish(response.head, streamed: count); return }
        let end = if case .reset = fault { "reset" } else { "closed" }
        shown?.fail("the connection was \(end) after \(count) bytes of the body")
    }

    /// Writes the body at its rate, up to its fault. Returns the number of bytes.
    @discardableResult
    private func writeContent(_ response: MockResponse, _ writing: ResponseHead.Writing) throws(Failure) -> Int64 {
        let handoff = Handoff<Data>(waking: pipe)
        defer { handoff.cancel() }
        let content = PacedBody(response, clock: service.options.clock)
        handoff.start { handoff in
            for try await piece in content { try await handoff.put(piece) }
        }
        var count: Int64 = 0
        while true {
            switch handoff.take(watching: socket) {
            case .element(let piece):
                if case .message = response.form { shown?.send(piece) }
                try write(writing == .chunked ? ResponseHead.chunk(piece) : piece)
                count += Int64(piece.count)
            case .end:
                return count
            case .failure, .clientGone:
                // Only the end of the connection can signal an incomplete body.
                throw .clientGone
            }
        }
    }

    private func nextStep(after response: MockResponse, closing: Bool) -> NextStep {
        switch response.fault {
        case .drop: .close
        case .reset: .reset
        case .truncate: .truncate
        case nil: closing ? .close : .keep
        }
    }

    /// Waits on the server's clock. Throws if the client disconnects.
    func wait(_ duration: Duration) throws(Failure) {
        let handoff = Handoff<Void>(waking: pipe)
        let clock = service.options.clock
        handoff.start { _ in try await clock.sleep(for: duration.bounded) }
        guard case .end = handoff.take(watching: socket) else { throw .clientGone }
    }

    func write(_ data: Data) throws(Failure) {
        guard socket.write(data) else { throw .clientGone }
    }
}

extension MockRequest {
    /// The request for the inspector; `nil` if its URL isn't valid.
    var shown: HTTPRequest? {
        url.map { HTTPRequest(method: method, url: $0, fields: fields, body: body.isEmpty ? nil : .bytes(body)) }
    }
}

extension MockResponse {
    /// What a client gets if a handler throws.
    static func thrown(_ error: any Error) -> MockResponse {
        .text("the handler threw: \(error)\n", status: .internalServerError)
    }

    var head: HTTPResponseHead { HTTPResponseHead(status: status, fields: fields) }

    /// The status; `nil` if no message is sent.
    var sentStatus: HTTPStatus? {
        switch form {
        case .message, .tunnel: status
        case .raw, .hang, .noAnswer, .failure: nil
        }
    }
}
