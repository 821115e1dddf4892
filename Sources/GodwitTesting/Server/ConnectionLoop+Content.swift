import GodwitCore
import GodwitSupport

extension ConnectionLoop {
    /// Reads the body and updates the recorded request.
    mutating func receiveContent(
        of request: inout MockRequest, _ head: HTTP1RequestHead, _ reading: BodyReading, _ record: Int
    ) throws(Failure) {
        do throws(Failure) {
            for head in request.intake?.interim ?? [] { try write(ResponseHead.head(head.status, head.fields)) }
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
    ) throws(Failure) {
        var rate: Int?
        if case .paced(let bytesPerSecond) = reading { rate = bytesPerSecond }
        let piece = min(input.count, max(1, (rate ?? .max) / 10))
        while let event = try nextEvent(upTo: piece) {
            switch event {
            case .content(let content):
                request.bodyByteCount += Int64(content.count)
                try keep(content, in: &request)
                service.recorder.progress(record, to: request.bodyByteCount)
                if let rate { try wait(.seconds(1) * content.count / rate) }
            case .end(let trailers):
                request.trailers = trailers
                return
            case .head:
                return
            }
        }
        throw .clientGone
    }

    private func keep(_ content: Data, in request: inout MockRequest) throws(Failure) {
        guard let intake = request.intake else {
            request.body.append(content.prefix(max(0, service.options.bodyLimit - request.body.count)))
            return
        }
        if let ending = intake.receive(content) { throw .ended(ending) }
    }

    /// Reads the next event; `nil` if the client ended the connection.
    mutating func nextEvent(upTo count: Int) throws(Failure) -> RequestParser.Event? {
        while true {
            do {
                if let event = try parser.next(upTo: count) { return event }
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

// WebSockets.
extension ConnectionLoop {
    /// Answers a handshake, and runs the route's handler until the connection ends.
    mutating func upgrade(
        _ route: WebSocketRoute, _ request: MockRequest, _ head: HTTP1RequestHead
    ) throws(Failure) -> NextStep {
        let answer: WebSocketHandshake.Answer
        do throws(WebSocketFault) {
            answer = try route.answer(to: request)
        } catch {
            return try writeMessage(.text(error.reason + "\n", status: .badRequest), head)
        }
        guard let writerPipe = WakePipe() else { return .close }
        try write(ResponseHead.head(.switchingProtocols, answer.fields))
        let duplex = SocketDuplex(socket, pipe, writerPipe)
        let mock = route.socket(request, answer, over: duplex, clock: service.options.clock)
        let writer = SystemThread { duplex.runWriter() }
        let handler = Task { await route.run(mock) }
        duplex.runReader(after: parser.takeRest())
        handler.cancel()
        writer?.join()
        return mock.isReset.value ? .reset : .close
    }
}
