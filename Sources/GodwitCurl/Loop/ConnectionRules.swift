package import GodwitCore

/// Decides from its times what becomes of a connection. All durations are in nanoseconds.
package struct ConnectionRules: Sendable {
    /// How long a connection may be idle, and how old it may get. `nil` means no limit.
    package var idle: Int64?
    package var lifetime: Int64?

    package enum Decision: Equatable, Sendable {
        /// Stays, and has to be looked at again after this long; `nil` means not because of its age.
        case keep(again: Int64?)
        /// Is closed now.
        case close
        /// Gets no further request, and is closed when its last one ends.
        case retire
    }

    package init(_ policy: ConnectionPolicy) {
        idle = policy.idleTimeout.map(Self.nanoseconds)
        lifetime = policy.maximumLifetime.map(Self.nanoseconds)
    }

    /// How long after a connection became idle the first look is due; `nil` means never.
    package var delay: Int64? {
        [idle, lifetime].compactMap(\.self).min()
    }

    /// - Parameters:
    ///   - age: Since the connection was opened.
    ///   - idleTime: Since its last request ended; `nil` while it carries one.
    package func decision(age: Int64, idleTime: Int64?) -> Decision {
        guard let idleTime else {
            guard let lifetime else { return .keep(again: nil) }
            return age >= lifetime ? .retire : .keep(again: lifetime - age)
        }
        let rests = [idle.map { $0 - idleTime }, lifetime.map { $0 - age }].compactMap(\.self)
        guard let rest = rests.min() else { return .keep(again: nil) }
        return rest <= 0 ? .close : .keep(again: rest)
    }

    /// A century is as good as a duration that overflows.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return min(max(seconds, 0), 1 << 31) * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000
    }
}
