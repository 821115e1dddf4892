#if OpenAPI
public import GodwitCore
import GodwitHTTPTypes
import HTTPTypes
public import OpenAPIRuntime
import Synchronization

/// Runs a middleware of swift-openapi-runtime in a Godwit client.
///
/// ```swift
/// $0.attemptMiddleware.append(ClientMiddlewareBridge(SigningMiddleware()))
/// ```
///
/// In ``ClientConfiguration/attemptMiddleware`` it sees each attempt and redirect, which one that is passed to the
/// generated client doesn't. Its operation ID is ``RequestOptions/operationID``, and empty for other requests.
public struct ClientMiddlewareBridge: Middleware {
    private let middleware: any ClientMiddleware

    /// Creates a Godwit middleware from one of swift-openapi-runtime.
    ///
    /// - Parameter middleware: The middleware. What it throws becomes `.invalidRequest`, unless it is a
    ///   ``NetworkError``.
    public init(_ middleware: any ClientMiddleware) {
        self.middleware = middleware
    }

    /// Passes the call to the middleware, and what that changes to the rest of the chain.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> GodwitCore.HTTPResponse {
        let request = call.request
        guard let baseURL = URL(string: request.url.origin.description) else { return try await next(call) }
        let body = request.body.map { OpenAPIRuntime.HTTPBody($0) }
        let last = LastResponse()
        do {
            let (head, responseBody) = try await middleware.intercept(
                HTTPTypes.HTTPRequest(request), body: body, baseURL: baseURL,
                operationID: request.options.operationID ?? ""
            ) { changed, changedBody, baseURL in
                var sent = call
                let own = try GodwitCore.HTTPRequest(changed, body: changedBody, below: baseURL)
                sent.request.method = own.method
                sent.request.url = own.url
                sent.request.fields = own.fields
                // The original can be in memory, or a file: it can be sent again.
                if changedBody != body { sent.request.body = own.body }
                return try last.keep(try await next(sent))
            }
            return try last.response(head, responseBody, to: request)
        } catch let error as NetworkError {
            throw error
        } catch {
            throw NetworkError(
                .invalidRequest(reason: "a middleware failed: \(error)"), phase: .middleware, request: request,
                underlying: error)
        }
    }
}

/// The response that a middleware got most recently. If it returns it, its metrics and trailers stay.
private final class LastResponse: Sendable {
    private let state = Mutex<(response: GodwitCore.HTTPResponse, body: OpenAPIRuntime.HTTPBody?)?>(nil)

    func keep(
        _ response: GodwitCore.HTTPResponse
    ) throws(NetworkError) -> (HTTPTypes.HTTPResponse, OpenAPIRuntime.HTTPBody?) {
        let head = try HTTPTypes.HTTPResponse(response)
        let body = OpenAPIRuntime.HTTPBody(response)
        state.withLock { $0 = (response, body) }
        return (head, body)
    }

    func response(
        _ head: HTTPTypes.HTTPResponse, _ body: OpenAPIRuntime.HTTPBody?, to request: GodwitCore.HTTPRequest
    ) throws(HTTPTypesConversionError) -> GodwitCore.HTTPResponse {
        let head = try HTTPResponseHead(head)
        if let last = state.withLock(\.self), last.body == body {
            var response = last.response
            response.head = head
            return response
        }
        return GodwitCore.HTTPResponse(
            head: head, body: body.map { GodwitCore.HTTPBody($0) } ?? .empty, request: request)
    }
}
#endif
