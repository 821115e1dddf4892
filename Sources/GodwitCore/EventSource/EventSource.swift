/// Server-sent events as they come, over as many connections as it takes (WHATWG HTML, section 9.2).
///
/// ```swift
/// for try await event in api.events(.live) { … }                          // reconnects, resumes by Last-Event-ID
/// for try await delta in api.events(.chat(prompt)).decoded(as: Delta.self, until: "[DONE]") { … }
/// ```
///
/// - **Connecting**: each loop sends the request when it asks for its first event. The answer must be a 200 of the type
///   `text/event-stream`: another type throws `.unexpectedContentType`, another status what it throws elsewhere. A 204 is
///   how a server says that there will be no more: the loop ends.
/// - **Reconnecting**: a connection that ends or breaks is made again, with `Last-Event-ID`, after the pause that the
///   server asked for (`retry`) and on top one by chance, longer after each failure in a row (``Options/backoff``).
///   What was sent by a method that is not safe, as POST, is not sent again unless asked for
///   (``Options/reconnection``): its stream just ends, or throws. The client's own retries stay out of it.
/// - **Leaving** the loop closes the connection; cancelling its task also throws `.cancelled`. A slow loop slows the
///   server. What is not yet an event is all that is kept in memory.
///
/// An event counts as received when the loop gets it: where the server honours `Last-Event-ID`, none comes twice and
/// none is lost.
public struct EventSource: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent
    public typealias Failure = NetworkError

    let coding: JSONCoding
    private let opening: EventOpening
    private let options: Options
    private let timeline: Timeline
    private let random: RandomSource

    init(_ options: Options, _ opening: EventOpening, clock: any Clock<Duration>, coding: JSONCoding) {
        self.options = options
        self.opening = opening
        self.coding = coding
        timeline = Timeline(clock)
        random = RandomSource(options.generator)
    }

    /// Starts a reading that connects anew, from ``Options/lastEventID`` on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(run: EventRun(opening, options, timeline, random))
    }

    /// Connects at the first ``next()``, and again whenever it has to.
    public struct AsyncIterator: AsyncIteratorProtocol {
        // Held here alone, so that the connection closes when this iterator goes.
        let run: EventRun

        /// The next event; nil where the server has no more, or a connection that is not made again ended.
        ///
        /// Throws ``NetworkError``; after an error the events are at their end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> ServerSentEvent? {
            try await run.next(isolation: actor)
        }

        public mutating func next() async throws(NetworkError) -> ServerSentEvent? {
            try await next(isolation: nil)
        }
    }
}

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
