import GodwitCore
import GodwitSupport
import Synchronization

/// Subscriptions over a WebSocket: graphql-transport-ws, or the older graphql-ws.
final class SocketConnection: SubscriptionConnection {
    private let socket: WebSocket
    private let dialect: SocketDialect
    private let options: GraphQLSubscriptionOptions
    private let timeline: Timeline
    /// Counts what the server sends.
    private let activity = Atomic<UInt64>(0)
    /// Whether the next message is awaited. While a slow loop is waited for, an answer to a ping isn't read.
    private let isReading = Atomic(false)
    /// Set if this side closed the connection because of it.
    private let fault = Mutex<NetworkError?>(nil)
    private let pinger = Mutex<Task<Void, Never>?>(nil)

    /// Opens a socket and waits until the server accepts it, for up to ``GraphQLSubscriptionOptions/connectTimeout``.
    static func open(
        _ api: APIClient, _ path: EndpointPath, _ dialect: SocketDialect, _ options: GraphQLSubscriptionOptions
    ) async throws(NetworkError) -> SocketConnection {
        let opening = Task {
            await Result.catching { () async throws(NetworkError) in try await accepted(api, path, dialect, options) }
        }
        let timeline = Timeline(api.configuration.clock)
        let timer = Task {
            guard (try? await timeline.sleep(for: options.connectTimeout)) != nil else { return false }
            opening.cancel()
            return true
        }
        let result = await withTaskCancellationHandler {
            await opening.value
        } onCancel: {
            opening.cancel()
        }
        timer.cancel()
        if case .failure = result, await timer.value { throw NetworkError(.timedOut(.connect), phase: .connecting) }
        return try result.get()
    }

    private static func accepted(
        _ api: APIClient, _ path: EndpointPath, _ dialect: SocketDialect, _ options: GraphQLSubscriptionOptions
    ) async throws(NetworkError) -> SocketConnection {
        let socket = try await api.webSocket(path, subprotocols: [dialect.name], configure: options.configureSocket)
        let connection = SocketConnection(socket, dialect, options, Timeline(api.configuration.clock))
        do throws(NetworkError) {
            try await connection.initialize()
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private init(
        _ socket: WebSocket, _ dialect: SocketDialect, _ options: GraphQLSubscriptionOptions, _ timeline: Timeline
    ) {
        self.socket = socket
        self.dialect = dialect
        self.options = options
        self.timeline = timeline
    }

    deinit {
        pinger.withLock { $0?.cancel() }
    }

    // MARK: The start

    private func initialize() async throws(NetworkError) {
        guard socket.subprotocol == dialect.name else {
            let reason = "the server doesn't speak the subprotocol \(dialect.name)"
            throw NetworkError(.invalidResponse(reason: reason), phase: .validating, response: socket.head)
        }
        try await send(try dialect.initialization(try await payload()))
        do throws(NetworkError) {
            while try await !isAcknowledged() {}
        } catch {
            throw error.forInitialization
        }
        startPings()
    }

    private func payload() async throws(NetworkError) -> JSONValue? {
        do {
            return try await options.connectionPayload()
        } catch let error as NetworkError {
            throw error
        } catch {
            let kind: NetworkError.Kind =
                error is CancellationError ? .cancelled : .transport(.other("\(type(of: error)) was thrown"))
            throw NetworkError(kind, phase: .middleware, underlying: error)
        }
    }

    private func isAcknowledged() async throws(NetworkError) -> Bool {
        switch try await read() {
        case .acknowledged: return true
        case .refused(let reason):
            throw NetworkError(.forbidden, phase: .connecting, underlying: GraphQLFailure(message: reason))
        case .alive: return false
        case .ping(let payload):
            try await pong(payload)
            return false
        case .message: throw await violation("a result before connection_ack")
        case .invalid(let reason): throw await violation(reason)
        }
    }

    // MARK: SubscriptionConnection

    func subscribe(_ id: String, _ operation: JSONMembers) async throws(NetworkError) -> SubscriptionMessage? {
        try await send(dialect.subscribe(id, operation))
        return nil
    }

    func unsubscribe(_ id: String) async throws(NetworkError) {
        try await send(dialect.unsubscribe(id))
    }

    func receive() async throws(NetworkError) -> SubscriptionMessage {
        while true {
            switch try await read() {
            case .message(let message): return message
            case .ping(let payload): try await pong(payload)
            // Some servers acknowledge again after a token was renewed.
            case .alive, .acknowledged: continue
            case .refused(let reason):
                throw NetworkError(.forbidden, phase: .receiving, underlying: GraphQLFailure(message: reason))
            case .invalid(let reason): throw await violation(reason)
            }
        }
    }

    func close() async {
        pinger.withLock { $0.take() }?.cancel()
        await close(.normalClosure)
    }

    // MARK: Messages

    private func read() async throws(NetworkError) -> SocketDialect.Incoming {
        isReading.store(true, ordering: .relaxed)
        defer { isReading.store(false, ordering: .relaxed) }
        do throws(NetworkError) {
            let message = try await socket.receive()
            activity.wrappingAdd(1, ordering: .relaxed)
            return dialect.read(message)
        } catch {
            throw fault.withLock(\.self) ?? error.forSubscriptions
        }
    }

    private func send(_ text: String) async throws(NetworkError) {
        do throws(NetworkError) {
            try await socket.send(text)
        } catch {
            throw fault.withLock(\.self) ?? error.forSubscriptions
        }
    }

    /// Answers in the reader's task: a server that doesn't read its pongs isn't read either.
    private func pong(_ payload: Data?) async throws(NetworkError) {
        try await send(SocketDialect.message("pong", payload: payload.map(Array.init)))
    }

    private func violation(_ reason: String) async -> NetworkError {
        let error = NetworkError.violation(reason)
        await fail(error, .graphQLBadRequest)
        return error
    }

    /// Closes the connection; readers get this error.
    private func fail(_ error: NetworkError, _ code: WebSocketCloseCode) async {
        fault.withLock { if $0 == nil { $0 = error } }
        await close(code)
    }

    private func close(_ code: WebSocketCloseCode) async {
        await socket.close(code)
    }

    // MARK: Pings

    private func startPings() {
        guard dialect == .transport, let interval = options.pingInterval else { return }
        let task = Task { [weak self, timeline, options] in
            while (try? await timeline.sleep(for: interval)) != nil {
                guard let last = await self?.ping() else { return }
                guard (try? await timeline.sleep(for: options.pingTimeout)) != nil else { return }
                guard await self?.isAlive(since: last) == true else { return }
            }
        }
        pinger.withLock { $0 = task }
    }

    /// Sends a ping; `nil` if the connection has ended.
    private func ping() async -> UInt64? {
        let last = activity.load(ordering: .relaxed)
        return (try? await send(SocketDialect.message("ping"))) == nil ? nil : last
    }

    private func isAlive(since last: UInt64) async -> Bool {
        if activity.load(ordering: .relaxed) != last || !isReading.load(ordering: .relaxed) { return true }
        await fail(NetworkError(.timedOut(.inactivity), phase: .receiving), .goingAway)
        return false
    }
}

extension GraphQLFailure {
    /// A failure in the server's words.
    init(message: String) {
        self.init(errors: [GraphQLError(message: message)], data: nil)
    }
}
