#if os(Linux)
import GodwitCore

/// The deadlines of one exchange: connecting, inactivity and the whole.
package struct ExchangeTiming {
    private enum Stage {
        /// It waits for its turn, or until its origin may have another connection.
        case queued
        /// A connection is being made; several attempts share one deadline.
        case connecting
        /// The request is on its way, or the response.
        case moving
    }

    /// A part of the caller's side, which may take any time.
    package struct Party: OptionSet {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let source = Party(rawValue: 1)
        package static let reader = Party(rawValue: 2)
    }

    private let limits: TimeLimits
    let start: LoopTime
    private(set) var requestSent: LoopTime?
    private(set) var firstReceipt: LoopTime?
    private var stage = Stage.queued
    private var last: LoopTime
    private var awaited: Party = []
    private var isAnswered = false
    /// What the peer had acknowledged at the last look, if something is sent.
    private var acknowledged: UInt64?
    private var nextLook: LoopTime?

    init(_ limits: TimeLimits, at now: LoopTime) {
        self.limits = limits
        start = now
        last = now
    }

    /// A connection is made for it, or for those before it.
    package mutating func connecting(at now: LoopTime) {
        guard stage == .queued else { return }
        stage = .connecting
        last = now
    }

    /// The request is sent again, and waits for a connection first.
    mutating func restart(at now: LoopTime) {
        stage = .queued
        last = now
        awaited = []
        isAnswered = false
        nextLook = nil
    }

    /// The request is about to go out.
    mutating func sending(at now: LoopTime, hasBody: Bool) {
        requestSent = now
        moved(at: now)
        acknowledged = nil
        nextLook = hasBody ? now + limits.inactivity / 4 : nil
    }

    mutating func moved(at now: LoopTime) {
        stage = .moving
        last = now
    }

    /// One of the caller's sides is not ready.
    mutating func waits(for party: Party) {
        awaited.insert(party)
    }

    mutating func resumes(after party: Party, at now: LoopTime) {
        awaited.remove(party)
        moved(at: now)
    }

    /// The response's head is complete.
    mutating func answered() {
        isAnswered = true
        nextLook = nil
    }

    /// A byte of the response's head is in.
    mutating func received(at now: LoopTime) {
        moved(at: now)
        if firstReceipt == nil { firstReceipt = now }
    }

    /// The kernel takes some of a body in one step, and carries it without an event: compares what the peer acknowledged.
    mutating func look(_ acknowledged: UInt64?, at now: LoopTime) {
        guard let due = nextLook, due <= now else { return }
        nextLook = now + limits.inactivity / 4
        guard let acknowledged else { return }
        if let before = self.acknowledged, acknowledged > before { last = now }
        self.acknowledged = acknowledged
    }

    /// Whether it waits for the caller's side: then its deadline may have been forgotten. A server that has started to answer
    /// is expected to continue however long the source takes.
    var isSuspended: Bool {
        awaited.contains(.reader) || awaited.contains(.source) && !isAnswered
    }

    /// How many milliseconds it has waited for the server; `nil` if it is not connected, or waits for the caller.
    package func waited(at now: LoopTime) -> Int64? {
        guard stage == .moving, awaited.isEmpty else { return nil }
        return now.nanoseconds(after: last) / 1_000_000
    }

    /// The earliest moment at which it has taken too long; `nil` for never.
    package var deadline: LoopTime? {
        let end = limits.total.map { start + $0 }
        if isSuspended { return end }
        return switch stage {
        case .queued: end
        case .connecting: .earlier(last + limits.connect, end)
        case .moving: .earlier(.earlier(last + limits.inactivity, nextLook), end)
        }
    }

    /// What took too long at this time; `nil` if nothing did.
    func expired(at now: LoopTime) -> NetworkError.Stage? {
        if let total = limits.total, start + total <= now { return .total }
        if isSuspended { return nil }
        switch stage {
        case .queued: return nil
        case .connecting: return last + limits.connect <= now ? .connect : nil
        case .moving: return last + limits.inactivity <= now ? .inactivity : nil
        }
    }
}
#endif
