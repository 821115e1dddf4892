#if os(Linux)
import GodwitCore
import GodwitSockets

/// What is known about an exchange that is to start, and what follows.
struct StartFacts {
    /// Whether the engine takes no new exchanges. False for one that it has taken.
    var isShutDown = false
    var isCancelled = false
    /// Whether it needs HTTP/3, and its URL has no TLS.
    var lacksTLS = false
    /// Whether it needs trusted certificates, which are being read.
    var lacksTrust = false
    var place = Admission.Place.open
    /// Whether the turn has room for it, and none that could start waits.
    var hasTurn = true

    var decision: StartDecision {
        if isShutDown { return .refuse(.shutDown) }
        if isCancelled { return .refuse(.cancelled) }
        if lacksTLS { return .refuse(.lacksTLS) }
        if lacksTrust { return .wait(.trust) }
        if place == .full { return .wait(.connection) }
        return hasTurn ? .begin : .wait(.turn)
    }
}

enum StartDecision: Equatable {
    /// libcurl gets it now.
    case begin
    case wait(Reason)
    case refuse(Refusal)

    enum Refusal {
        case shutDown, cancelled, lacksTLS
    }

    /// What an exchange waits for.
    enum Reason {
        /// The trusted certificates.
        case trust
        /// A connection with its origin, which enough others try to make.
        case connection
        /// The exchanges before it.
        case turn
    }
}

/// Decides how many exchanges with one origin libcurl gets before one of them has a connection.
///
/// If a connection may turn out to be shared, libcurl lets the others wait for the first one, and wakes all of them at each
/// event on it: a thousand that wait then cost a thousand times as much, in one call.
struct Admission {
    /// What an exchange finds at its origin.
    enum Place {
        /// There was a connection, or none would be shared.
        case open
        /// It is one of the first, which try to make a connection.
        case probe
        /// Enough others try.
        case full
    }

    /// The most exchanges with an origin that has no connection yet.
    static let mostProbes = 8
    private static let mostKnown = 1024

    private var probes: [Origin: Int] = [:]
    private var known: Set<Origin> = []

    func place(at origin: Origin) -> Place {
        if known.contains(origin) { return .open }
        return probes[origin, default: 0] < Self.mostProbes ? .probe : .full
    }

    /// A probe starts, or waits for its turn.
    mutating func admitted(_ origin: Origin) {
        probes[origin, default: 0] += 1
    }

    /// A probe has a connection.
    mutating func established(_ origin: Origin) {
        probes[origin] = nil
        if known.count >= Self.mostKnown { known = [] }
        known.insert(origin)
    }

    /// A probe ended; whether another exchange may take its place.
    mutating func ended(_ origin: Origin) -> Bool {
        guard let count = probes[origin] else { return false }
        probes[origin] = count > 1 ? count - 1 : nil
        return true
    }
}
#endif
