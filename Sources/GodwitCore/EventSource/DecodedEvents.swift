extension EventSource {
    /// The data of the events as JSON values, read as the client's coding says.
    ///
    /// - Parameters:
    ///   - type: The type of one value.
    ///   - marker: The data that says that all is said, such as `[DONE]`: ends the loop and the connection.
    ///
    /// An event that is no such value throws `.decoding`, which counts it. To read one kind of event only, filter first:
    /// `api.events(.live).filter { $0.type == "price" }.decoded(as: Price.self, coding: JSONCoding())`.
    public func decoded<Value: Decodable>(
        as type: Value.Type, until marker: String? = nil
    ) -> DecodedEvents<Self, Value> {
        DecodedEvents(self, until: marker, coding: coding)
    }
}

extension AsyncSequence where Self: Sendable, Element == ServerSentEvent, Failure == NetworkError {
    /// The data of the events as JSON values.
    ///
    /// - Parameters:
    ///   - type: The type of one value.
    ///   - marker: The data that ends the loop; nil for none.
    ///   - coding: How keys, dates and bytes are spelled.
    public func decoded<Value: Decodable>(
        as type: Value.Type, until marker: String? = nil, coding: JSONCoding
    ) -> DecodedEvents<Self, Value> {
        DecodedEvents(self, until: marker, coding: coding)
    }
}

/// Events read as one JSON value each, decoded when it is asked for.
///
/// ```swift
/// for try await delta in api.events(.chat(prompt)).decoded(as: Delta.self, until: "[DONE]") { print(delta.text) }
/// ```
public struct DecodedEvents<Events: AsyncSequence & Sendable, Value: Decodable>: AsyncSequence, Sendable
where Events.Element == ServerSentEvent, Events.Failure == NetworkError {
    public typealias Element = Value
    public typealias Failure = NetworkError

    private let events: Events
    private let marker: String?
    private let coding: JSONCoding

    init(_ events: Events, until marker: String?, coding: JSONCoding) {
        self.events = events
        self.marker = marker
        self.coding = coding
    }

    /// Starts a reading of the events.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator(), marker: marker, coding: coding)
    }

    /// Decodes an event when it is asked for.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var events: Events.AsyncIterator?
        private let marker: String?
        private let coding: JSONCoding
        private var count = 0

        fileprivate init(events: Events.AsyncIterator, marker: String?, coding: JSONCoding) {
            self.events = events
            self.marker = marker
            self.coding = coding
        }

        /// The next value; nil behind the marker, or where the events end.
        ///
        /// Throws `.decoding` for an event that is no such value, and what the events throw.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Value? {
            guard let event = try await events?.next(isolation: actor), event.data != marker else {
                // Lets the connection go.
                events = nil
                return nil
            }
            count += 1
            do throws(NetworkError) {
                return try coding.decode(Value.self, from: Data(event.data.utf8))
            } catch {
                throw error.inValue(count)
            }
        }

        public mutating func next() async throws(NetworkError) -> Value? {
            try await next(isolation: nil)
        }
    }
}
