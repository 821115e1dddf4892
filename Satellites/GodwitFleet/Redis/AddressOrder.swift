#if os(Linux)
import GodwitCore

/// Decides in which order several addresses are tried, and for how long. It connects to nothing.
struct AddressOrder: Sendable, Hashable {
    /// The index of the address that is tried first: the one that worked last.
    private(set) var first = 0

    /// The indices in the order in which they are tried.
    func indices(_ count: Int) -> [Int] { (0..<count).map { (first % count + $0) % count } }

    /// Notes which address worked.
    mutating func succeed(_ index: Int) { first = index }

    /// None worked: the next attempt begins with another one.
    mutating func fail() { first = (first + 1) % (1 << 20) }

    /// When to give up an address: each of those that are left has an equal part of the time, so that one that never
    /// answers doesn't use the time of the others.
    static func deadline(
        _ end: ContinuousClock.Instant, remaining: Int, now: ContinuousClock.Instant = .now
    ) -> ContinuousClock.Instant {
        min(end, now + max(.zero, now.duration(to: end)) / max(1, remaining))
    }
}
#endif
