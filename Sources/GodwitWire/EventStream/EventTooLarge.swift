/// An event is longer than the limit for one event.
public struct EventTooLarge: Error, Sendable, Hashable {
    /// The most bytes an event may have.
    public let limit: Int

    /// Makes the error.
    ///
    /// - Parameter limit: The limit that was passed, in bytes.
    package init(limit: Int) {
        self.limit = limit
    }
}
