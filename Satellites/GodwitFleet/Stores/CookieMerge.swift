#if os(Linux)
import GodwitCore

/// Merges the cookies of a jar with those in Redis. It has no I/O.
///
/// The change of a cookie since the last merge counts; if only Redis has changed, the jar takes it over.
struct CookieMerge: Sendable {
    /// What Redis has.
    struct Stored: Sendable {
        var cookies: [String: CookieRecord] = [:]
        /// The IDs of cookies that this process can't decrypt. It neither has nor removes them.
        var unreadable: Set<String> = []
        /// Chosen when the first cookie was stored; another one, or none, means that Redis has lost its data.
        var mark: String?
    }

    /// What the jar and Redis have after a merge.
    struct Known: Sendable {
        var cookies: [String: CookieRecord] = [:]
        var mark: String?
    }

    /// To be written to Redis.
    private(set) var written: [String: CookieRecord] = [:]
    /// To be removed from Redis.
    private(set) var removed: Set<String> = []
    /// To be changed in the jar.
    private(set) var changes: [(old: CookieRecord?, new: CookieRecord?)] = []
    private var known: [String: CookieRecord]
    private let former: Known
    private let mark: String?

    init(_ former: Known, _ ours: [String: CookieRecord], _ stored: Stored, at now: Date) {
        self.former = former
        mark = stored.mark
        // An expired cookie was not deleted: another process may have a newer one.
        known = former.cookies.filter { !$1.isExpired(at: now) }
        let isLost = stored.mark == nil || stored.mark != former.mark
        for id in Set(known.keys).union(ours.keys).union(stored.cookies.keys) {
            let (base, mine, theirs) = (known[id], ours[id], stored.cookies[id])
            if stored.unreadable.contains(id) {
                if mine != base { write(mine, id) }
            } else if mine == theirs {
                known[id] = mine
            } else if mine != base || (isLost && theirs == nil) {
                if mine == nil, theirs == nil { known[id] = nil } else { write(mine, id) }
            } else {
                changes.append((mine, theirs))
                known[id] = theirs
            }
        }
    }

    private mutating func write(_ mine: CookieRecord?, _ id: String) {
        if let mine { written[id] = mine } else { removed.insert(id) }
    }

    /// What is known after the jar was changed and Redis wasn't: the rest is merged again.
    var failed: Known { Known(cookies: known, mark: written.isEmpty && removed.isEmpty ? mark : former.mark) }

    /// What is known after Redis was changed, too.
    ///
    /// - Parameters:
    ///   - refused: The IDs of the cookies that Redis has no room for.
    ///   - mark: The mark after the write.
    func succeeded(refusing refused: Set<String>, mark: String?) -> Known {
        var known = known
        for (id, cookie) in written { known[id] = refused.contains(id) ? nil : cookie }
        for id in removed { known[id] = nil }
        return Known(cookies: known, mark: mark)
    }
}
#endif
