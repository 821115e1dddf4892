#if os(Linux)
/// The connections of a loop as a value: decides which one a request gets, when another is made, and which are closed. It knows
/// them by numbers, and by what they report.
struct Pool {
    /// What a request gets.
    enum Decision: Equatable {
        case use(Int)
        /// A new connection has to be made. The request waits for it.
        case open
        /// The same, once this idle connection is closed.
        case openAfterClosing(Int)
        /// A connection is being made, or there are as many as may be.
        case wait
    }

    struct Limits {
        var perHost = Int.max
        var total = Int.max
        var idle = 256
        /// Nanoseconds that a connection may be idle, and old. `nil` means no limit.
        var idleTime: Int64?
        var lifetime: Int64?
    }

    private enum Use: Equatable {
        case dialing
        /// HTTP/1: one request at a time.
        case exclusive(isBusy: Bool)
        /// HTTP/2: many; as many as its server says once it speaks, and one until then.
        case shared(streams: Int, limit: Int?)
    }

    private struct Entry {
        let group: Int
        var use: Use
        var opened: LoopTime
        var idleSince: LoopTime
        /// When the server will close it, as it said.
        var keepUntil: LoopTime?
        /// It gets no more requests.
        var isRetired = false
        /// Whether a request on it is over.
        var hasFinished = false
        /// Its place among the members of its group.
        var place: Int

        var isIdle: Bool {
            switch use {
            case .dialing, .exclusive(isBusy: true): false
            case .exclusive(isBusy: false): true
            case .shared(let streams, _): streams == 0
            }
        }
    }

    private struct Group {
        var members: [Int] = []
        /// How many shared ones have not said how many requests they take.
        var unknown = 0
        /// Idle exclusive ones, the one used last at the end: it is the least likely to be closed by the server.
        var idle: [Int] = []
        var dialing = 0
        /// Whether its connections are shared; `nil` until one was made.
        var isShared: Bool?
        /// The fewest requests that one of its shared connections takes, as its server said.
        var streams: Int?

        /// How many requests those connections will take that are being made.
        var expected: Int {
            guard isShared != false else { return dialing }
            return dialing + unknown == 0
                ? 0 : (dialing + unknown).multipliedReportingOverflow(by: streams ?? .max / 4096).partialValue
        }
    }

    let limits: Limits
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var groups: [Group] = []
    private(set) var count = 0

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Adds a group of connections that are alike: of one origin, and one way to it.
    mutating func addGroup() -> Int {
        groups.append(Group())
        return groups.count - 1
    }

    // MARK: Requests

    /// Decides for the request that has waited longest in a group.
    ///
    /// - Parameters:
    ///   - waiting: How many requests of the group wait, this one included.
    ///   - mayShare: Whether connections of the group may be shared.
    ///   - isFresh: Whether it has to be a new connection.
    mutating func next(for group: Int, waiting: Int, mayShare: Bool, isFresh: Bool, at now: LoopTime) -> Decision {
        if !isFresh, let number = takeUsable(in: group, at: now) { return .use(number) }
        let known = groups[group]
        // A request that has to have a new connection counts as one.
        guard (isFresh || !mayShare ? known.dialing : known.expected) < waiting else { return .wait }
        let isShared = known.isShared == true
        guard known.members.count < limits.perHost else {
            // A fresh one may take the place of an idle one.
            guard isFresh || isShared, let idle = known.members.first(where: { entries[$0]?.isIdle == true }) else {
                return .wait
            }
            return .openAfterClosing(idle)
        }
        guard count < limits.total else {
            return oldestIdle().map { .openAfterClosing($0) } ?? .wait
        }
        return .open
    }

    /// Gives a request this connection, which is new.
    mutating func take(_ number: Int) {
        guard let entry = entries[number] else { return }
        switch entry.use {
        case .shared(let streams, let limit): entries[number]?.use = .shared(streams: streams + 1, limit: limit)
        case .exclusive, .dialing:
            entries[number]?.use = .exclusive(isBusy: true)
            groups[entry.group].idle.removeAll { $0 == number }
        }
    }

    private mutating func takeUsable(in group: Int, at now: LoopTime) -> Int? {
        if let number = groups[group].idle.last {
            // What is over its time is about to be closed.
            guard !isOver(number, at: now) else { return nil }
            groups[group].idle.removeLast()
            entries[number]?.use = .exclusive(isBusy: true)
            return number
        }
        guard groups[group].isShared == true else { return nil }
        for number in groups[group].members {
            guard let entry = entries[number], !entry.isRetired, case .shared(let streams, let limit) = entry.use,
                streams < mostStreams(entry, limit), !isOver(number, at: now)
            else { continue }
            entries[number]?.use = .shared(streams: streams + 1, limit: limit)
            return number
        }
        return nil
    }

    /// How many requests a shared connection takes. A new one may announce fewer soon, as others of the server did.
    private func mostStreams(_ entry: Entry, _ limit: Int?) -> Int {
        guard let limit, !entry.hasFinished else { return limit ?? 1 }
        return min(limit, groups[entry.group].streams ?? limit)
    }

    /// Whether a connection that was taken still serves its request, after what the server has said meanwhile.
    func serves(_ number: Int) -> Bool {
        guard let entry = entries[number], !entry.isRetired else { return false }
        guard case .shared(let streams, let limit?) = entry.use else { return true }
        return streams <= limit
    }

    private func isOver(_ number: Int, at now: LoopTime) -> Bool {
        guard let entry = entries[number] else { return true }
        if entry.isRetired { return true }
        if let keepUntil = entry.keepUntil, keepUntil <= now, entry.isIdle { return true }
        if let lifetime = limits.lifetime, entry.opened + lifetime <= now { return true }
        guard entry.isIdle, let idleTime = limits.idleTime else { return false }
        return entry.idleSince + idleTime <= now
    }

    // MARK: Connections

    /// A connection is being made. Returns its number.
    mutating func open(in group: Int, at now: LoopTime) -> Int {
        let entry = Entry(group: group, use: .dialing, opened: now, idleSince: now, place: groups[group].members.count)
        let number = free.popLast() ?? entries.count
        if number == entries.count { entries.append(entry) } else { entries[number] = entry }
        groups[group].members.append(number)
        groups[group].dialing += 1
        count += 1
        return number
    }

    /// A connection is made, and idle.
    ///
    /// - Parameter isShared: Whether it carries many requests at a time.
    mutating func connected(_ number: Int, isShared: Bool, at now: LoopTime) {
        guard let group = entries[number]?.group else { return }
        if entries[number]?.use == .dialing { groups[group].dialing -= 1 }
        entries[number]?.opened = now
        entries[number]?.idleSince = now
        groups[group].isShared = isShared
        if isShared {
            groups[group].unknown += 1
            entries[number]?.use = .shared(streams: 0, limit: nil)
        } else {
            entries[number]?.use = .exclusive(isBusy: false)
            groups[group].idle.append(number)
        }
    }

    /// How many requests a shared connection takes, as its server says.
    mutating func limit(_ number: Int, to limit: Int) {
        guard case .shared(let streams, let before)? = entries[number]?.use, let group = entries[number]?.group else {
            return
        }
        if before == nil { groups[group].unknown -= 1 }
        groups[group].streams = max(1, min(limit, groups[group].streams ?? limit))
        entries[number]?.use = .shared(streams: streams, limit: limit)
    }

    /// A connection gets no more requests. Returns whether it is idle, and can be closed.
    mutating func retire(_ number: Int) -> Bool {
        guard let entry = entries[number] else { return false }
        entries[number]?.isRetired = true
        groups[entry.group].idle.removeAll { $0 == number }
        return entry.isIdle
    }

    /// A request on a connection is over. Returns whether the connection stays; otherwise it has to be closed.
    ///
    /// - Parameter keepUntil: When the server will close it, as it said.
    mutating func finished(_ number: Int, keepUntil: LoopTime? = nil, at now: LoopTime) -> Bool {
        guard let entry = entries[number] else { return true }
        entries[number]?.idleSince = now
        entries[number]?.keepUntil = keepUntil
        entries[number]?.hasFinished = true
        switch entry.use {
        case .shared(let streams, let limit):
            entries[number]?.use = .shared(streams: max(0, streams - 1), limit: limit)
            return !(entry.isRetired && streams <= 1)
        case .exclusive:
            if entry.isRetired || isOld(entry, at: now) { return false }
            entries[number]?.use = .exclusive(isBusy: false)
            groups[entry.group].idle.append(number)
            return true
        case .dialing: return true
        }
    }

    private func isOld(_ entry: Entry, at now: LoopTime) -> Bool {
        limits.lifetime.map { entry.opened + $0 <= now } ?? false
    }

    /// A connection was closed, or could not be made.
    mutating func closed(_ number: Int) {
        guard let entry = entries[number] else { return }
        if entry.use == .dialing { groups[entry.group].dialing -= 1 }
        if case .shared(_, nil) = entry.use { groups[entry.group].unknown -= 1 }
        let last = groups[entry.group].members.removeLast()
        if last != number {
            groups[entry.group].members[entry.place] = last
            entries[last]?.place = entry.place
        }
        if entry.use == .exclusive(isBusy: false) { groups[entry.group].idle.removeAll { $0 == number } }
        entries[number] = nil
        free.append(number)
        count -= 1
    }

    // MARK: Upkeep

    /// The connections to close now: idle for too long, too old, or too many.
    mutating func sweep(at now: LoopTime) -> [Int] {
        var due = entries.indices.filter { entries[$0]?.isIdle == true && isOver($0, at: now) }
        let idle = entries.indices.filter { entries[$0]?.isIdle == true }.count
        let excess = idle - due.count - limits.idle
        if excess > 0 {
            let left = entries.indices.filter { entries[$0]?.isIdle == true && !due.contains($0) }
            due += left.sorted { idleSince($0) < idleSince($1) }.prefix(excess)
        }
        return due
    }

    private func idleSince(_ number: Int) -> LoopTime { entries[number]?.idleSince ?? .zero }

    /// When a connection has to be closed next; `nil` for never.
    var nextSweep: LoopTime? {
        var next: LoopTime?
        for case let entry? in entries where entry.isIdle {
            next = .earlier(next, limits.idleTime.map { entry.idleSince + $0 })
            next = .earlier(next, limits.lifetime.map { entry.opened + $0 })
            next = .earlier(next, entry.keepUntil)
        }
        return next
    }

    /// The connection that has been idle for longest.
    func oldestIdle() -> Int? {
        entries.indices.filter { entries[$0]?.isIdle == true }.min { idleSince($0) < idleSince($1) }
    }

    /// All connections that are made.
    var connections: [Int] { entries.indices.filter { entries[$0].map { $0.use != .dialing } ?? false } }

    var idleCount: Int { entries.reduce(0) { $0 + ($1?.isIdle == true ? 1 : 0) } }
    func idleCountExceeds(_ most: Int) -> Bool { count > most && idleCount > most }
    func memberCount(of group: Int) -> Int { groups[group].members.count }
    func dialingCount(of group: Int) -> Int { groups[group].dialing }
}
#endif
