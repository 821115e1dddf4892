import GodwitCore

/// Serves the requests of one connection, one after the other, on the connection's thread.
struct ConnectionLoop {
    /// What becomes of the connection after a request.
    enum Fate {
        case keep
        case close
        /// Over TLS without `close_notify`.
        case cut
        /// The peer may still be sending.
        case linger
        case reset
    }

    /// Why no more can be read or written.
    enum Broken: Error {
        case clientGone
        case fault(RequestFault)
    }

    let number: Int
    let socket: any ServerStream
    let service: ServerService
    let pipe: WakePipe
    var parser: RequestParser
    var input = [UInt8](repeating: 0, count: 64 << 10)

    init(number: Int, socket: any ServerStream, service: ServerService, pipe: WakePipe) {
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
            case .close: return socket.finish()
            case .cut: return
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
            method: head.method, target: head.target, fields: head.fields, connection: number, tls: socket.tls)
        let route = service.table.take(&request)
        let reading = route?.bodyReading ?? .whole
        let record = service.recorder.add(request)
        if reading != .early {
            try receiveContent(of: &request, head, reading, record)
        }
        let fate = try answer(request, head, route)
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
