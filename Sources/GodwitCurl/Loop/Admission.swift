package import GodwitCore

/// Decides how many exchanges with one origin are given to libcurl before one of them has a connection.
///
/// Where a connection may turn out to be shared, libcurl lets the others wait for the first one, and wakes all of them
/// whenever something happens to it: a thousand that wait then cost a thousand times as much, in one call.
package struct Admission {
    /// The most exchanges with an origin that was not reached yet.
    package static let mostProbes = 8
    private static let mostKnown = 1024

    private var probes: [Origin: Int] = [:]
    private var known: Set<Origin> = []
    /// Known, and the likeliest to be asked for again.
    private var recent: Origin?

    package init() {}

    /// Whether an exchange may begin, and if so, whether as a probe.
    package mutating func admit(_ origin: Origin) -> (isAdmitted: Bool, isProbe: Bool) {
        if origin == recent { return (true, false) }
        if known.contains(origin) {
            recent = origin
            return (true, false)
        }
        let count = probes[origin, default: 0]
        guard count < Self.mostProbes else { return (false, false) }
        probes[origin] = count + 1
        return (true, true)
    }

    /// A probe has a connection.
    package mutating func established(_ origin: Origin) {
        probes[origin] = nil
        if known.count >= Self.mostKnown { known = [] }
        known.insert(origin)
        recent = origin
    }

    /// A probe ended; whether another exchange may take its place.
    package mutating func ended(_ origin: Origin) -> Bool {
        guard let count = probes[origin] else { return false }
        probes[origin] = count > 1 ? count - 1 : nil
        return true
    }
}
