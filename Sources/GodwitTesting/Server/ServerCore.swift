import GodwitCore
import GodwitSupport

/// The threads of a ``MockServer``: one accepts connections, and each connection has one.
///
/// The accepting thread owns the others. It starts and joins them, and at the end interrupts and joins all.
final class ServerCore: Sendable {
    struct Connections: Sendable {
        var open: [Int: Socket] = [:]
        /// The connections whose threads can be joined.
        var finished: [Int] = []
        var accepted = 0
        var isStopping = false
        var isStopped = false
    }

    let connections = Watched(Connections())
    private let listener: Listener
    private let service: ServerService
    private let pipe: WakePipe

    init(_ listener: Listener, _ service: ServerService, _ pipe: WakePipe) {
        self.listener = listener
        self.service = service
        self.pipe = pipe
    }

    /// Accepts connections until the server stops.
    func run() {
        var threads: [Int: SystemThread] = [:]
        while !connections.value.isStopping {
            if let descriptor = listener.accept(orWake: pipe) { serve(Socket(descriptor), &threads) }
            joinFinished(&threads)
        }
        listener.close()
        for socket in connections.value.open.values { socket.interrupt() }
        for thread in threads.values { thread.join() }
        connections.update { $0.isStopped = true }
    }

    /// Makes the accepting thread end all connections and itself.
    func beginStopping() {
        connections.update { $0.isStopping = true }
        pipe.wake()
    }

    private func serve(_ socket: Socket, _ threads: inout [Int: SystemThread]) {
        let number = connections.update { connections in
            connections.accepted += 1
            connections.open[connections.accepted] = socket
            return connections.accepted
        }
        let thread = SystemThread { [self] in
            runConnection(number, socket)
            pipe.wake()
        }
        threads[number] = thread
        if thread == nil { finish(number, socket) }
    }

    private func runConnection(_ number: Int, _ socket: Socket) {
        if let pipe = WakePipe(), let stream = service.accept(socket, pipe) {
            ServerProtocol.serve(stream, number, service, pipe)
        }
        finish(number, socket)
    }

    private func finish(_ number: Int, _ socket: Socket) {
        socket.close()
        connections.update { connections in
            connections.open[number] = nil
            connections.finished.append(number)
        }
    }

    private func joinFinished(_ threads: inout [Int: SystemThread]) {
        let finished = connections.update { connections in
            defer { connections.finished = [] }
            return connections.finished
        }
        for number in finished { threads.removeValue(forKey: number)?.join() }
    }
}

/// The state that the connections of a server share.
struct ServerService: Sendable {
    let routes: CurrentRoutes
    let options: MockServer.Options
    let recorder: RequestRecorder
    /// What shows requests and responses on a page; `nil` if nothing does.
    let inspection: ServerInspection?
    /// Performs TLS handshakes; `nil` over plain http.
    let acceptor: (any TLSAcceptor)?
    /// The reasons of failed handshakes; the last 100.
    let handshakes: Watched<[String]>

    /// Returns the stream of a connection; `nil` if the handshake failed. Blocks during the handshake.
    func accept(_ socket: Socket, _ pipe: WakePipe) -> (any ServerStream)? {
        guard let acceptor else { return socket }
        switch acceptor.accept(socket, pipe) {
        case .success(let stream): return stream
        case .failure(let failure):
            handshakes.update { $0 = $0.suffix(99) + [failure.reason] }
            return nil
        }
    }

    /// The response of a route that isn't a handler's; `nil` for a handler or a WebSocket.
    func response(to request: MockRequest, _ route: Route?) -> MockResponse? {
        switch route?.reply {
        case nil: .text(routes.table.unmatched(request) + "\n", status: .notFound)
        case .some(.none): .text("the route has no reply\n", status: .internalServerError)
        case .script(let script): script.next(for: request)
        case .handler, .webSocket: nil
        }
    }
}
