import GodwitSupport

/// Server-sent events as they arrive, over as many connections as necessary (WHATWG HTML, section 9.2).
///
/// ```swift
/// for try await event in api.events(.live) { … }                          // reconnects, resumes by Last-Event-ID
/// for try await delta in api.events(.chat(prompt)).decoded(as: Delta.self, until: "[DONE]") { … }
/// ```
///
/// - **Connecting**: each loop sends the request when it asks for its first event. The response must be a 200 of type
///   `text/event-stream`. Another type throws `.unexpectedContentType`; another status throws as in any call. A 204 ends the
///   loop: the server has no more events.
/// - **Reconnecting**: after a connection ends or fails, another one resumes with `Last-Event-ID`. The pause before it is the
///   server's `retry` plus a random delay that grows with each failure in a row (``Options/backoff``). A request with an
///   unsafe method such as POST is not repeated by default (``Options/reconnection``): its stream ends, or throws. The
///   client's retries don't apply.
/// - **Leaving** the loop closes the connection. Canceling its task also throws `.cancelled`. A slow loop slows the server;
///   only the incomplete event is kept in memory.
///
/// An event counts as received when the loop gets it. If the server honors `Last-Event-ID`, each event arrives exactly once.
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

    /// Starts a loop with a new connection, after ``Options/lastEventID``.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(run: EventRun(opening, options, timeline, random))
    }

    /// Connects at the first ``next()``, and again when necessary.
    public struct AsyncIterator: AsyncIteratorProtocol, CallReading {
        // The only reference, so that releasing the iterator closes the connection.
        let run: EventRun

        var sent: SentSecrets? { run.sent }

        /// Waits for the next event; `nil` after the last. After an error there are no more events.
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
    /// Returns the server-sent events of an endpoint, over as many connections as necessary.
    ///
    /// ```swift
    /// for try await event in api.events(.live) { print(event.type, event.data) }
    /// ```
    ///
    /// The endpoint may have any method and body; see ``EventSource`` for when the request is sent again. As events may
    /// never end, the client's ``Timeouts/total`` and ``ResponseLimit`` don't apply; those set by the endpoint do, for each
    /// connection.
    ///
    /// - Parameters:
    ///   - endpoint: The request to send. Its response type doesn't matter.
    ///   - configure: Changes the options.
    public func events<Value>(
        _ endpoint: Endpoint<Value>, configure: (inout EventSource.Options) -> Void = { _ in }
    ) -> EventSource {
        var options = EventSource.Options()
        configure(&options)
        var own = RequestOptions()
        endpoint.adjust?(&own)
        own.startDeadline(on: configuration.clock)
        let opening = EventOpening(session: account.session) {
            [own, idleTimeout = options.idleTimeout] () throws(NetworkError) in
            try self.eventRequest(for: endpoint, own, idleTimeout: idleTimeout)
        } send: { request throws(NetworkError) in
            try await self.accepted(request)
        } refusal: { kind, response in
            await self.unexpected(kind, response)
        }
        return EventSource(options, opening, clock: configuration.clock, coding: configuration.json)
    }

    private func eventRequest<Value>(
        for endpoint: Endpoint<Value>, _ own: RequestOptions, idleTimeout: Duration?
    ) throws(NetworkError) -> HTTPRequest {
        var request = try request(for: endpoint)
        request.delivery = .streamed
        if !endpoint.fields.contains(.accept) { request.fields[.accept] = MediaType.eventStream.essence }
        if !request.fields.contains(.cacheControl) { request.fields[.cacheControl] = "no-cache" }
        var options = request.options
        options.timeouts.total = own.timeouts.total
        options.timeouts.call = own.timeouts.call
        options.deadline = own.deadline
        options.responseLimit = own.responseLimit
        options.timeouts.inactivity = idleTimeout ?? options.timeouts.inactivity
        options.cachePolicy = .reloadIgnoringCache
        // The event source itself reconnects, as it knows the last event's ID.
        options.retry = .never
        request.options = options
        return request
    }
}
