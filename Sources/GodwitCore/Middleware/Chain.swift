/// Middlewares over a transport: itself a transport.
///
/// The first middleware is the outermost: it sees a call first and its response last.
///
/// ```swift
/// let transport = Chain([Logging(LogOptions(level: .basic)), Redirects()], over: try CurlTransport())
/// let response = try await transport.send(HTTPRequest(url: url))
/// ```
public struct Chain: HTTPTransport {
    /// A middleware in its place. A class, as passing an existential on copies all that the middleware holds.
    final class Link: Sendable {
        let middleware: any Middleware
        /// The middleware, where it only prepares.
        let preparing: (any RequestMiddleware)?
        /// Told apart, as looking whether there is one copies it.
        let isPreparing: Bool

        init(_ middleware: any Middleware) {
            self.middleware = middleware
            preparing = middleware as? any RequestMiddleware
            isPreparing = preparing != nil
        }
    }

    final class Links: Sendable {
        let transport: any HTTPTransport
        private let links: [Link]

        init(_ middlewares: [any Middleware], _ transport: any HTTPTransport) {
            links = middlewares.map(Link.init)
            self.transport = transport
        }

        /// The place of the next middleware that has to do with a call; that behind the last where there is none.
        func first(from start: Int, thatHandles call: Call) -> Int {
            var index = start
            while index < links.count, !links[index].middleware.handles(call) { index += 1 }
            return index
        }

        /// What stands in a place.
        enum Step {
            case handling(Link)
            case preparing
            case transport
        }

        func step(at index: Int) -> Step {
            guard index < links.count else { return .transport }
            return links[index].isPreparing ? .preparing : .handling(links[index])
        }

        /// Lets all that only prepare, up to the next that handles, change the call; the place of that one.
        func prepare(_ call: inout Call, from start: Int) throws(NetworkError) -> Int {
            var index = start
            while index < links.count, let middleware = links[index].preparing {
                if middleware.handles(call) { try middleware.prepare(&call) }
                index += 1
            }
            return index
        }

        /// Most calls have nothing to tell of what led to them, and are sent at less cost.
        @inline(never)
        func send(_ call: Call) async throws(NetworkError) -> HTTPResponse {
            guard call.redirectCount > 0 || call.attempt > 1 else { return try await transport.send(call.request) }
            return try await sendNoting(call)
        }

        /// Tells the response, or the error, which attempt it is, and how many redirects led to it.
        private func sendNoting(_ call: Call) async throws(NetworkError) -> HTTPResponse {
            do throws(NetworkError) {
                var response = try await transport.send(call.request)
                var metrics = response.metrics
                if call.redirectCount > 0 { metrics.redirectCount = call.redirectCount }
                if call.attempt > 1 { metrics.attempt = call.attempt }
                response.metrics = metrics
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
