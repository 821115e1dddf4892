/// A value together with what is known of how current it is.
///
/// ```swift
/// for try await reading in api.reading(.article(id: 42), from: models) {
///     show(reading.value, isDimmed: reading.isStale)
/// }
/// ```
public struct Reading<Value: Sendable>: Sendable {
    /// Where a value was taken from.
    public enum Source: Sendable, Hashable {
        /// From the store, without asking the server.
        case store
        /// From the server, by way of the client's middlewares.
        case network
    }

    /// The value.
    public let value: Value

    /// When it came from the server.
    public let date: Date

    /// Whether it is older than it was to be. A fresh one follows, unless the server fails.
    public let isStale: Bool

    /// Where it was taken from.
    public let source: Source

    /// Makes a reading, as a preview or a test of a screen does.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - date: When it came from the server.
    ///   - isStale: Whether it is older than was asked for, so that a fresh one follows.
    ///   - source: Where it was taken from.
    public init(value: Value, date: Date, isStale: Bool, source: Source) {
        self.value = value
        self.date = date
        self.isStale = isStale
        self.source = source
    }
}

extension Reading: Equatable where Value: Equatable {}
