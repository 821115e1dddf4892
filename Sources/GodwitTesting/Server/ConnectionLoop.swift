import GodwitCore

/// Serves the requests of one connection, one after the other, on the connection's thread.
struct ConnectionLoop {
    /// What becomes of the connection after a request.
    private enum Fate {
        case keep
        case close
        /// The peer may still be sending.
        case linger
        case reset
    }

    /// Why no more can be read or written.
    private enum Broken: Error {
        case clientGone
        case fault(RequestFault)
    }

    private let number: Int
    private let socket: Socket
    private let service: ServerService
    private let pipe: WakePipe
    private var parser: RequestParser
    private var input = [UInt8](repeating: 0, count: 64 << 10)

    init(number: Int, socket: Socket, service: ServerService, pipe: WakePipe) {
        self.number = number
        self.socket = socket
        self.service = service
        self.pipe = pipe
        parser = RequestParser(headLimit: service.options.headLimit)
    }

    /// Returns once the connection is over; closing it is left to the caller.
    mutating func run() {
        while true {
            switch serveNext() {
            case .keep: continue
            case .close: return
            case .linger: return socket.linger()
            case .reset: return socket.resetOnClose()
            }
        }
    }

    private mutating func serveNext() -> Fate {
        do throws(Broken) {
            guard case .head(let head)? = try nextEvent(upTo: input.count) else { return .close }
            return try serve(head)
        } catch {
            return refuse(error)
        }
    }

    /// Tells the client what is wrong with what it sent.
    private func refuse(_ broken: Broken) -> Fate {
        guard case .fault(let fault) = broken else { return .close }
        let request = RequestHead(method: .get, target: "", fields: [:], framing: .none, isHTTP10: false)
        let response = MockResponse.text(fault.reason, status: fault.status)
        let head = ResponseHead(response, to: request, closing: true)
        _ = socket.write(head.bytes + Data(fault.reason.utf8))
        return .linger
    }

    private mutating func serve(_ head: RequestHead) throws(Broken) -> Fate {
        var request = MockRequest(
            method: head.method, target: head.target, fields: head.fields, connection: number)
        let found = service.table.find(request)
        request.parameters = found?.parameters ?? [:]
        let reading = found?.route.bodyReading ?? .whole
        let record = service.recorder.add(request)
        if reading != .early {
            try receiveContent(of: &request, head, reading, record)
        }
        let fate = try answer(request, head, found?.route)
        guard reading == .early else { return fate }
        guard fate == .keep, !head.expectsContinue else {
            request.arrival = head.framing == .none ? .complete : .aborted
            service.recorder.finish(record, as: request)
            return fate == .keep || fate == .close ? .linger : fate
        }
        try receiveContent(of: &request, head, reading, record)
        return .keep
    }
}

// The request's content.
extension ConnectionLoop {
    private mutating func receiveContent(
        of request: inout MockRequest, _ head: RequestHead, _ reading: BodyReading, _ record: Int
    ) throws(Broken) {
        do throws(Broken) {
            if head.expectsContinue { try write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
            try readContent(of: &request, reading, record)
            request.arrival = .complete
            service.recorder.finish(record, as: request)
        } catch {
            request.arrival = .aborted
            service.recorder.finish(record, as: request)
            throw error
        }
    }

    private mutating func readContent(
        of request: inout MockRequest, _ reading: BodyReading, _ record: Int
    ) throws(Broken) {
        var piece = input.count
        var pause = Duration.zero
        if case .paced(let bytesPerSecond) = reading {
            piece = min(input.count, max(1, bytesPerSecond / 10))
            pause = .seconds(1) * piece / bytesPerSecond
        }
        while let event = try nextEvent(upTo: piece) {
            switch event {
            case .content(let content):
                request.bodyByteCount += Int64(content.count)
                request.body.append(content.prefix(max(0, service.options.bodyLimit - request.body.count)))
                service.recorder.progress(record, to: request.bodyByteCount)
                if pause > .zero { try wait(pause) }
            case .end(let trailers):
                request.trailers = trailers
                return
            case .head:
                return
            }
        }
        throw .clientGone
    }

    /// The next event; nil when the client ended the connection between two requests, or inside one.
    private mutating func nextEvent(upTo count: Int) throws(Broken) -> RequestParser.Event? {
        while true {
            do {
                if let event = try parser.next() { return event }
            } catch {
                throw .fault(error)
            }
            let read = input.withUnsafeMutableBytes { [socket] buffer in
                socket.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            }
            guard read > 0 else { return nil }
            parser.feed(input[..<read])
        }
    }
}

// The answer.
extension ConnectionLoop {
    private func answer(_ request: MockRequest, _ head: RequestHead, _ route: Route?) throws(Broken) -> Fate {
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
        case .script(let script): return script.next()
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

    private func writeMessage(_ response: MockResponse, _ request: RequestHead) throws(Broken) -> Fate {
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
        case nil: closing ? .close : .keep
        }
    }

    private func wait(_ duration: Duration) throws(Broken) {
        let handoff = Handoff<Void>(waking: pipe)
        let clock = service.options.clock
        handoff.start { _ in try await clock.sleep(for: duration) }
        guard case .end = handoff.take(watching: socket) else { throw .clientGone }
    }

    private func write(_ data: Data) throws(Broken) {
        guard socket.write(data) else { throw .clientGone }
    }
}
