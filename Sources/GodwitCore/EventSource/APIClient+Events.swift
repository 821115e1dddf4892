extension APIClient {
    /// Server-sent events, over as many connections as it takes.
    ///
    /// ```swift
    /// for try await event in api.events(.live) { print(event.type, event.data) }
    /// ```
    ///
    /// The endpoint may have any method and content; see ``EventSource`` for when the request is sent again. As events
    /// have no end, the client's ``Timeouts/total`` and ``ResponseLimit`` do not count for them; the endpoint's own do,
    /// for each connection.
    ///
    /// - Parameter configure: Changes how it connects; see ``EventSource/Options``.
    public func events<Value>(
        _ endpoint: Endpoint<Value>, configure: (inout EventSource.Options) -> Void = { _ in }
    ) -> EventSource {
        var options = EventSource.Options()
        configure(&options)
        let idleTimeout = options.idleTimeout
        let opening = EventOpening(session: account.session) { () throws(NetworkError) in
            try self.eventRequest(for: endpoint, idleTimeout: idleTimeout)
        } send: { request throws(NetworkError) in
            try await self.accepted(request)
        } refusal: { kind, response in
            await self.unexpected(kind, response)
        }
        return EventSource(options, opening, clock: configuration.clock, coding: configuration.json)
    }

    private func eventRequest<Value>(
        for endpoint: Endpoint<Value>, idleTimeout: Duration?
    ) throws(NetworkError) -> HTTPRequest {
        var request = try request(for: endpoint)
        request.delivery = .streamed
        if !endpoint.fields.contains(.accept) { request.fields[.accept] = MediaType.eventStream.essence }
        if !request.fields.contains(.cacheControl) { request.fields[.cacheControl] = "no-cache" }
        var own = RequestOptions()
        endpoint.adjust?(&own)
        var options = request.options
        options.timeouts.total = own.timeouts.total
        options.responseLimit = own.responseLimit
        options.timeouts.inactivity = idleTimeout ?? options.timeouts.inactivity
        options.cachePolicy = .reloadIgnoringCache
        // To connect again is the event source's business, which knows where to go on.
        options.retry = .never
        request.options = options
        return request
    }
}
