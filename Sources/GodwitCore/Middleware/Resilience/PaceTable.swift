import Synchronization

/// The paces of all origins that were called of late.
final class PaceTable: Sendable {
    private let paces = Mutex<[Origin: Pace]>([:])

    /// From this many on, paces that have nothing to remember are dropped before another is added.
    private static let crowded = 256

    func change<Value: Sendable>(
        _ origin: Origin, _ rule: RateRule, at now: Duration, _ body: (inout Pace) -> Value
    ) -> Value {
        paces.withLock { paces in
            if paces.count >= Self.crowded, paces[origin] == nil { paces = paces.filter { !$0.value.isFresh(at: now) } }
            return body(&paces[origin, default: Pace(rule)])
        }
    }
}
