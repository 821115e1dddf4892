import GodwitCore

// How the content of a request comes in.
extension ConnectionLoop {
    /// Reads the content and keeps the record of it up to date.
    mutating func receiveContent(
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
        var pace: Int?
        if case .paced(let bytesPerSecond) = reading { pace = bytesPerSecond }
        let piece = min(input.count, max(1, (pace ?? .max) / 10))
        while let event = try nextEvent(upTo: piece) {
            switch event {
            case .content(let content):
                request.bodyByteCount += Int64(content.count)
                request.body.append(content.prefix(max(0, service.options.bodyLimit - request.body.count)))
                service.recorder.progress(record, to: request.bodyByteCount)
                if let pace { try wait(.seconds(1) * content.count / pace) }
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
    mutating func nextEvent(upTo count: Int) throws(Broken) -> RequestParser.Event? {
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

// How a connection leaves HTTP.
extension ConnectionLoop {
    /// Answers a handshake, and lets the route's closure talk until the connection is over.
    mutating func converse(
        _ route: WebSocketRoute, _ request: MockRequest, _ head: RequestHead
    ) throws(Broken) -> Fate {
        let answer: WebSocketHandshake.Answer
        do throws(WebSocketFault) {
            answer = try route.answer(to: request)
        } catch {
            return try writeMessage(.text(error.reason + "\n", status: .badRequest), head)
        }
        guard let writerPipe = WakePipe() else { return .close }
        try write(ResponseHead.switching(answer.fields))
        return talk(route, request, answer, SocketDuplex(socket, pipe, writerPipe))
    }

    private mutating func talk(
        _ route: WebSocketRoute, _ request: MockRequest, _ answer: WebSocketHandshake.Answer, _ duplex: SocketDuplex
    ) -> Fate {
        let mock = route.socket(request, answer, over: duplex, clock: service.options.clock)
        let writer = SystemThread { duplex.runWriter() }
        let talk = Task { await route.talk(mock) }
        duplex.runReader(after: parser.takeRest())
        talk.cancel()
        writer?.join()
        return mock.isReset.value ? .reset : .close
    }
}
