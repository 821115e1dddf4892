public import GodwitCore

extension MockResponse {
    /// Server-sent events, each sent by itself; `interval` passes before each but the first. Ends behind the last.
    ///
    /// ```swift
    /// route.get("/live").reply(.events(["one", "two"], every: .milliseconds(50)))
    /// route.get("/news").reply(.events([ServerSentEvent(data: "tide", id: "7")]).dropped(after: .events(1)))
    /// ```
    ///
    /// Intervals are measured by the clock of the server or transport. A type or id is written as it is, line breaks
    /// too; `ServerSentEvent.lastEventID` is not sent.
    ///
    /// - Parameters:
    ///   - events: The events, in order. A string literal is an event of the type `message`.
    ///   - interval: The pause before each event but the first; zero by default.
    public static func events(_ events: [ServerSentEvent], every interval: Duration = .zero) -> MockResponse {
        .chunks(events.map(\.encoded), every: interval, contentType: MediaType.eventStream.essence)
    }

    /// Server-sent events whose data are values as JSON, with the API's keys and dates.
    ///
    /// ```swift
    /// route.get("/live").reply(.events(json: [article, article], every: .milliseconds(50)))
    /// ```
    ///
    /// - Parameters:
    ///   - values: The data of each event, in order.
    ///   - type: The type of each event.
    ///   - interval: The pause before each event but the first; zero by default.
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

    /// Server-sent events as a closure makes them: it gets the number of the event, from 0, and nil ends the answer.
    ///
    /// ```swift
    /// route.get("/ticks").reply(.events { number in
    ///     try await clock.sleep(for: .seconds(1))
    ///     return ServerSentEvent(data: "tick", id: "\(number)")
    /// })
    /// ```
    ///
    /// Called when the event before it was handed to the connection, so that a slow client is felt; cancelled when the
    /// client leaves. What it throws breaks the connection. Each answer counts for itself.
    ///
    /// - Parameter next: Makes the event of a number; nil ends the content.
    public static func events(
        _ next: @escaping @Sendable (_ number: Int) async throws -> ServerSentEvent?
    ) -> MockResponse {
        MockResponse(
            fields: [.contentType: MediaType.eventStream.essence], body: .stream { EventChunks(next: next) })
    }
}

/// Events of a closure as the chunks of a content.
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
