#if os(Linux)
/// Counts frames that bring nothing, such as PING, SETTINGS and empty DATA: a server that sends too many of them keeps the client busy
/// without an answer (RFC 9113 section 10.5).
struct FrameFlood {
    /// As many in a second are a flood. A server that acknowledges a large upload frame by frame sends a few thousand at once.
    static let limit = 10_000
    private static let period: Int64 = 1_000_000_000

    private var count = 0
    private var start = LoopTime.zero

    /// A frame begins. Returns whether there have been too many.
    mutating func add(at now: LoopTime) -> Bool {
        if count == 0 || start + Self.period <= now {
            count = 0
            start = now
        }
        count += 1
        return count > Self.limit
    }

    /// Bytes of a body or a head moved.
    mutating func reset() { count = 0 }
}
#endif
