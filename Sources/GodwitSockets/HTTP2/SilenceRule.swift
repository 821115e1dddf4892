#if os(Linux)
package import GodwitCore

/// How long, in milliseconds, a shared connection must have been silent to be closed when one of its requests ends without a
/// response.
///
/// A slow connection that is alive may be closed too: that costs a handshake, while keeping a dead one costs every request.
package struct SilenceRule: Equatable, Sendable {
    /// The limit if no other request uses it, which is shorter.
    package var alone: Int64
    /// The limit if other requests use it, which end with it; `nil` means never.
    package var shared: Int64?

    /// How a request ended.
    package enum Ending: Sendable {
        /// Its inactivity limit passed.
        case inactivity(limit: Int64)
        /// Its total limit passed, after it had waited for so long.
        case total(waited: Int64)
        /// Its caller canceled it, after it had waited for so long.
        case cancelled(waited: Int64)
    }

    package init(_ ending: Ending) {
        switch ending {
        case .inactivity(let limit):
            alone = limit / 2
            shared = limit - Self.tolerance
        case .total(let waited):
            // With short limits it takes several requests until the silence is long enough.
            alone = max(1_000, waited - Self.tolerance)
            shared = max(10_000, waited - Self.tolerance)
        case .cancelled(let waited):
            alone = max(2_000, waited - Self.tolerance)
            shared = nil
        }
    }

    /// Whether a connection is closed.
    ///
    /// - Parameter silence: Negative if unknown.
    package func givesUp(after silence: Int64, others: Int) -> Bool {
        if silence < 0 { return false }
        if others == 0 { return silence >= alone }
        return shared.map { silence >= $0 } ?? false
    }

    /// How much two clocks may differ.
    private static let tolerance: Int64 = 20
}

extension SilenceRule.Ending {
    /// How an exchange ended that took too long; `nil` if it didn't wait for the server.
    package init?(_ exchange: Exchange, expiredIn stage: NetworkError.Stage, at now: LoopTime) {
        guard let waited = exchange.timing?.waited(at: now) else { return nil }
        switch stage {
        case .connect: return nil
        case .inactivity:
            self = .inactivity(limit: TimeLimits(exchange.options.timeouts).inactivity / 1_000_000)
        case .total: self = .total(waited: waited)
        }
    }

    /// How an exchange ended whose caller gave up; `nil` if it hadn't waited for long.
    package init?(cancelled exchange: Exchange, at now: LoopTime) {
        guard let waited = exchange.timing?.waited(at: now), waited >= 2_000 else { return nil }
        self = .cancelled(waited: waited)
    }
}
#endif
