import GodwitCore

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
