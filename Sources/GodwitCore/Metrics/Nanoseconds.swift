/// A duration, or none, as a number of nanoseconds: a third of the memory, where many are handed from thread to thread.
///
/// What lies beyond 292 years is kept as that.
struct Nanoseconds: Sendable, Hashable {
    private var count = Self.none

    /// No duration.
    private static let none = Int64.min

    var duration: Duration? {
        get { count == Self.none ? nil : .nanoseconds(count) }
        set { count = newValue.map { Int64(clamping: $0.attoseconds / 1_000_000_000) } ?? Self.none }
    }
}
