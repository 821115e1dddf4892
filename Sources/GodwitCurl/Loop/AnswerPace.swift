#if os(Linux)
import GodwitSockets

/// Whether answers come so soon that a caller with the turn waits for them itself (decision 111).
struct AnswerPace {
    /// How long a caller waits at most, in nanoseconds.
    let soon: Int64
    /// So many in a row make sure.
    private static let toBeSure = 8

    private var start: LoopTime?
    private var soonInARow = 0

    init(soon: Int64) {
        self.soon = soon
    }

    /// Whether the next answer is expected soon.
    var isQuick: Bool { soonInARow >= Self.toBeSure }

    /// An exchange started.
    ///
    /// - Parameter isAlone: Whether no other was under way.
    mutating func started(at now: LoopTime, isAlone: Bool) {
        start = isAlone ? now : nil
        if !isAlone { soonInARow = 0 }
    }

    /// The exchange that started last ended.
    mutating func ended(at now: LoopTime) {
        guard let start else { return }
        soonInARow = now.nanoseconds(after: start) <= soon ? min(soonInARow + 1, Self.toBeSure) : 0
    }

    /// A caller waited in vain.
    mutating func missed() {
        start = nil
        soonInARow = 0
    }
}
#endif
