#if os(Linux)
import GodwitCore
import GodwitSockets

/// How many connections an engine has with each origin: made, being made or kept.
struct OpenConnections {
    private var origins: [Int32: Origin] = [:]
    private var counts: [Origin: Int] = [:]

    /// A socket was opened for an exchange with an origin.
    mutating func opened(_ descriptor: Int32, to origin: Origin) {
        closed(descriptor)
        origins[descriptor] = origin
        counts[origin, default: 0] += 1
    }

    mutating func closed(_ descriptor: Int32) {
        guard let origin = origins.removeValue(forKey: descriptor), let count = counts[origin] else { return }
        counts[origin] = count > 1 ? count - 1 : nil
    }

    func count(of origin: Origin) -> Int { counts[origin] ?? 0 }
}
#endif
