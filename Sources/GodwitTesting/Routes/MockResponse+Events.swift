public import GodwitCore

extension MockResponse {
    /// Server-sent events, each sent separately. The response ends after the last one.
    ///
    /// ```swift
    /// route.get("/live").reply(.events(["one", "two"], every: .milliseconds(50)))
    /// route.get("/news").reply(.events([ServerSentEvent(data: "tide", id: "7")]).dropped(after: .events(1)))
    /// ```
    ///
    /// Types and IDs are sent unchanged, including line breaks. `ServerSentEvent.lastEventID` is not sent.
    ///
    /// - Parameters:
    ///   - events: The events in order. A string literal is an event with the type `message`.
    ///   - interval: The pause before each event except the first, by the clock of the server or transport; zero by default.
    public static func events(_ events: [ServerSentEvent], every interval: Duration = .zero) -> MockResponse {
        .chunks(events.map(\.encoded), every: interval, contentType: MediaType.eventStream.essence)
    }

    /// Server-sent events with values as JSON, with the keys and dates of the API.
    ///
    /// ```swift
    /// route.get("/live").reply(.events(json: [article, article], every: .milliseconds(50)))
    /// ```
    ///
    /// - Parameters:
    ///   - values: The data of each event in order.
    ///   - type: The type of each event.
    ///   - interval: The pause before each event except the first; zero by default.
    public static func events(
        json values: [some Encodable & Sendable], type: String = "message", every interval: Duration = .zero
    ) -> MockResponse {
        MockResponse(
            fields: [.contentType: MediaType.eventStream.essence],
            content: .coded { coding throws(NetworkError) in
                var events: [Data] = []
                for value in values {
                    let data = String(decoding: try coding.encode(value), as: UTF8.self)
                    events.append(ServerSentEvent(data: data, type: type).encoded)
                }
                return .chunks(events, every: interval)
            })
    }

    /// Server-sent events from a closure.
    ///
    /// ```swift
    /// route.get("/ticks").reply(.events { number in
    ///     try await clock.sleep(for: .seconds(1))
    ///     return ServerSentEvent(data: "tick", id: "\(number)")
    /// })
    /// ```
    ///
    /// The closure runs once the previous event was passed to the connection, so a slow client slows it down. It is canceled
    /// if the client disconnects. Its error breaks the connection.
    ///
    /// - Parameter next: Receives the number of the event, from 0 for each response. `nil` ends the response.
    public static func events(
        _ next: @escaping @Sendable (_ number: Int) async throws -> ServerSentEvent?
    ) -> MockResponse {
        MockResponse(
            fields: [.contentType: MediaType.eventStream.essence], body: .stream { EventChunks(next: next) })
    }
}

private struct EventChunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = Data

    let next: @Sendable (Int) async throws -> ServerSentEvent?
    private var number = 0

    init(next: @escaping @Sendable (Int) async throws -> ServerSentEvent?) {
        self.next = next
    }

    func makeAsyncIterator() -> EventChunks { self }

    mutating func next() async throws -> Data? {
        defer { number += 1 }
        return try await next(number)?.encoded
    }
}
