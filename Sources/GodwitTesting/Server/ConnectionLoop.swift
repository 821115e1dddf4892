import GodwitCore

/// Serves the requests of a connection in sequence on its thread.
struct ConnectionLoop {
    /// What to do with the connection after a request.
    enum NextStep {
        case keep
        case close
        /// Close without `close_notify`.
        case truncate
        /// Close, but first discard what the peer still sends.
        case linger
        case reset
    }

    /// Why reading or writing failed.
    enum Failure: Error {
        case clientGone
        case fault(RequestFault)
        /// What takes the body ends the connection.
        case ended(MockResponse.Ending)
    }

    let number: Int
    let socket: any ServerStream
    let service: ServerService
    let pipe: WakePipe
    var parser: RequestParser
    /// The request that is being answered, on the inspector page.
    var shown: ServedCall?
    var input = [UInt8](repeating: 0, count: 64 << 10)

    init(number: Int, socket: any ServerStream, service: ServerService, pipe: WakePipe) {
        self.number = number
        self.socket = socket
        self.service = service
        self.pipe = pipe
        parser = RequestParser(headLimit: service.options.headLimit)
    }

    /// Returns at the end of the connection. The caller closes it.
    mutating func run() {
        while true {
            switch serveNext() {
            case .keep: continue
            case .close: return socket.finish()
            case .truncate: return
            case .linger: return socket.linger()
            case .reset: return socket.resetOnClose()
            }
        }
    }

    private mutating func serveNext() -> NextStep {
        do throws(Failure) {
            guard case .head(let head)? = try nextEvent(upTo: input.count) else { return .close }
            return try serve(head)
        } catch {
            return refuse(error)
        }
    }

    /// Sends the reason of a fault to the client.
    private func refuse(_ failure: Failure) -> NextStep {
        if case .ended(.reset) = failure { return .reset }
        guard case .fault(let fault) = failure else { return .close }
        let request = HTTP1RequestHead(method: .get, target: "", fields: [:], framing: .none)
        let response = MockResponse.text(fault.reason, status: fault.status)
        let head = ResponseHead(response, to: request, closing: true)
        _ = socket.write(head.bytes + Data(fault.reason.utf8))
        return .linger
    }

    private mutating func serve(_ head: HTTP1RequestHead) throws(Failure) -> NextStep {
        var request = MockRequest(
            method: head.method, target: head.target, fields: head.fields, connection: number, tls: socket.tls,
            version: head.isHTTP10 ? .http1_0 : .http1_1)
        let route = service.routes.table.take(&request)
        let reading = route?.bodyReading ?? .whole
        let record = service.recorder.add(request)
        if reading != .early {
            try receiveContent(of: &request, head, reading, record)
        }
        let next = try answer(request, head, route)
        guard reading == .early else { return next }
        guard next == .keep, !head.expectsContinue else {
            request.arrival = head.framing == .none ? .complete : .aborted
            service.recorder.finish(record, as: request)
            return next == .keep || next == .close ? .linger : next
        }
        try receiveContent(of: &request, head, reading, record)
        return .keep
    }
}
