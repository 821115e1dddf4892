#if os(Linux)
public import GodwitCore
import GodwitTLS
import Synchronization

/// Sends requests over sockets: the transport on Linux.
///
/// HTTP/1.1 is Godwit's own, HTTP/2 nghttp2's, TLS OpenSSL's. One thread per event loop serves any number of exchanges.
/// Connections are kept for later requests, and HTTP/2 connections are shared by concurrent ones. Make one transport and use it
/// everywhere.
///
/// ```swift
/// let transport = try SocketTransport { $0.maximumConnectionsPerHost = 8 }
/// let response = try await transport.send(HTTPRequest(url: url))
/// await transport.shutdown(.finishing)
/// ```
///
/// A transport that is released finishes its exchanges and then ends its threads.
///
/// Any number of tasks may send concurrently. A CONNECT request throws `.unsupported`, and a HEAD request with a body
/// `.invalidRequest`; nothing is sent then.
public final class SocketTransport: HTTPTransport {
    private let loops: [EventLoop]
    private let nextLoop = Atomic(0)
    private let pathWatch: PathWatcher?
    private let connectionsPerHost: Int
    private let connectionsKept: Int
    private let offline: OfflineCheck
    private let hostFields: [String: String]
    private let protocols: ProtocolPreference
    private let proxies: ProxyRules
    private let proxySecrets: [String]
    /// Hosts and ports, as in URLs, whose connections go to other machines.
    private let redirected: Set<String>

    /// The engine's name and its protocols, such as `Godwit sockets (HTTP/2, HTTP/1.1)`.
    public let engineDescription: String

    /// Creates a transport and starts its event loops.
    ///
    /// - Parameter configure: Changes the defaults of ``SocketConfiguration``; called once, before this returns.
    /// - Throws: `.transport` if the system has no thread or descriptor left, `.invalidRequest` for an invalid configuration,
    ///   and `.insecure(.configuration)` if a file of ``SocketConfiguration/tls`` can't be read.
    public init(_ configure: (inout SocketConfiguration) -> Void = { _ in }) throws(NetworkError) {
        TLSLibrary.prepare()
        var configuration = SocketConfiguration()
        configure(&configuration)
        configuration.normalizeHosts()
        if let fault = configuration.fault {
            throw NetworkError(.invalidRequest(reason: fault), phase: .building)
        }
        hostFields = configuration.hostFields
        let proxies = ProxyRules(configuration.proxy)
        self.proxies = proxies
        proxySecrets = proxies.secrets
        redirected = configuration.redirectedHosts
        let rules = try LoadedRules.load(configuration.tls, additional: configuration.additionalAuthorities)
        let pathWatch = configuration.connections.closesOnPathChange ? PathWatcher(configuration.pathMonitor) : nil
        let settings = LoopSettings(configuration, proxies, rules)
        var loops: [EventLoop] = []
        do throws(NetworkError) {
            for _ in 0..<configuration.eventLoops {
                loops.append(try EventLoop(settings, onFirstKept: pathWatch.map { $0.start }))
            }
        } catch {
            // A loop's thread keeps it alive until its shutdown.
            for loop in loops { loop.inbox.post(.shutDown(.finishing, done: nil)) }
            throw error
        }
        self.loops = loops
        self.pathWatch = pathWatch
        connectionsPerHost = configuration.connectionsPerHost
        connectionsKept = configuration.connectionsKept
        offline = OfflineCheck(configuration)
        protocols = configuration.protocols
        engineDescription = "Godwit sockets (\(configuration.protocols.names.joined(separator: ", ")))"
        pathWatch?.onChange { [loops] in for loop in loops { loop.inbox.post(.pathChanged) } }
    }

    deinit {
        pathWatch?.stop()
        for loop in loops { loop.inbox.post(.shutDown(.finishing, done: nil)) }
    }

    /// Runs tasks on the first event loop's thread, so that exchanges need no thread switch:
    ///
    /// ```swift
    /// let transport = try SocketTransport()
    /// try await withTaskExecutorPreference(transport.taskExecutor) { try await transport.send(request) }
    /// ```
    ///
    /// Don't run long computations or blocking work there: they hold up every exchange. With several event loops, only
    /// exchanges of the first one benefit.
    public var taskExecutor: any TaskExecutor { loops[0] }

    /// Sends a request over a kept or new connection, according to the contract of `HTTPTransport`.
    ///
    /// Several event loops get exchanges in turn.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if let fault = fault(in: request) {
            throw NetworkError(fault, phase: .building, request: request)
        }
        let exchange = Exchange(noting(request).askingForUpgrade.offeringDictionary)
        await perform(exchange)
        do throws(NetworkError) {
            return try exchange.response()
        } catch {
            throw offline.explain(error, of: exchange)
        }
    }

    /// `Host`, `Accept-Encoding`, the fields about the body's length, as they are written over HTTP/1.1, and `Priority` where
    /// HTTP/2 may be used.
    public func addedFields(for request: HTTPRequest) -> HTTPFields {
        var added = request.framingFields
        if let host = hostFields["\(request.url.host):\(request.url.port)"] { added[.host] = host }
        if request.method != .head, !request.fields.contains(.range) {
            let offer = request.dictionaryFields(codings: ContentDecoder.codingsWithDictionary)
            for field in offer { added.append(field) }
            if offer.isEmpty { added.append(ContentDecoder.codings, for: .acceptEncoding) }
        }
        guard let upgrade = request.options.upgrade else {
            if protocols.mayShare(request.url.scheme), let priority = request.priorityField {
                added[.priority] = priority
            }
            return added
        }
        added.append("Upgrade", for: .connection)
        added.append(upgrade.name, for: .upgrade)
        return added
    }

    /// Whether an explicit proxy, ``SocketConfiguration/connectionTargets`` or ``SocketConfiguration/addressOverrides`` apply to
    /// a loopback origin.
    public func forwardsLoopback(_ origin: Origin) -> Bool {
        proxies.proxy(for: origin) != nil || redirected.contains("\(origin.host):\(origin.port)")
    }

    /// The request that knows what its proxy is sent, and can repeat.
    private func noting(_ request: HTTPRequest) -> HTTPRequest {
        guard !proxySecrets.isEmpty else { return request }
        var request = request
        for secret in proxySecrets { request.note(.value(secret)) }
        return request
    }

    private func perform(_ exchange: Exchange) async {
        let loop = loops.count == 1 ? loops[0] : loops[nextLoop.add(1, ordering: .relaxed).oldValue % loops.count]
        await loop.inbox.perform(exchange, by: .start(exchange), unless: loop.runAlone)
    }

    /// Opens connections and keeps them, so that later requests need not wait for TCP and TLS. No request is sent on them.
    ///
    /// To a server with HTTP/2, only one connection for each event loop is opened. At most as many are opened as are kept
    /// (``SocketConfiguration/maximumIdleConnections``, up to 4,096), and none after the task is canceled.
    public func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {
        let limit = min(connections, connectionsKept, connectionsPerHost)
        let first = min(limit, loops.count)
        let isShared = try await open(first, to: url)
        if !isShared { _ = try await open(limit - first, to: url) }
    }

    /// Opens connections concurrently. Returns whether they can be shared.
    private func open(_ count: Int, to url: HTTPURL) async throws(NetworkError) -> Bool {
        guard count > 0 else { return false }
        let outcomes = await withTaskGroup(of: Result<Bool, NetworkError>.self) { group in
            for _ in 0..<count where !group.isCancelled {
                group.addTask { [self] in
                    let exchange = Exchange(HTTPRequest(url: url), isWarmUp: true)
                    await perform(exchange)
                    if let failure = exchange.failure { return .failure(offline.explain(failure, of: exchange)) }
                    return .success(exchange.isShared)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var isShared = false
        for outcome in outcomes where try outcome.get() { isShared = true }
        return isShared
    }

    /// The most processor time that an event loop used between two waits for events, if
    /// ``SocketConfiguration/measuresTurns`` is set.
    package var longestTurn: Duration {
        loops.compactMap { $0.meter?.longest }.max() ?? .zero
    }

    /// How often the event loops waited for events, if ``SocketConfiguration/measuresTurns`` is set.
    package var turnCount: Int {
        loops.compactMap { $0.meter?.count }.reduce(0, +)
    }

    /// The connections of all event loops. `nil` after the shutdown.
    public func connectionCounts() async -> ConnectionCounts? {
        var sum: ConnectionCounts?
        for loop in loops {
            sum = .sum(sum, await loop.inbox.connectionCounts())
        }
        return sum
    }

    /// Returns once every event loop has ended its exchanges as the mode says; later sends throw `.shutdown`.
    ///
    /// - Parameter mode: Whether exchanges under way are finished or cancelled.
    public func shutdown(_ mode: ShutdownMode) async {
        pathWatch?.stop()
        // All start to end together, so that none takes an exchange while another finishes.
        for loop in loops { loop.inbox.post(.shutDown(mode, done: nil)) }
        for loop in loops { await loop.inbox.shutDown(mode) }
    }

    /// Why a request can't be sent, or `nil`.
    package func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        if let fault = request.fieldFault ?? request.upgradeFault ?? Places.zoneFault(in: request.url) {
            return fault
        }
        return switch request.method {
        case .connect: .unsupported(feature: "CONNECT as a request", on: "SocketTransport")
        case .head where request.body != nil: .invalidRequest(reason: "a HEAD request can't have a body")
        default: nil
        }
    }
}

extension HTTPRequest {
    /// The request as it is sent, with the fields of this attempt.
    fileprivate var askingForUpgrade: HTTPRequest {
        guard let upgrade = options.upgrade else { return self }
        var request = self
        // The result is a connection, or a short refusal.
        request.delivery = .buffered
        for field in upgrade.fields() { request.fields.append(field) }
        return request
    }

    /// Why a request can't ask for an upgrade, or `nil`.
    fileprivate var upgradeFault: NetworkError.Kind? {
        guard let upgrade = options.upgrade else { return nil }
        guard method == .get, body == nil else {
            return .invalidRequest(reason: "an upgrade needs a GET request without a body")
        }
        guard Token.isValid(upgrade.name) else {
            return .invalidRequest(reason: "\"\(upgrade.name)\" is not the name of a protocol")
        }
        return nil
    }
}

/// Tells an unreachable host from a machine without a network. The system reports the same for both: a name without an address,
/// or a connection that can't be made.
package struct OfflineCheck: Sendable {
    private let monitor: @Sendable () -> any PathMonitor
    /// Whether connections go to a socket on this machine, whatever the URL says.
    private let isLocal: Bool

    package init(_ configuration: SocketConfiguration) {
        monitor = configuration.pathMonitor
        isLocal = configuration.unixSocketPath != nil
    }

    /// Returns `.offline(.noPath)` if a missing network explains the error, otherwise the error itself.
    ///
    /// The network path alone does not explain it: a name may refer to this machine, and a firewall may drop packets that have
    /// a route. The path is read last, since reading starts its monitor.
    package func explain(_ error: NetworkError, of exchange: Exchange) -> NetworkError {
        guard !isLocal, !exchange.request.url.origin.isLoopback else { return error }
        switch error.kind {
        case .transport(.cannotResolveHost), .transport(.cannotResolveProxy): break
        case .transport(.cannotConnect) where exchange.lackedRoute: break
        default: return error
        }
        guard monitor().current.status == .unsatisfied else { return error }
        var offline = error
        offline.kind = .offline(.noPath)
        offline.underlying = offline.underlying ?? error
        return offline
    }
}
#endif
