/// Who holds a place and who waits for one: a value without tasks or locks.
///
/// Places are limited in all and for each origin. The one that has waited longest gets a free place, unless its own
/// origin is full; then the next one does, so that one slow origin does not hold up the others. Whoever waits, waits for
/// a place that is really taken: after every change, nobody waits who could go.
package struct PlaceQueue: Sendable {
    private struct Host: Sendable {
        var taken = 0
        var waiting = TicketQueue()
    }

    private let total: Int
    private let perHost: Int
    private var taken = 0
    private var waiting = 0
    private var hosts: [Origin: Host] = [:]
    private var lastTicket: UInt64 = 0

    /// Limits of less than 1 count as 1.
    package init(total: Int?, perHost: Int?) {
        self.total = max(1, total ?? .max)
        self.perHost = max(1, perHost ?? .max)
    }

    /// Whether nobody holds a place or waits.
    package var isIdle: Bool { hosts.isEmpty }

    /// Takes a place where one is free, and returns nil; else the ticket to wait with.
    package mutating func takeOrWait(at origin: Origin) -> UInt64? {
        let place = hosts.index(forKey: origin)
        if taken < total, place.map({ hosts.values[$0].taken }) ?? 0 < perHost {
            taken += 1
            if let place { hosts.values[place].taken += 1 } else { hosts[origin] = Host(taken: 1) }
            return nil
        }
        lastTicket += 1
        waiting += 1
        hosts[origin, default: Host()].waiting.append(lastTicket)
        return lastTicket
    }

    /// Waits no longer; false where the ticket did not wait.
    package mutating func cancel(_ ticket: UInt64, at origin: Origin) -> Bool {
        guard hosts[origin]?.waiting.remove(ticket) == true else { return false }
        waiting -= 1
        if let place = hosts.index(forKey: origin) { forgetIfIdle(place) }
        return true
    }

    /// Gives a place back, and returns the ticket that has it now.
    package mutating func free(at origin: Origin) -> UInt64? {
        guard let place = hosts.index(forKey: origin), hosts.values[place].taken > 0 else { return nil }
        taken -= 1
        hosts.values[place].taken -= 1
        forgetIfIdle(place)
        guard waiting > 0, let (next, ticket) = longestWaiting() else { return nil }
        taken += 1
        waiting -= 1
        hosts[next]?.taken += 1
        hosts[next]?.waiting.removeFirst()
        return ticket
    }

    private func longestWaiting() -> (Origin, UInt64)? {
        hosts.lazy
            .compactMap { origin, host in host.taken < perHost ? host.waiting.first.map { (origin, $0) } : nil }
            .min { $0.1 < $1.1 }
    }

    private mutating func forgetIfIdle(_ place: Dictionary<Origin, Host>.Index) {
        guard hosts.values[place].taken == 0, hosts.values[place].waiting.isEmpty else { return }
        hosts.remove(at: place)
    }
}
