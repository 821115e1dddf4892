#if OpenAPI
public import GodwitCore
import GodwitHTTPTypes
public import HTTPTypes
public import OpenAPIRuntime

/// Sends the requests of a client made by swift-openapi-generator, with everything that a Godwit client does: retry,
/// refresh, cache, limits, metrics.
///
/// ```swift
/// let api = APIClient(baseURL: url) { $0.authentication = .bearer(tokens) }
/// let client = Client(serverURL: serverURL, transport: GodwitTransport(api))
/// ```
///
/// Bodies are streamed both ways. A request whose body can be sent once is not retried after a part was sent.
/// Canceling the task ends the transfer. Whatever fails is a ``NetworkError``: see
/// ``OpenAPIRuntime/ClientError/networkError``.
public struct GodwitTransport: ClientTransport {
    private let transport: any HTTPTransport
    private let delivery: Delivery

    /// Creates a transport for generated clients, over a client, a chain or an engine.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests: an ``APIClient``, whose base URL is not used, a chain or an engine.
    ///   - delivery: `.buffered(limit:)` returns once the body is complete, which frees the connection even if the program
    ///     never reads the body. By default (`nil`) bodies are streamed, or buffered if the transport is a client with
    ///     ``ClientConfiguration/coalescesRequests``, as streams can't be shared.
    public init(_ transport: any HTTPTransport, delivery: Delivery? = nil) {
        let isShared = (transport as? APIClient)?.configuration.coalescesRequests == true
        self.transport = transport
        self.delivery = delivery ?? (isShared ? .buffered : .streamed)
    }

    /// Sends one request of a generated client.
    ///
    /// - Throws: ``NetworkError``.
    public func send(
        _ request: HTTPTypes.HTTPRequest, body: OpenAPIRuntime.HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPTypes.HTTPResponse, OpenAPIRuntime.HTTPBody?) {
        var own = try GodwitCore.HTTPRequest(request, body: body, below: baseURL)
        own.delivery = delivery
        own.options.operationID = operationID
        let response = try await transport.send(own)
        return (try HTTPTypes.HTTPResponse(response), OpenAPIRuntime.HTTPBody(response))
    }
}

extension ClientError {
    /// What failed, if it was the network: the same error that Godwit's own calls throw. `nil` if a value couldn't be
    /// encoded or decoded.
    public var networkError: NetworkError? { underlyingError as? NetworkError }
}

/// The name of the operation in the document.
private enum OperationName: RequestOption {
    static var defaultValue: String? { nil }
    static var affectsResponse: Bool { false }
}

extension RequestOptions {
    /// The operation's ID in the OpenAPI document, for middlewares. `nil` for other requests.
    public var operationID: String? {
        get { self[OperationName.self] }
        set { self[OperationName.self] = newValue }
    }
}
#endif
