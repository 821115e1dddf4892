import GodwitCore

/// One check of a transport by a scenario.
struct Trial: Sendable {
    let scenario: BadNetworkScenario
    let transport: any HTTPTransport
    let limit: Duration

    /// How a call may end.
    enum Ending: Sendable {
        /// With an error that has one of these short descriptions.
        case failure([String])
        /// With this status and body.
        case response(Int, String)
        /// Both are correct.
        case either(Int, String, or: [String])

        static let lost = Ending.failure(["transport.connection_lost"])
        static let malformed = Ending.failure(["invalid_response", "transport.protocol_violation"])
        static let tooLarge = Ending.failure(["too_large", "invalid_response"])
        static let inactive = Ending.failure(["timed_out.inactivity"])
        static let late = Ending.failure(["timed_out.total"])
        static let cancelled = Ending.failure(["cancelled"])
    }

    /// Runs an operation while a server runs, which is stopped afterwards.
    func serve(
        _ script: @escaping BadServer.Script,
        _ operation: (BadServer) async throws(BadNetworkFailure) -> Void
    ) async throws(BadNetworkFailure) {
        let server = try start(script)
        do throws(BadNetworkFailure) {
            try await operation(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Starts a server that the scenario stops.
    func start(port: Int = 0, _ script: @escaping BadServer.Script) throws(BadNetworkFailure) -> BadServer {
        do throws(NetworkError) {
            return try BadServer(port: UInt16(clamping: port), script)
        } catch {
            throw failure("no server could be started: \(error)")
        }
    }

    /// Checks a buffered and then a streamed request.
    func forEachDelivery(
        _ check: (_ detail: String, Delivery) async throws(BadNetworkFailure) -> Void
    ) async throws(BadNetworkFailure) {
        try await check("buffered", .buffered)
        try await check("streamed", .streamed)
    }

    /// A port without a server, for as long as it is held.
    func unusedPort() throws(BadNetworkFailure) -> UnusedPort {
        do throws(NetworkError) {
            return try UnusedPort()
        } catch {
            throw failure("no port is free: \(error)")
        }
    }

    /// Sends a request and checks how the call ends.
    func expect(
        _ ending: Ending, of request: HTTPRequest, _ detail: String = ""
    ) async throws(BadNetworkFailure) {
        try check(await RunningCall(request, transport).end(in: self, detail), ending, detail)
    }

    /// Checks how a call ended.
    func check(_ end: RunningCall.End, _ ending: Ending, _ detail: String = "") throws(BadNetworkFailure) {
        // A body doesn't know its request when its reader's task is canceled.
        if case .failure(let error) = end, error.request == nil, error.kind != .cancelled {
            throw failure("the error has no request: \(error)", detail)
        }
        guard !end.matches(ending) else { return }
        throw failure("expected \(ending.description), but got \(end.description)", detail)
    }

    /// Checks that the client closes all connections on which the server still waits.
    func expectReleased(_ server: BadServer, _ detail: String = "") async throws(BadNetworkFailure) {
        guard await server.state.wait(within: limit, until: \.open.isEmpty) == .met else {
            let count = server.state.value.open.count
            throw failure("\(count) connection(s) were still open \(limit) after the call had ended", detail)
        }
    }

    /// Checks that the transport still sends an ordinary request.
    func checkUsable() async throws(BadNetworkFailure) {
        try await serve({ while $0.readRequest() != nil { $0.respond("ok") } }) {
            server async throws(BadNetworkFailure) in
            try await expect(.response(200, "ok"), of: HTTPRequest(url: server.url), "an ordinary request afterwards")
        }
    }

    func failure(_ reason: String, _ detail: String = "") -> BadNetworkFailure {
        BadNetworkFailure(
            scenario: scenario.name, reason: detail.isEmpty ? reason : "\(detail): \(reason)", server: scenario.server)
    }
}

extension Trial.Ending: CustomStringConvertible {
    var description: String {
        switch self {
        case .failure(let labels): labels.joined(separator: " or ")
        case .response(let status, let body): "status \(status) with \"\(body)\""
        case .either(let status, let body, let labels):
            "status \(status) with \"\(body)\", or \(labels.joined(separator: " or "))"
        }
    }
}
