extension EventSource {
    /// Decodes the data of the events as JSON with the client's coding.
    ///
    /// An event that can't be decoded throws `.decoding` with the event's number. To read one type of event only, filter
    /// first: `api.events(.live).filter { $0.type == "price" }.decoded(as: Price.self, coding: JSONCoding())`.
    ///
    /// - Parameters:
    ///   - type: The type of one value.
    ///   - marker: The data of the last event, such as `[DONE]`, which ends the loop and the connection.
    public func decoded<Value: Decodable>(
        as type: Value.Type, until marker: String? = nil
    ) -> DecodedEvents<Self, Value> {
        DecodedEvents(self, until: marker, coding: coding)
    }
}

extension AsyncSequence where Self: Sendable, Element == ServerSentEvent, Failure == NetworkError {
    /// Decodes the data of the events as JSON.
    ///
    /// - Parameters:
    ///   - type: The type of one value.
    ///   - marker: The data of the last event, which ends the loop; `nil` for no such event.
    ///   - coding: How keys, dates and bytes are encoded.
    public func decoded<Value: Decodable>(
        as type: Value.Type, until marker: String? = nil, coding: JSONCoding
    ) -> DecodedEvents<Self, Value> {
        DecodedEvents(self, until: marker, coding: coding)
    }
}

/// Events whose data is decoded as one JSON value each, on demand.
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

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator(), marker: marker, coding: coding)
    }

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

        /// The next value; `nil` after the last event or the marker.
        ///
        /// - Throws: `.decoding` if the event isn't such a value, and what the events throw.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Value? {
            guard let event = try await events?.next(isolation: actor), event.data != marker else {
                // Closes the connection.
                events = nil
                return nil
            }
            count += 1
            do throws(NetworkError) {
                return try coding.decode(Value.self, from: Data(event.data.utf8))
            } catch {
                throw error.inValue(count).hidingSecrets(of: (events as? any CallReading)?.sent)
            }
        }

        public mutating func next() async throws(NetworkError) -> Value? {
            try await next(isolation: nil)
        }
    }
}
