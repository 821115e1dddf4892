/// Middlewares over a transport: itself a transport.
///
/// The first middleware is the outermost: it sees a call first and its response last.
///
/// ```swift
/// let transport = Chain([Logging(LogOptions(level: .basic)), Redirects()], over: try CurlTransport())
/// let response = try await transport.send(HTTPRequest(url: url))
/// ```
public struct Chain: HTTPTransport {
    final class Links: Sendable {
        let middlewares: [any Middleware]
        let transport: any HTTPTransport

        init(_ middlewares: [any Middleware], _ transport: any HTTPTransport) {
            self.middlewares = middlewares
            self.transport = transport
        }

        func send(_ call: Call) async throws(NetworkError) -> HTTPResponse {
            do throws(NetworkError) {
                var response = try await transport.send(call.request)
                if call.redirectCount > 0 { response.metrics.redirectCount = call.redirectCount }
                return response
            } catch {
                var error = error
                error.attempt = call.attempt
                throw error
            }
        }
    }

    private let links: Links

    /// Makes a chain over a transport.
    ///
    /// - Parameters:
    ///   - middlewares: From the outermost to the innermost; none makes the chain the transport itself.
    ///   - transport: What the innermost sends to.
    public init(_ middlewares: [any Middleware], over transport: some HTTPTransport) {
        links = Links(middlewares, transport)
    }

    /// Sends a request through all middlewares, as a ``Call`` of its own, to the transport.
    ///
    /// - Parameter request: The request; a response of any status comes back.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        try await Next(links, at: 0)(Call(request))
    }

    /// Shuts the transport below down.
    ///
    /// - Parameter mode: Whether exchanges under way are finished or cancelled.
    public func shutdown(_ mode: ShutdownMode) async {
        await links.transport.shutdown(mode)
    }
}
