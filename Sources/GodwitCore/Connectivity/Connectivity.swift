import GodwitSupport

/// Keeps requests off networks that they must not use, and fails or waits without another one.
///
/// ```swift
/// Connectivity(.wait(upTo: .seconds(30)))
/// ```
///
/// Checks the path before each attempt. If the network disappears later, the attempt fails like any broken connection.
/// Requests to this machine (``Origin/isLoopback``) are always sent. With the default policy and networks, the monitor
/// isn't started.
public struct Connectivity: Middleware {
    private let policy: ConnectivityPolicy
    private let monitor: @Sendable () -> any PathMonitor
    private let clock: any Clock<Duration>

    /// Creates a middleware that checks the network before each request.
    ///
    /// - Parameters:
    ///   - policy: For requests without a ``RequestOptions/connectivity``. `.attempt` by default.
    ///   - monitor: Provides the path. Evaluated when a request needs it.
    ///   - clock: Measures the waits.
    public init(
        _ policy: ConnectivityPolicy = .attempt,
        monitor: @escaping @Sendable @autoclosure () -> any PathMonitor = SystemPathMonitor.shared,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.policy = policy
        self.monitor = monitor
        self.clock = clock
    }

    /// Whether the call needs a check: it has a policy or restricted networks, and isn't for this machine.
    public func handles(_ call: Call) -> Bool {
        let asks = policy(for: call.request) != .attempt || call.request.options.allowedNetworks != .all
        return asks && !call.request.url.origin.isLoopback
    }

    /// Passes the call on when there is a network that it can use.
    ///
    /// - Throws: `.offline` if there is none, `.cancelled` if the task is canceled while waiting, and the errors of the
    ///   chain.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let policy = policy(for: call.request)
        let monitor = monitor()
        if let reason = monitor.current.refusal(of: call.request.options.allowedNetworks) {
            try await resolve(reason, policy, call, monitor)
        }
        return try await next(call)
    }

    private func policy(for request: HTTPRequest) -> ConnectivityPolicy {
        request.options.connectivity ?? policy
    }

    private func resolve(
        _ reason: NetworkError.OfflineReason, _ policy: ConnectivityPolicy, _ call: Call, _ monitor: any PathMonitor
    ) async throws(NetworkError) {
        switch policy {
        case .attempt where reason == .noPath: return
        case .attempt, .failFast: throw Self.error(.offline(reason), call)
        case .wait(let limit):
            call.request.options.onEvent?(.waitingForConnectivity)
            try await wait(atMost: limit, call, monitor)
        }
    }

    private enum Outcome {
        case usable, over
    }

    private func wait(
        atMost limit: Duration?, _ call: Call, _ monitor: any PathMonitor
    ) async throws(NetworkError) {
        let networks = call.request.options.allowedNetworks
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                for await path in monitor.paths where path.refusal(of: networks) == nil { return .usable }
                return .over
            }
            if let limit {
                group.addTask { [clock] in
                    try? await clock.sleep(for: limit.bounded)
                    return .over
                }
            }
            let first = await group.next() ?? .over
            group.cancelAll()
            return first
        }
        if Task.isCancelled { throw Self.error(.cancelled, call) }
        guard outcome == .over else { return }
        // A network may have appeared at the end of the wait.
        if let reason = monitor.current.refusal(of: networks) { throw Self.error(.offline(reason), call) }
    }

    private static func error(_ kind: NetworkError.Kind, _ call: Call) -> NetworkError {
        var error = NetworkError(kind, phase: .connecting, request: call.request)
        error.attempt = call.attempt
        return error
    }
}
