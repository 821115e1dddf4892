/// The rest of a chain, as a middleware sees it: call it like a function.
///
/// ```swift
/// let response = try await next(call)
/// ```
public struct Next: Sendable {
    private let links: Chain.Links
    private let index: Int

    init(_ links: Chain.Links, at index: Int) {
        self.links = links
        self.index = index
    }

    /// Sends the call through the middlewares that follow, and the transport.
    ///
    /// May be called more than once, one after the other or at the same time; each is a sending of its own.
    ///
    /// - Parameter call: The call as it shall go on, changed or not.
    /// - Returns: The response of the transport, as the middlewares that follow left it.
    public func callAsFunction(_ call: Call) async throws(NetworkError) -> HTTPResponse {
        let index = links.first(from: index, thatHandles: call)
        return switch links.step(at: index) {
        case .handling: try await links[index].handle(call, Next(links, at: index + 1))
        case .preparing: try await prepared(call, from: index)
        case .transport: try await links.send(call)
        }
    }

    /// The fields that the transport adds to a request; none if a middleware may change it before.
    func fieldsAddedByTransport(to request: HTTPRequest) -> HTTPFields {
        links.isTransport(from: index) ? links.transport.addedFields(for: request) : [:]
    }

    /// Notes that the middleware before this place only prepares.
    func noteDefaultHandling(of type: any RequestMiddleware.Type) {
        if index > 0 { links[index - 1].noteDefaultHandling(of: type) }
    }

    /// Sends a call on that is changed first; apart, as this is waited for in every frame of the chain.
    @inline(never)
    private func prepared(_ call: Call, from index: Int) async throws(NetworkError) -> HTTPResponse {
        var call = call
        let next = try links.prepare(&call, from: index)
        return try await Next(links, at: next)(call)
    }
}
