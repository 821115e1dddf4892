import GodwitCore
import GodwitSupport

/// A server on 127.0.0.1 that runs a script for each connection, on a thread of its own.
final class BadServer: Sendable {
    typealias Script = @Sendable (ServerConnection) -> Void

    struct State: Sendable {
        /// The methods and paths of all request heads, in order: `GET /first`.
        var requests: [String] = []
        var accepted = 0
        /// The connections whose scripts run. A script that waits for its client ends when the client closes.
        var open: [Int: Socket] = [:]
        var isStopping = false
        var isStopped = false
    }

    let url: HTTPURL
    let state = Watched(State())
    private let listener: Listener
    private let pipe: WakePipe

    /// Starts a server. Call ``stop()``, or its thread stays.
    ///
    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - script: What happens on each connection. It is closed afterwards.
    init(port: UInt16 = 0, _ script: @escaping Script) throws(NetworkError) {
        var options = MockServer.Options()
        options.address = .ipv4(port: port)
        listener = try Listener(options)
        url = listener.url
        guard let pipe = WakePipe() else { throw Self.exhausted }
        self.pipe = pipe
        guard let thread = SystemThread({ [self] in run(script) }) else { throw Self.exhausted }
        thread.detach()
    }

    /// Ends all connections, and returns once their threads have ended. The port is free then.
    func stop() async {
        state.update { $0.isStopping = true }
        pipe.wake()
        // Of its own, as the caller's task may be canceled.
        await Task { [state] in try? await state.wait { $0.isStopped } }.value
    }

    private func run(_ script: @escaping Script) {
        var threads: [SystemThread] = []
        while !state.value.isStopping {
            guard let descriptor = listener.accept(orWake: pipe) else { continue }
            if let thread = start(script, Socket(descriptor)) { threads.append(thread) }
        }
        listener.close()
        for socket in state.value.open.values { socket.interrupt() }
        for thread in threads { thread.join() }
        state.update { $0.isStopped = true }
    }

    private func start(_ script: @escaping Script, _ socket: Socket) -> SystemThread? {
        let number = state.update { state in
            state.accepted += 1
            state.open[state.accepted] = socket
            return state.accepted
        }
        let thread = SystemThread { [state] in
            script(ServerConnection(number, socket, state))
            Self.finish(number, socket, state)
        }
        if thread == nil { Self.finish(number, socket, state) }
        return thread
    }

    private static func finish(_ number: Int, _ socket: Socket, _ state: Watched<State>) {
        socket.close()
        state.update { $0.open[number] = nil }
    }

    private static var exhausted: NetworkError {
        NetworkError(.transport(.other("no thread or descriptor is left for a server")), phase: .connecting)
    }
}
