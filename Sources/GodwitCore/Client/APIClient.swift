/// Sends the ``Endpoint``s of one API and returns their values.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1")
/// let article = try await api.send(.article(id: 42))
/// ```
///
/// The endpoint becomes a request, which goes through the middlewares to the transport. The response is then validated
/// and decoded. Any failure is a ``NetworkError``. ``Chain``'s `standard` lists the middlewares in order.
///
/// Any number of tasks can use a client at the same time. Create one per API and keep it: it owns the connections.
public final class APIClient: Sendable, Nonisolated {
    /// The configuration that the client was created with. It never changes.
    public let configuration: ClientConfiguration

    /// The account's credentials, cookies and stored responses.
    let account: ClientAccount

    let base: Result<HTTPURL, InvalidURL>
    /// The configuration's options, shared by all requests whose endpoints don't change them.
    private let options: RequestOptions
    private let chain: Chain

    /// Creates a client with a custom transport and adjusts its configuration in a closure.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that endpoint paths are relative to: a string, a `URL` or an ``HTTPURL``. If it isn't
    ///     valid, the first call throws `.invalidURL`.
    ///   - transport: Sends the requests: an engine, or a mock in tests.
    ///   - preset: The configuration to start from.
    ///   - configure: Changes the configuration. Errors that it throws are rethrown; without them, `try` isn't needed.
    ///
    /// ```swift
    /// let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
    ///     $0.timeouts.total = .seconds(30)
    /// }
    /// ```
    public convenience init<Failure: Error>(
        baseURL: some HTTPURLConvertible, transport: some HTTPTransport, preset: ClientConfiguration = .default,
        configure: (inout ClientConfiguration) throws(Failure) -> Void
    ) throws(Failure) {
        var configuration = preset
        try configure(&configuration)
        self.init(baseURL: baseURL, transport: transport, preset: configuration)
    }

    /// Creates a client with a custom transport.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that endpoint paths are relative to: a string, a `URL` or an ``HTTPURL``. If it isn't
    ///     valid, the first call throws `.invalidURL`.
    ///   - transport: Sends the requests: an engine, or a mock in tests.
    ///   - configuration: The client's settings.
    public convenience init(
        baseURL: some HTTPURLConvertible, transport: any HTTPTransport,
        preset configuration: ClientConfiguration = .default
    ) {
        let base = Result { () throws(InvalidURL) in try baseURL.httpURL() }
        if configuration.tls.isEmpty {
            self.init(base, transport, configuration)
        } else {
            self.init(base, RefusingTransport(refused: transport), configuration)
        }
    }

    /// The designated initializer. Creates everything that the configuration describes, except TLS settings, which
    /// belong to the transport.
    package init(
        _ base: Result<HTTPURL, InvalidURL>, _ transport: some HTTPTransport, _ configuration: ClientConfiguration,
        _ session: AccountSession? = nil
    ) {
        var configuration = configuration.inspectedIfRequested()
        configuration.hsts = configuration.hsts.withStore
        self.configuration = configuration
        self.base = base
        var options = configuration.options
        options.coding = configuration.json
        self.options = options
        account = ClientAccount(base, transport, configuration, session)
        chain = .standard(configuration, account, base, over: transport)
    }

    /// Sends an endpoint and returns its value.
    ///
    /// Throws ``NetworkError`` if the status isn't accepted, the exchange fails or the body can't be decoded. Canceling
    /// the task ends the exchange and throws `.cancelled`.
    ///
    /// ```swift
    /// do {
    ///     let article = try await api.send(.article(id: 42))
    /// } catch {
    ///     print(error.kind, error.phase)              // error is a NetworkError
    /// }
    /// ```
    ///
    /// - Parameter endpoint: The endpoint to send.
    public func send<Value>(_ endpoint: Endpoint<Value>) async throws(NetworkError) -> Value {
        try await reading(endpoint, try request(for: endpoint)).value
    }

    /// Sends an endpoint and returns its value with the status, header fields, metrics and the request that was sent.
    ///
    /// Throws the same errors as ``send(_:)-(Endpoint<Value>)``.
    ///
    /// ```swift
    /// let response = try await api.response(for: .articles())
    /// let next = try? response.head.fields.link(rel: "next", relativeTo: response.request.url)
    /// ```
    ///
    /// - Parameter endpoint: The endpoint to send.
    public func response<Value>(for endpoint: Endpoint<Value>) async throws(NetworkError) -> Response<Value> {
        try await response(for: endpoint, by: try request(for: endpoint))
    }

    /// Sends a request and decodes the response as the endpoint describes.
    func response<Value>(
        for endpoint: Endpoint<Value>, by request: HTTPRequest
    ) async throws(NetworkError) -> Response<Value> {
        let (value, response) = try await reading(endpoint, request)
        return Response(value, of: response)
    }

    private nonisolated(nonsending) func reading<Value>(
        _ endpoint: Endpoint<Value>, _ request: HTTPRequest
    ) async throws(NetworkError) -> (value: Value, HTTPResponse) {
        let response = try await accepted(request)
        do throws(NetworkError) {
            let body = try await response.body.collected(upTo: request.bufferLimit)
            return (try endpoint.decode(body, response.head, configuration.json), response)
        } catch {
            throw error.adding(response).inspected(response)
        }
    }

    /// Returns the request that ``send(_:)-(Endpoint<Value>)`` passes to the middlewares. Sends nothing.
    ///
    /// The client's default fields are missing: a middleware adds them later.
    ///
    /// Throws `.invalidURL`, `.encoding` or `.file` if the request can't be built.
    ///
    /// ```swift
    /// let url = try api.request(for: .articles(page: 2)).url         // as for a share sheet or a test
    /// ```
    ///
    /// - Parameter endpoint: The endpoint to build the request for.
    public func request<Value>(for endpoint: Endpoint<Value>) throws(NetworkError) -> HTTPRequest {
        var options = callOptions()
        endpoint.adjust?(&options)
        if configuration.telemetry != nil {
            options.checksStatus = true
            describe(endpoint.path, in: &options)
        }
        var fields = endpoint.fields
        // Reserves space for the fields that middlewares add, which would otherwise reallocate the list.
        fields.reserveCapacity(fields.count + 6)
        if !fields.contains(.accept) { fields.append(endpoint.accept, for: .accept) }
        if let body = endpoint.body, !fields.contains(.contentType) {
            fields.append(body.contentType, for: .contentType)
        }
        var request = HTTPRequest(
            method: endpoint.method, url: try url(of: endpoint), fields: fields,
            body: try endpoint.body?.encoded(with: configuration.json),
            delivery: delivery(options), options: options)
        request.writeIdempotencyKey()
        if let secrets = endpoint.body?.secrets, !secrets.isEmpty {
            for secret in secrets { request.note(.value(secret)) }
        }
        return request
    }

    /// The client's options in the scope of the task, which learns of the call.
    private func callOptions() -> RequestOptions {
        var options = options
        if let scope = CallScope.current {
            scope.onCall?(account.session)
            scope.apply(to: &options)
        }
        return options
    }

    /// Notes the path without its values, for traces and metrics.
    private func describe(_ path: EndpointPath, in options: inout RequestOptions) {
        guard options.urlTemplate == nil, let template = path.template, case .success(let base) = base else { return }
        var root = base.path
        while root.hasSuffix("/") { root.removeLast() }
        options.urlTemplate = template.hasPrefix("/") ? root + template : "\(root)/\(template)"
    }

    /// Returns the request for a transfer of any duration: a download, an upload, a stream.
    ///
    /// The client's ``Timeouts/total`` doesn't apply, as it would cut off large transfers. The endpoint's does.
    func transferRequest<Value>(for endpoint: Endpoint<Value>) throws(NetworkError) -> HTTPRequest {
        var request = try request(for: endpoint)
        // Its requests share the time.
        request.options.startDeadline(on: configuration.clock)
        guard configuration.timeouts.total != nil else { return request }
        var own = RequestOptions()
        endpoint.adjust?(&own)
        request.options.timeouts.total = own.timeouts.total
        return request
    }

    /// Sends a request and returns its response once the status has been accepted.
    package nonisolated(nonsending) func accepted(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let response = try await chain.links.send(request)
        let status = response.head.status
        if status.isSuccessful || request.options.acceptedStatuses.contains(status.code) { return response }
        throw await refusal(response)
    }

    /// The error for a status that isn't accepted. Not inlined, to keep it out of every call's frame.
    @inline(never)
    private func refusal(_ response: HTTPResponse) async -> NetworkError {
        let body = await response.body.beginning(upTo: NetworkError.bodyLimit)
        let error = NetworkError(response, body: body, readers: configuration.errorBodies, coding: configuration.json)
        return error.inspected(response)
    }

    /// The error for an unexpected response, such as JSON instead of an event stream.
    ///
    /// Reads the body if it is certain to end: JSON, or a body of known length.
    func unexpected(_ kind: NetworkError.Kind, _ response: HTTPResponse) async -> NetworkError {
        let type = response.head.fields[.contentType].flatMap(MediaType.init(_:))
        let isShort = response.body.length.map { $0 <= Int64(NetworkError.bodyLimit) } ?? (type?.isJSON == true)
        var error =
            isShort
            ? await refusal(response) : NetworkError(response, body: Data(), readers: [], coding: configuration.json)
        error.kind = kind
        return error
    }

    func url<Value>(of endpoint: Endpoint<Value>) throws(NetworkError) -> HTTPURL {
        do throws(InvalidURL) {
            return try endpoint.path.appended(to: base.get(), query: endpoint.query)
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building, underlying: error)
        }
    }
}

extension APIClient: HTTPTransport {
    /// Sends a request through the client's middlewares and returns the response, whatever its status.
    ///
    /// The client's default fields apply, and its options where the request sets none of its own: time limits, redirects,
    /// limits of responses, and so on. Its total time and buffer limit apply to buffered responses. Its base URL and error
    /// mapping don't apply: they belong to endpoints.
    ///
    /// ```swift
    /// let response = try await api.send(HTTPRequest(url: url))
    /// let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    /// ```
    ///
    /// - Parameter request: The request to send. Middlewares can add to it.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        try await chain.send(completed(request))
    }

    /// A request with the client's options where it has none.
    private func completed(_ request: HTTPRequest) -> HTTPRequest {
        var (request, defaults) = (request, callOptions())
        if case .buffered(let limit) = request.delivery {
            request.options = request.options.filled(from: defaults)
            if limit == Delivery.defaultBufferLimit { request.delivery = delivery(request.options) }
        } else {
            if defaults.timeouts.total != nil { defaults.timeouts.total = nil }
            request.options = request.options.filled(from: defaults)
        }
        return request
    }

    /// Where bodies of buffered responses go.
    private func delivery(_ options: RequestOptions) -> Delivery {
        .buffered(limit: options.responseLimit.decoded.map { Int(clamping: $0) } ?? configuration.bufferLimit)
    }

    /// The transport's description.
    public var engineDescription: String { chain.engineDescription }

    /// The fields that the transport adds. Those of the client's middlewares are not included.
    public func addedFields(for request: HTTPRequest) -> HTTPFields { chain.addedFields(for: request) }

    /// The connections of the transport. Other clients of a shared transport use them too.
    public func connectionCounts() async -> ConnectionCounts? { await chain.connectionCounts() }

    /// Whether the transport forwards requests to this machine elsewhere.
    public func forwardsLoopback(_ origin: Origin) -> Bool { chain.forwardsLoopback(origin) }

    /// Opens connections to the base URL's host in advance, so that the first calls don't wait for DNS, TCP and TLS.
    ///
    /// Sends no request. Does nothing with a transport that can't open connections in advance, such as URLSession.
    ///
    /// ```swift
    /// try await api.warmUp(connections: 2)
    /// ```
    ///
    /// - Parameter connections: The number of connections. 1 by default, which is enough for an HTTP/2 server.
    /// - Throws: The error if a connection can't be opened.
    public func warmUp(connections: Int = 1) async throws(NetworkError) {
        let url: HTTPURL
        do throws(InvalidURL) {
            url = try base.get()
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building)
        }
        try await chain.warmUp(url, connections: connections)
    }

    /// Shuts down the client and its transport: finishes or cancels calls in progress. Later calls throw `.shutdown`.
    ///
    /// Returns when no call is in progress. With `.finishing` that includes the validations of cached responses in the
    /// background (`stale-while-revalidate`). A shared transport is shut down for its other clients too.
    ///
    /// ```swift
    /// await api.shutdown(.finishing)
    /// ```
    ///
    /// - Parameter mode: Whether calls in progress are finished or canceled.
    public func shutdown(_ mode: ShutdownMode) async {
        if mode == .finishing { await account.validations?.finish() }
        await chain.shutdown(mode)
    }
}

extension HTTPRequest {
    /// Maximum bytes of the response body held in memory.
    var bufferLimit: Int {
        if case .buffered(let limit) = delivery { limit } else { .max }
    }
}

extension NetworkError {
    /// Adds the response that caused the error.
    package func adding(_ response: HTTPResponse) -> NetworkError {
        var error = self
        error.request = error.request ?? response.request
        error.response = error.response ?? response.head
        error.attempt = max(error.attempt, response.metrics.attempt)
        error.hideSecretsInWords()
        return error
    }
}
