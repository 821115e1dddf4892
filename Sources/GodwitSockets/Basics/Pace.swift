#if os(Linux)
/// Whether calls come one at a time, and are answered soon.
struct Pace {
    /// How many of the last exchanges were the only ones when they ended, up to ``enough``; and how many of these were
    /// answered soon, up to ``most``, counted from ``afterCompany`` if there was another one.
    private var alone = 0
    private var soon = 0
    private var lastEnd = LoopTime.zero

    private static let enough = 8
    /// After so many, one answer is left to the loop. A caller that waits blocks its thread: if that is the only one, as on one
    /// processor, others can show only now that it isn't alone.
    private static let most = 40
    private static let afterCompany = -120
    /// In nanoseconds.
    static let soonEnough: Int64 = 200_000
    /// How long a connection is left to callers after an answer, in nanoseconds.
    private static let holdTime: Int64 = 50_000_000

    var isAlone: Bool { alone == Self.enough }
    var isSoon: Bool { soon >= Self.enough }
    /// Until when the next caller may come, and wait for its answer itself; `nil` if none is expected.
    var expectsCallers: LoopTime? { isSoon ? lastEnd + Self.holdTime : nil }

    mutating func ended(isAlone: Bool, from start: LoopTime, to end: LoopTime) {
        alone = isAlone ? min(alone + 1, Self.enough) : 0
        if !isAlone {
            soon = Self.afterCompany
        } else if end.nanoseconds(after: start) > Self.soonEnough {
            soon = min(soon, 0)
        } else {
            soon = soon == Self.most ? Self.enough - 1 : soon + 1
        }
        lastEnd = end
    }
}
#endif
