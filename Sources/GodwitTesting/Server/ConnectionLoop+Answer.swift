import GodwitCore

// How a request is answered.
extension ConnectionLoop {
    /// Answers a request, and says what becomes of the connection.
    mutating func answer(_ request: MockRequest, _ head: RequestHead, _ route: Route?) throws(Broken) -> Fate {
        if case .webSocket(let route) = route?.reply { return try converse(route, request, head) }
        let response = try response(to: request, route)
        if response.delay > .zero { try wait(response.delay) }
        switch response.form {
        case .message:
            return try writeMessage(response, head)
        case .raw:
            try writeContent(response, .plain)
            return fate(after: response, closing: response.closesConnection)
        case .hang:
            _ = Handoff<Void>(waking: pipe).take(watching: socket)
            return .close
        case .noAnswer(.reset):
            return .reset
        case .noAnswer(.close), .failure:
            return .close
        }
    }

    private func response(to request: MockRequest, _ route: Route?) throws(Broken) -> MockResponse {
        switch route?.reply {
        case nil: return .text(service.table.unmatched(request) + "\n", status: .notFound)
        case .some(.none): return .text("the route has no reply\n", status: .internalServerError)
        case .webSocket: return .status(.notImplemented)
        case .script(let script): return script.next(for: request)
        case .handler(let handler):
            let handoff = Handoff<MockResponse>(waking: pipe)
            handoff.start { try await $0.put(try await handler(request)) }
            switch handoff.take(watching: socket) {
            case .element(let response): return response
            case .failure(let error): return .text("the handler threw: \(error)\n", status: .internalServerError)
            case .end, .clientGone: throw .clientGone
            }
        }
    }

    func writeMessage(_ response: MockResponse, _ request: RequestHead) throws(Broken) -> Fate {
        let head = ResponseHead(response, to: request, closing: !request.keepsAlive)
        // Most answers are small and at hand: one write for head and content.
        if case .body(let body) = response.content, case .bytes(let data) = body.storage, head.writing == .plain,
            response.fault == nil, response.bytesPerSecond == nil
        {
            try write(data.count <= 64 << 10 ? head.bytes + data : head.bytes)
            if data.count > 64 << 10 { try write(data) }
            return fate(after: response, closing: head.closes || head.length != Int64(data.count))
        }
        try write(head.bytes)
        guard head.writing != .nothing else { return fate(after: response, closing: head.closes) }
        let count = try writeContent(response, head.writing)
        if head.writing == .chunked, response.fault == nil { try write(ResponseHead.lastChunk(response.trailers)) }
        let isUntrue = head.writing == .plain && head.length != count
        return fate(after: response, closing: head.closes || isUntrue)
    }

    /// Writes the content at its pace, as far as it comes, and says how many bytes that was.
    @discardableResult
    private func writeContent(_ response: MockResponse, _ writing: ResponseHead.Writing) throws(Broken) -> Int64 {
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
                try write(writing == .chunked ? ResponseHead.chunk(piece) : piece)
                count += Int64(piece.count)
            case .end:
                return count
            case .failure, .clientGone:
                // A content that fails half-way can only be told by ending the connection.
                throw .clientGone
            }
        }
    }

    private func fate(after response: MockResponse, closing: Bool) -> Fate {
        switch response.fault {
        case .drop: .close
        case .reset: .reset
        case .truncate: .cut
        case nil: closing ? .close : .keep
        }
    }

    /// Waits by the server's clock, as long as the client stays.
    func wait(_ duration: Duration) throws(Broken) {
        let handoff = Handoff<Void>(waking: pipe)
        let clock = service.options.clock
        handoff.start { _ in try await clock.sleep(for: duration) }
        guard case .end = handoff.take(watching: socket) else { throw .clientGone }
    }

    func write(_ data: Data) throws(Broken) {
        guard socket.write(data) else { throw .clientGone }
    }
}
