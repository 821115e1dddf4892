/// How long a shared connection must have been silent to be given up when one of its requests ends without an answer. In
/// milliseconds.
///
/// A connection that is alive but slow is given up too if nothing arrives for so long: that costs a handshake, while a dead one
/// that is kept costs every request.
package struct SilenceRule: Equatable, Sendable {
    /// If no other request is on it. What nobody else uses is given up sooner.
    package var alone: Int64
    /// If there are others, which end with it; `nil` means never.
    package var shared: Int64?

    /// How a request ended.
    package enum Ending: Sendable {
        /// Nothing arrived within its inactivity limit.
        case inactivity(limit: Int64)
        /// Its total limit was over, after it had waited for so long.
        case total(waited: Int64)
        /// Its caller gave up, after it had waited for so long.
        case cancelled(waited: Int64)
    }

    package init(_ ending: Ending) {
        switch ending {
        case .inactivity(let limit):
            (alone, shared) = (limit / 2, limit - Self.tolerance)
        case .total(let waited):
            // Short limits need several requests until the silence is long enough.
            (alone, shared) = (max(1_000, waited - Self.tolerance), max(10_000, waited - Self.tolerance))
        case .cancelled(let waited):
            (alone, shared) = (max(2_000, waited - Self.tolerance), nil)
        }
    }

    /// Whether a connection is given up.
    ///
    /// - Parameter silence: Negative if it is unknown.
    package func givesUp(after silence: Int64, others: Int) -> Bool {
        if silence < 0 { return false }
        if others == 0 { return silence >= alone }
        return shared.map { silence >= $0 } ?? false
    }

    /// What two clocks may differ by.
    private static let tolerance: Int64 = 20
}
