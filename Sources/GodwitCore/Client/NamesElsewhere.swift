import GodwitWire

// Names that other clients have for what has another name, or another place, here. None can be used: the compiler says what to write.

extension APIClient {
    /// Unavailable: a client belongs to one API.
    @available(*, unavailable, message: "a client belongs to one API: make one and keep it, APIClient(baseURL: …)")
    public static var shared: APIClient { APIClient(baseURL: "", transport: NoTransport()) }

    private struct NoTransport: HTTPTransport {
        func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
            throw NetworkError(.shutdown, phase: .building, request: request)
        }
    }
}

extension ClientConfiguration {
    /// Unavailable: the fields that each request has.
    @available(*, unavailable, message: "write defaultFields[.accept] = …")
    public var headers: [String: String] {
        get { [:] }
        set {}
    }

    /// Unavailable: a `JSONCoding` has a decoder.
    @available(*, unavailable, message: "write json = JSONCoding(…)")
    public var decoder: JSONDecoder {
        get { JSONDecoder() }
        set {}
    }

    /// Unavailable: there are several time limits, with units.
    @available(*, unavailable, message: "write timeouts.total = .seconds(30), or .inactivity, .connect or .call")
    public var timeoutInterval: Double {
        get { 0 }
        set {}
    }
}

extension Response {
    /// Unavailable: the head has the fields.
    @available(*, unavailable, message: "write head.fields")
    public var headers: HTTPFields { head.fields }

    /// Unavailable: the head has the status.
    @available(*, unavailable, message: "write head.status")
    public var status: HTTPStatus { head.status }
}

extension HTTPResponse {
    /// Unavailable: the head has the fields.
    @available(*, unavailable, message: "write head.fields")
    public var headers: HTTPFields { head.fields }

    /// Unavailable: the head has the status.
    @available(*, unavailable, message: "write head.status")
    public var status: HTTPStatus { head.status }
}

extension NetworkError {
    /// Unavailable: an error may have no response.
    @available(*, unavailable, message: "write response?.status.code")
    public var statusCode: Int { response?.status.code ?? 0 }

    /// Unavailable: the cases are those of the kind.
    @available(*, unavailable, message: "switch over error.kind")
    public static func ~= (kind: Kind, error: NetworkError) -> Bool { kind == error.kind }
}

extension HTTPStatus {
    /// Unavailable: a status is not a number.
    @available(*, unavailable, message: "compare with .ok, or write status.code == 200")
    public static func == (status: HTTPStatus, code: Int) -> Bool { status.code == code }
}

// Without these, the compiler fails to say what is wrong with `let draft: Draft = try await api.send(.article(id: 42))`.
extension APIClient {
    /// Unavailable: the endpoint's response has another type.
    @available(*, unavailable, message: "the endpoint's response type isn't the type that is expected here")
    @_disfavoredOverload
    public func send<Value, Expected>(_ endpoint: Endpoint<Value>) async throws(NetworkError) -> Expected {
        throw .unexpected(Expected.self, from: endpoint)
    }

    /// Unavailable: the endpoint's response has another type.
    @available(*, unavailable, message: "the endpoint's response type isn't the type that is expected here")
    @_disfavoredOverload
    public func response<Value, Expected: Sendable>(
        for endpoint: Endpoint<Value>
    ) async throws(NetworkError) -> Response<Expected> { throw .unexpected(Expected.self, from: endpoint) }
}

extension NetworkError {
    fileprivate static func unexpected<Value>(_ type: Any.Type, from endpoint: Endpoint<Value>) -> NetworkError {
        NetworkError(.unsupported(feature: "\(type)", on: "\(endpoint)"), phase: .building)
    }
}
