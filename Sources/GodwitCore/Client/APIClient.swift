/// Sends ``Endpoint``s of one API and returns what they promise.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1")
/// let article = try await api.send(.article(id: 42))
/// ```
///
/// A call is one line through the library: the endpoint becomes a request, the request goes through the middlewares to
/// the transport, the response is validated and decoded, and whatever fails on the way is one ``NetworkError``.
/// The middlewares and their order stand in one list, ``Chain``'s `standard`.
///
/// A client may be used from any number of tasks at once. Make one for each API and keep it: it owns the connections.
public final class APIClient: Sendable, Nonisolated {
    /// What the client was made with. It does not change any more.
    public let configuration: ClientConfiguration

    /// What is kept for the account that the client works for.
    let account: ClientAccount

    let base: Result<HTTPURL, InvalidURL>
    /// The configuration's, as all requests share them whose endpoints do not change them.
    private let options: RequestOptions
    private let chain: Chain

    /// Makes a client over a transport, starting from a configuration that a closure may change.
    ///
    /// - Parameters:
    ///   - baseURL: Where the paths of endpoints begin: a string, a `URL` or an ``HTTPURL``. Text that is no URL is
    ///     reported by the first call, as `.invalidURL`.
    ///   - transport: What carries requests: an engine, or a mock in tests.
    ///   - preset: The configuration to start from.
    ///   - configure: Changes it. What it throws is thrown, and nothing else; where it throws nothing, no `try` is
    ///     needed.
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

    /// Makes a client over a transport, as a configuration says.
    ///
    /// - Parameters:
    ///   - baseURL: Where the paths of endpoints begin: a string, a `URL` or an ``HTTPURL``. Text that is no URL is
    ///     reported by the first call, as `.invalidURL`.
    ///   - transport: What carries requests: an engine, or a mock in tests.
    ///   - configuration: What the client does for every call.
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

    /// The one that all others end in. What a configuration describes is made here, but for its TLS rules, which the
    /// transport keeps.
    package init(
        _ base: Result<HTTPURL, InvalidURL>, _ transport: some HTTPTransport, _ configuration: ClientConfiguration,
        _ session: AccountSession? = nil
    ) {
        self.configuration = configuration
        self.base = base
        var options = configuration.options
        options.coding = configuration.json
        self.options = options
        account = ClientAccount(base, transport, configuration, session)
        chain = .standard(configuration, account, base, over: transport)
    }

    /// Sends an endpoint and returns what it promises.
    ///
    /// Throws ``NetworkError``, for a status that is not accepted as well as for an exchange that failed or a body that
    /// could not be read. Cancelling the task ends the exchange and throws `.cancelled`.
    ///
    /// ```swift
    /// do {
    ///     let article = try await api.send(.article(id: 42))
    /// } catch {
    ///     print(error.kind, error.phase)              // error is a NetworkError
    /// }
    /// ```
    ///
    /// - Parameter endpoint: What to send.
    public func send<Value>(_ endpoint: Endpoint<Value>) async throws(NetworkError) -> Value {
        try await reading(endpoint, try request(for: endpoint)).value
    }

    /// Sends an endpoint and returns what it promises together with status, fields, metrics and the request sent.
    ///
    /// Throws what ``send(_:)-(Endpoint<Value>)`` throws.
    ///
    /// ```swift
    /// let response = try await api.response(for: .articles())
    /// let next = try? response.head.fields.link(rel: "next", relativeTo: response.request.url)
    /// ```
    ///
    /// - Parameter endpoint: What to send.
    public func response<Value>(for endpoint: Endpoint<Value>) async throws(NetworkError) -> Response<Value> {
        try await response(for: endpoint, by: try request(for: endpoint))
    }

    /// Sends an endpoint's request, and reads the answer as the endpoint says.
    func response<Value>(
        for endpoint: Endpoint<Value>, by request: HTTPRequest
    ) async throws(NetworkError) -> Response<Value> {
        let (value, response) = try await reading(endpoint, request)
        return Response(value, of: response)
    }

    private func reading<Value>(
        _ endpoint: Endpoint<Value>, _ request: HTTPRequest
    ) async throws(NetworkError) -> (value: Value, HTTPResponse) {
        let response = try await accepted(request)
        do throws(NetworkError) {
            let body = try await response.body.collect(upTo: request.bufferLimit)
            return (try endpoint.decode(body, response.head, configuration.json), response)
        } catch {
            throw error.adding(response)
        }
    }

    /// The request that ``send(_:)-(Endpoint<Value>)`` would hand to the middlewares.
    ///
    /// Throws `.invalidURL`, `.encoding` or `.file` where none can be made.
    ///
    /// Nothing is sent. The client's default fields are not in it yet; a middleware adds them.
    ///
    /// ```swift
    /// let url = try api.request(for: .articles(page: 2)).url         // as for a share sheet or a test
    /// ```
    ///
    /// - Parameter endpoint: What would be sent.
    public func request<Value>(for endpoint: Endpoint<Value>) throws(NetworkError) -> HTTPRequest {
        var options = options
        if let scope = CallScope.current {
            scope.onCall?(account.session)
            scope.apply(to: &options)
        }
        endpoint.adjust?(&options)
        var fields = endpoint.fields
        // Room for what middlewares add, who would else make the list anew one after the other.
        fields.reserveCapacity(fields.count + 6)
        if !fields.contains(.accept) { fields.append(endpoint.accept, for: .accept) }
        if let body = endpoint.body, !fields.contains(.contentType) {
            fields.append(body.contentType, for: .contentType)
        }
        let limit = options.responseLimit.decoded.map { Int(clamping: $0) }
        var request = HTTPRequest(
            method: endpoint.method, url: try url(of: endpoint), fields: fields,
            body: try endpoint.body?.encoded(with: configuration.json),
            delivery: .buffered(limit: limit ?? configuration.bufferLimit), options: options)
        request.writeIdempotencyKey()
        return request
    }

    /// The request for a content that may take any time: a download, an upload, a stream.
    ///
    /// The client's own ``Timeouts/total`` is a bound for calls, and would cut off whatever is large. The endpoint's counts.
    func transferRequest<Value>(for endpoint: Endpoint<Value>) throws(NetworkError) -> HTTPRequest {
        var request = try request(for: endpoint)
        guard configuration.timeouts.total != nil else { return request }
        var own = RequestOptions()
        endpoint.adjust?(&own)
        request.options.timeouts.total = own.timeouts.total
        return request
    }

    /// Sends a request and returns its response once the status has been accepted.
    package func accepted(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let response = try await chain.send(request)
        let status = response.head.status
        if status.isSuccessful || request.options.acceptedStatuses.contains(status.code) { return response }
        throw await refusal(response)
    }

    /// What a status that is not accepted says. Apart, to keep it out of the frame of every call.
    @inline(never)
    private func refusal(_ response: HTTPResponse) async -> NetworkError {
        let body = await response.body.beginning(upTo: NetworkError.bodyLimit)
        return NetworkError(response, body: body, readers: configuration.errorBodies, coding: configuration.json)
    }

    /// What an answer says that is not what was asked for, such as JSON in place of an event stream.
    ///
    /// The body is read if it surely ends: JSON, or content of a known length.
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
    /// Sends a request as it stands through the client's middlewares, and returns a response of any status.
    ///
    /// The client's default fields apply; its base URL, options and error mapping do not, as they belong to endpoints.
    ///
    /// ```swift
    /// let response = try await api.send(HTTPRequest(url: url))
    /// let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    /// ```
    ///
    /// - Parameter request: Sent as it stands, but for what middlewares add.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        CallScope.current?.onCall?(account.session)
        return try await chain.send(request)
    }

    /// The transport's description.
    public var engineDescription: String { chain.engineDescription }

    /// The fields that the transport adds. What the client's own middlewares add is not among them.
    public func addedFields(for request: HTTPRequest) -> HTTPFields { chain.addedFields(for: request) }

    /// Opens connections to the base URL's host and keeps them, so that the first calls need not wait for DNS, TCP and TLS.
    ///
    /// Sends no request. Does nothing with a transport that cannot do it, such as URLSession.
    ///
    /// ```swift
    /// try await api.warmUp(connections: 2)
    /// ```
    ///
    /// - Parameter connections: How many; 1 by default, which is enough for a server that speaks HTTP/2.
    /// - Throws: Why a connection could not be made.
    public func warmUp(connections: Int = 1) async throws(NetworkError) {
        let url: HTTPURL
        do throws(InvalidURL) {
            url = try base.get()
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building)
        }
        try await chain.warmUp(url, connections: connections)
    }

    /// Ends the client's work and its transport's: calls under way are finished or cancelled, later ones throw
    /// `.shutdown`.
    ///
    /// A transport that is shared with other clients is shut down for them too.
    ///
    /// ```swift
    /// await api.shutdown(.finishing)
    /// ```
    ///
    /// - Parameter mode: Whether calls under way are finished or cancelled. Returns once they are over.
    public func shutdown(_ mode: ShutdownMode) async {
        await chain.shutdown(mode)
    }
}

extension HTTPRequest {
    /// The most bytes of content that may be held in memory for the response.
    var bufferLimit: Int {
        if case .buffered(let limit) = delivery { limit } else { .max }
    }
}

extension NetworkError {
    /// The error with the response it is about.
    func adding(_ response: HTTPResponse) -> NetworkError {
        var error = self
        error.request = error.request ?? response.request
        error.response = error.response ?? response.head
        error.attempt = max(error.attempt, response.metrics.attempt)
        return error
    }
}
