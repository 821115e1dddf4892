public import GodwitCore
import Synchronization

extension LiveFeed where Element == ServerSentEvent {
    /// Makes a feed of server-sent events.
    ///
    /// - Parameters:
    ///   - api: The client that connects.
    ///   - endpoint: Where they come from; see `APIClient.events(_:configure:)`.
    ///   - limit: The most events that are kept; less than 1 counts as 1.
    ///   - configure: Changes how it connects. Where the feed runs again, it goes on behind the last event it got.
    public convenience init<Value>(
        _ api: APIClient, _ endpoint: Endpoint<Value>, limit: Int = 100,
        configure: @escaping @Sendable (inout EventSource.Options) -> Void = { _ in }
    ) {
        let source = FeedEvents(configure)
        self.init(limit: limit, forgetPlace: { source.forgetPlace() }) { sink in
            let (events, states) = source.open(api, endpoint, Element.self)
            try await sink.show(source.noting(events), beside: states)
        }
    }
}

extension LiveFeed where Element: Decodable {
    /// Makes a feed of the values that server-sent events carry as JSON.
    ///
    /// - Parameters:
    ///   - api: The client that connects.
    ///   - endpoint: Where they come from; see `APIClient.events(_:configure:)`.
    ///   - type: The type of one value. Data that is none ends the feed with `.decoding`.
    ///   - marker: The data that says that all is said, such as `[DONE]`.
    ///   - limit: The most values that are kept; less than 1 counts as 1.
    ///   - configure: Changes how it connects. Where the feed runs again, it goes on behind the last event it got.
    public convenience init<Value>(
        _ api: APIClient, _ endpoint: Endpoint<Value>, as type: Element.Type, until marker: String? = nil,
        limit: Int = 100, configure: @escaping @Sendable (inout EventSource.Options) -> Void = { _ in }
    ) {
        let source = FeedEvents(configure)
        self.init(limit: limit, forgetPlace: { source.forgetPlace() }) { sink in
            let (events, states) = source.open(api, endpoint, type)
            let values = source.noting(events).decoded(as: type, until: marker, coding: api.configuration.json)
            try await sink.show(values, beside: states)
        }
    }
}

/// Opens the events of a feed, each time behind the last one it got.
private final class FeedEvents: Sendable {
    private let lastEventID = Mutex("")
    private let configure: @Sendable (inout EventSource.Options) -> Void

    init(_ configure: @escaping @Sendable (inout EventSource.Options) -> Void) {
        self.configure = configure
    }

    func open<Value, Element>(
        _ api: APIClient, _ endpoint: Endpoint<Value>, _ element: Element.Type
    ) -> (EventSource, AsyncStream<LiveFeed<Element>.State?>) {
        let (states, tell) = AsyncStream.makeStream(of: LiveFeed<Element>.State?.self)
        let events = api.events(endpoint) { options in
            configure(&options)
            let last = lastEventID.withLock(\.self)
            if !last.isEmpty { options.lastEventID = last }
            options.onStateChange = { [own = options.onStateChange] state in
                own?(state)
                tell.yield(LiveFeed<Element>.State(state))
            }
        }
        return (events, states)
    }

    func forgetPlace() {
        lastEventID.withLock { $0 = "" }
    }

    func noting(_ events: EventSource) -> AsyncMapSequence<EventSource, ServerSentEvent> {
        events.map { event in
            self.lastEventID.withLock { $0 = event.lastEventID }
            return event
        }
    }
}

extension LiveFeed where Element: Codable {
    /// Makes a feed of the values that come over a WebSocket.
    ///
    /// ```swift
    /// let feed = LiveFeed { api.reconnectingWebSocket("live", as: LiveMessage.self) }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The most values that are kept; less than 1 counts as 1.
    ///   - connect: Makes the socket, each time the feed runs. One that nobody else holds is closed when the feed stops;
    ///     hold it, and give out the same again, to send over it.
    public convenience init(
        limit: Int = 100, _ connect: @escaping @Sendable () async throws -> TypedWebSocket<Element>
    ) {
        self.init(limit: limit) { sink in
            let socket = try await connect()
            try await sink.show(socket.messages, beside: socket.socket.states.map { State($0) })
        }
    }
}

extension LiveFeed where Element == WebSocketMessage {
    /// Makes a feed of the messages that come over a WebSocket.
    ///
    /// - Parameters:
    ///   - limit: The most messages that are kept; less than 1 counts as 1.
    ///   - connect: Makes the socket, each time the feed runs. One that nobody else holds is closed when the feed stops.
    public convenience init(
        limit: Int = 100, messages connect: @escaping @Sendable () async throws -> ReconnectingWebSocket
    ) {
        self.init(limit: limit) { sink in
            let socket = try await connect()
            try await sink.show(socket.messages, beside: socket.states.map { State($0) })
        }
    }
}
