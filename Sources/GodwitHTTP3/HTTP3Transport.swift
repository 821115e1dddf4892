#if os(Linux)
public import GodwitCore
import GodwitSockets
import GodwitTLS

/// Sends requests over HTTP/3 where servers have it, and over HTTP/2 or HTTP/1.1 otherwise.
///
/// QUIC is libcurl's (8.23 or later), everything else a `SocketTransport`'s. Make one transport and use it everywhere.
///
/// ```swift
/// let transport = try HTTP3Transport { $0.alternativeServices.expectHTTP3(at: url) }
/// let response = try await transport.send(HTTPRequest(url: url))
/// await transport.shutdown(.finishing)
/// ```
///
/// A transport that is released finishes its exchanges and then ends its threads. Any number of tasks may send concurrently.
public final class HTTP3Transport: HTTPTransport {
    private let sockets: SocketTransport
    /// `nil` if this process can't use HTTP/3.
    private let quic: QUICLoop?
    private let mode: HTTP3Configuration.Mode
    private let configuration: SocketConfiguration
    private let proxies: ProxyRules
    private let services: AlternativeServices
    private let origins = QUICOrigins()
    private let offline: OfflineCheck
    private let pathWatch: PathWatcher?

    /// The engines' names and their protocols, such as `Godwit sockets (HTTP/2, HTTP/1.1), libcurl 8.23.0 (HTTP/3)`.
    public let engineDescription: String

    /// Why this process can't use HTTP/3, in words; `nil` if it can.
    ///
    /// HTTP/3 needs libcurl 8.23 or later that was built with it, and one copy of OpenSSL for libcurl's QUIC and this library:
    /// otherwise authorities, pins and client certificates would not hold over QUIC.
    public static var fault: String? { CurlLibrary.fault.map { "\(CurlLibrary.name): \($0)" } }

    /// Creates a transport and starts its threads.
    ///
    /// - Parameter configure: Changes the defaults of ``HTTP3Configuration``; called once, before this returns.
    /// - Throws: `.transport` if the system has no thread or descriptor left, `.invalidRequest` for an invalid configuration,
    ///   `.insecure(.configuration)` if a file of the TLS rules can't be read, and `.unsupported` if only HTTP/3 is wanted and
    ///   this process can't use it (``fault``).
    public init(_ configure: (inout HTTP3Configuration) -> Void = { _ in }) throws(NetworkError) {
        var wanted = HTTP3Configuration()
        configure(&wanted)
        wanted.sockets.normalizeHosts()
        if let fault = wanted.fault { throw NetworkError(fault, phase: .building) }
        let configuration = wanted.sockets
        sockets = try SocketTransport { $0 = configuration }
        self.configuration = configuration
        mode = wanted.mode
        services = wanted.alternativeServices
        proxies = ProxyRules(configuration.proxy)
        offline = OfflineCheck(configuration)
        let pathWatch = configuration.connections.closesOnPathChange ? PathWatcher(configuration.pathMonitor) : nil
        self.pathWatch = pathWatch
        guard CurlLibrary.fault == nil else {
            quic = nil
            engineDescription = sockets.engineDescription
            return
        }
        let rules = try LoadedRules.load(configuration.tls, additional: configuration.additionalAuthorities)
        let quic = try QUICLoop(
            QUICSettings(
                configuration: configuration, rules: rules, services: services, origins: origins,
                onConnected: { pathWatch?.start() }))
        self.quic = quic
        engineDescription = "\(sockets.engineDescription), \(CurlLibrary.name) (\(HTTPVersion.http3.rawValue))"
        pathWatch?.onChange { [services] in
            services.pathChanged()
            quic.inbox.post(.pathChanged)
        }
    }

    deinit {
        pathWatch?.stop()
        quic?.inbox.post(.shutDown(.finishing, done: nil))
    }

    /// Runs tasks on the first event loop's thread, as `SocketTransport.taskExecutor` does. Exchanges over QUIC don't benefit.
    public var taskExecutor: any TaskExecutor { sockets.taskExecutor }

    /// Sends a request over a kept or new connection, according to the contract of `HTTPTransport`.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if let fault = sockets.fault(in: request) ?? fault(in: request) {
            throw NetworkError(fault, phase: .building, request: request)
        }
        if mode == .only {
            if request.options.upgrade != nil { return try await sockets.send(request) }
            return try await sendByQUICAlone(request)
        }
        let response = try await choose(for: request)
        learn(from: response)
        return response
    }

    /// Why a request can't be sent over HTTP/3 alone, or `nil`.
    private func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        guard mode == .only, request.options.upgrade == nil else { return nil }
        if request.url.scheme != .https { return .unsupported(feature: "HTTP/3 without TLS", on: CurlLibrary.name) }
        if request.body?.trailerNames != nil {
            return .unsupported(feature: "trailer fields of a request over HTTP/3", on: CurlLibrary.name)
        }
        return nil
    }

    /// Takes what a response over TLS announces.
    private func learn(from response: HTTPResponse) {
        let origin = response.request.url.origin
        guard origin.scheme == .https, response.head.fields.contains(.altSvc),
            let field = AlternativeServiceField.parse(response.head.fields)
        else { return }
        services.learn(field, from: origin, age: response.head.fields[.age].flatMap { Int($0) } ?? 0)
        pathWatch?.start()
    }

    /// Returns the fields that `SocketTransport` adds.
    public func addedFields(for request: HTTPRequest) -> HTTPFields { sockets.addedFields(for: request) }

    /// Whether an explicit proxy, connection targets or overrides of addresses apply to a loopback origin.
    public func forwardsLoopback(_ origin: Origin) -> Bool { sockets.forwardsLoopback(origin) }

    /// Opens connections and keeps them: over TCP with ``HTTP3Configuration/Mode/whereAvailable``, and otherwise one over QUIC.
    public func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {
        guard mode == .only, let quic, connections > 0 else {
            return try await sockets.warmUp(url, connections: connections)
        }
        let exchange = Exchange(HTTPRequest(url: url), isWarmUp: true)
        if let fault = fault(in: exchange.request) { throw NetworkError(fault, phase: .building) }
        await quic.perform(exchange, QUICAttempt(port: nil, mayConnect: true))
        if let failure = exchange.failure { throw offline.explain(failure, of: exchange) }
    }

    /// The connections of all threads. `nil` after the shutdown.
    public func connectionCounts() async -> ConnectionCounts? {
        guard let tcp = await sockets.connectionCounts() else { return nil }
        return .sum(tcp, await quic?.inbox.connectionCounts())
    }

    /// Returns once all exchanges have ended as the mode says; later sends throw `.shutdown`.
    ///
    /// - Parameter mode: Whether exchanges under way are finished or cancelled.
    public func shutdown(_ mode: ShutdownMode) async {
        pathWatch?.stop()
        async let tcp: Void = sockets.shutdown(mode)
        await quic?.inbox.shutDown(mode)
        await tcp
    }
}

// Which of QUIC and TCP gets a request.
extension HTTP3Transport {
    /// How long QUIC is alone before TCP connects too.
    private static let headStart = Duration.milliseconds(200)

    private func sendByQUICAlone(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let exchange = Exchange(request.offeringDictionary)
        await quic?.perform(exchange, QUICAttempt(port: nil, mayConnect: true))
        do throws(NetworkError) {
            return try exchange.response()
        } catch {
            throw offline.explain(error, of: exchange)
        }
    }

    private func choose(for request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if let obstacle = obstacle(to: request) { return try await sendByTCP(request, obstacle) }
        let origin = request.url.origin
        switch services.decision(for: origin) {
        case .unknown: return try await sendByTCP(request, "the server has not announced HTTP/3")
        case .broken: return try await sendByTCP(request, "QUIC to this server failed, and is tried again later")
        case .available(let port):
            return try await send(request, port: UInt16(clamping: port), needsNew: false)
        }
    }

    /// - Parameter needsNew: Whether the open connections could not take the request.
    private func send(
        _ request: HTTPRequest, port: UInt16, needsNew: Bool
    ) async throws(NetworkError) -> HTTPResponse {
        guard let quic else { return try await sendByTCP(request, Self.fault ?? "") }
        switch origins.choose(for: request.url.origin, needsNew: needsNew) {
        case .wait: return try await sendByTCP(request, "another request is finding out whether QUIC connects")
        case .probe: return try await race(request, QUICAttempt(port: port, mayConnect: true, isProbe: true), quic)
        case .open:
            let attempt = QUICAttempt(port: port, mayConnect: false)
            let exchange = Exchange(Self.reporting(request, attempt).offeringDictionary)
            let start = ContinuousClock.now
            if let response = try await send(exchange, attempt, quic) { return response }
            // The open connections are gone or full.
            return try await send(request.withLess(time: .now - start), port: port, needsNew: true)
        }
    }

    /// Why a request can't use HTTP/3 whatever the server offers, or `nil`.
    private func obstacle(to request: HTTPRequest) -> String? {
        let url = request.url
        if let fault = Self.fault { return fault }
        if url.scheme != .https { return "plain HTTP is not encrypted" }
        if request.options.upgrade != nil { return "a connection that leaves HTTP needs HTTP/1.1" }
        if request.body?.trailerNames != nil { return "trailer fields of a request need HTTP/2 or HTTP/1.1" }
        if configuration.unixSocketPath != nil { return "a Unix domain socket is used" }
        if proxies.proxy(for: url.origin) != nil { return "a proxy is used" }
        if configuration.connectionTargets["\(url.host):\(url.port)"] != nil {
            return "its connections go to another host"
        }
        return nil
    }

    private func sendByTCP(
        _ request: HTTPRequest, _ reason: String
    ) async throws(NetworkError) -> HTTPResponse {
        var request = request
        if let report = request.options.onEvent {
            request.options.onEvent = { event in
                guard case .finished(var metrics) = event else { return report(event) }
                metrics.http3Fallback = reason
                report(.finished(metrics))
            }
        }
        var response = try await sockets.send(request)
        response.metrics.http3Fallback = reason
        return response
    }

    /// Returns `nil` if nothing was sent, and TCP may send it.
    private func send(
        _ exchange: Exchange, _ attempt: QUICAttempt, _ quic: QUICLoop
    ) async throws(NetworkError) -> HTTPResponse? {
        await quic.perform(exchange, attempt)
        if attempt.isTaken { return try exchange.response() }
        switch exchange.failure?.kind {
        case .cancelled, .timedOut, .shutdown:
            exchange.request.options.onEvent?(.finished(TransferMetrics()))
            return try exchange.response()
        default: return nil
        }
    }

    /// The request without the report of an end of what was not sent.
    private static func reporting(_ request: HTTPRequest, _ attempt: QUICAttempt) -> HTTPRequest {
        guard let report = request.options.onEvent else { return request }
        var request = request
        request.options.onEvent = { event in
            if case .finished = event, !attempt.isTaken { return }
            report(event)
        }
        return request
    }

    /// Connects by QUIC, and soon after by TCP; what connects first gets the request. At most one request per origin does.
    private func race(
        _ request: HTTPRequest, _ attempt: QUICAttempt, _ quic: QUICLoop
    ) async throws(NetworkError) -> HTTPResponse {
        let origin = request.url.origin
        let start = ContinuousClock.now
        let exchange = Exchange(Self.reporting(request, attempt).offeringDictionary)
        let rival = Task { [sockets, url = request.url] in
            guard (try? await Task.sleep(for: Self.headStart)) != nil, !attempt.isTaken,
                (try? await sockets.warmUp(url, connections: 1)) != nil, attempt.takeForTCP()
            else { return }
            quic.inbox.post(.giveUp(exchange))
        }
        let result: Result<HTTPResponse?, NetworkError>
        do throws(NetworkError) {
            result = .success(try await send(exchange, attempt, quic))
        } catch {
            result = .failure(error)
        }
        origins.endProbe(origin)
        if attempt.isTaken || Task.isCancelled { rival.cancel() }
        if let response = try result.get() { return response }
        services.failed(at: origin)
        return try await sendByTCP(request.withLess(time: .now - start), "QUIC did not connect before TCP did")
    }
}

extension HTTPRequest {
    /// The same with what is left of its total time.
    fileprivate func withLess(time spent: Duration) -> HTTPRequest {
        guard let total = options.timeouts.total else { return self }
        var request = self
        request.options.timeouts.total = max(total - spent, .milliseconds(1))
        return request
    }
}
#endif
