public import GodwitCore
import Synchronization

extension LiveFeed where Element == ServerSentEvent {
    /// Creates a feed of server-sent events.
    ///
    /// - Parameters:
    ///   - api: Opens the stream.
    ///   - endpoint: The source of the events; see `APIClient.events(_:configure:)`.
    ///   - limit: Maximum events kept; less than 1 counts as 1.
    ///   - configure: Changes the options. If the feed runs again, it resumes after its last event.
    public convenience init<Value>(
        _ api: APIClient, _ endpoint: Endpoint<Value>, limit: Int = 100,
        configure: @escaping @Sendable (inout EventSource.Options) -> Void = { _ in }
    ) {
        self.init(limit: limit) { sink, place in
            let source = FeedEvents(after: place, configure)
            let (events, states) = source.open(api, endpoint, Element.self)
            try await sink.show(source.noting(events), states: states) { source.place }
        }
    }
}

extension LiveFeed where Element: Decodable {
    /// Creates a feed of values, decoded from the JSON in server-sent events.
    ///
    /// - Parameters:
    ///   - api: Opens the stream.
    ///   - endpoint: The source of the events; see `APIClient.events(_:configure:)`.
    ///   - type: The type of a value. Invalid data ends the feed with `.decoding`.
    ///   - marker: The data that marks the end, such as `[DONE]`.
    ///   - limit: Maximum values kept; less than 1 counts as 1.
    ///   - configure: Changes the options. If the feed runs again, it resumes after its last event.
    public convenience init<Value>(
        _ api: APIClient, _ endpoint: Endpoint<Value>, as type: Element.Type, until marker: String? = nil,
        limit: Int = 100, configure: @escaping @Sendable (inout EventSource.Options) -> Void = { _ in }
    ) {
        self.init(limit: limit) { sink, place in
            let source = FeedEvents(after: place, configure)
            let (events, states) = source.open(api, endpoint, type)
            let values = source.noting(events).decoded(as: type, until: marker, coding: api.configuration.json)
            try await sink.show(values, states: states) { source.place }
        }
    }
}

/// The events of one run of a feed, and the place after the last one that was read.
private final class FeedEvents: Sendable {
    private let lastEventID: Mutex<String?>
    private let configure: @Sendable (inout EventSource.Options) -> Void

    init(after place: String?, _ configure: @escaping @Sendable (inout EventSource.Options) -> Void) {
        lastEventID = Mutex(place)
        self.configure = configure
    }

    /// The feed keeps it when it has taken the event: an event that is read but not taken is sent again.
    var place: String? { lastEventID.withLock(\.self) }

    func open<Value, Element>(
        _ api: APIClient, _ endpoint: Endpoint<Value>, _ element: Element.Type
    ) -> (EventSource, AsyncStream<LiveFeed<Element>.State?>) {
        let (states, notify) = AsyncStream.makeStream(of: LiveFeed<Element>.State?.self)
        let events = api.events(endpoint) { options in
            configure(&options)
            if let place, !place.isEmpty { options.lastEventID = place }
            options.onStateChange = { [own = options.onStateChange] state in
                own?(state)
                notify.yield(LiveFeed<Element>.State(state))
            }
        }
        return (events, states)
    }

    func noting(_ events: EventSource) -> AsyncMapSequence<EventSource, ServerSentEvent> {
        events.map { event in
            self.lastEventID.withLock { $0 = event.lastEventID }
            return event
        }
    }
}

extension LiveFeed where Element: Codable {
    /// Creates a feed of values received over a WebSocket.
    ///
    /// ```swift
    /// let feed = LiveFeed { api.webSocket("live", as: LiveMessage.self) }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: Maximum values kept; less than 1 counts as 1.
    ///   - connect: Creates the socket each time the feed runs. If nothing else holds the socket, it is closed when the
    ///     feed stops. To send over it, hold it and return the same one again.
    public convenience init(
        limit: Int = 100, _ connect: @escaping @Sendable () async throws -> TypedWebSocket<Element>
    ) {
        self.init(limit: limit) { sink, _ in
            let socket = try await connect()
            try await sink.show(socket.messages, states: socket.socket.states.map { State($0) })
        }
    }
}

extension LiveFeed where Element == WebSocketMessage {
    /// Creates a feed of messages received over a WebSocket.
    ///
    /// - Parameters:
    ///   - limit: Maximum messages kept; less than 1 counts as 1.
    ///   - connect: Creates the socket each time the feed runs. If nothing else holds it, it is closed when the feed
    ///     stops.
    public convenience init(
        limit: Int = 100, messages connect: @escaping @Sendable () async throws -> ReconnectingWebSocket
    ) {
        self.init(limit: limit) { sink, _ in
            let socket = try await connect()
            try await sink.show(socket.messages, states: socket.states.map { State($0) })
        }
    }
}
