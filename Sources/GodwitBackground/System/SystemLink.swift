package import GodwitCore
import Synchronization

/// The way from a session to the system, which transfers for it.
package final class SystemLink: TransferLink {
    private let session: String
    private let open: @Sendable () throws(NetworkError) -> SystemTransfers

    /// - Parameter open: Finds what transfers for the session; asked for each command.
    package init(_ session: String, open: @escaping @Sendable () throws(NetworkError) -> SystemTransfers) {
        self.session = session
        self.open = open
    }

    package func send(_ command: TransferCommand) async throws(NetworkError) -> TransferReply {
        if case .add(_, let spec) = command, let fault = spec.systemFault {
            throw NetworkError(.unsupported(feature: fault, on: "URLSession in the background"), phase: .building)
        }
        let reply = try await transfers.answer(command)
        switch reply.refusal {
        case nil: return reply
        case let refusal? where refusal.code == .storage:
            throw NetworkError(.file(reason: refusal.reason), phase: .sending)
        case let refusal?: throw NetworkError(.invalidRequest(reason: refusal.reason), phase: .sending)
        }
    }

    package func following() -> any TransferFollowing {
        SystemFollowing(open)
    }

    /// Nothing is connected, and ``TransferCommand/finish(_:)`` ends the readings.
    package func close() {}

    private var transfers: SystemTransfers {
        get throws(NetworkError) {
            guard TransferCommand.isIdentifier(session) else {
                throw NetworkError(
                    .invalidRequest(reason: "a session's identifier has 1 to 200 bytes of printable ASCII"),
                    phase: .building)
            }
            // Two sessions of one identifier in a process are undefined behavior in URLSession.
            guard !session.hasSuffix(SystemTaskLane.discretionarySuffix) else {
                throw NetworkError(
                    .invalidRequest(
                        reason: "\"\(SystemTaskLane.discretionarySuffix)\" at the end of an identifier is reserved"),
                    phase: .building)
            }
            return try open()
        }
    }
}

/// One reading of the events.
private final class SystemFollowing: TransferFollowing {
    private let open: @Sendable () throws(NetworkError) -> SystemTransfers
    private let place = Mutex(Place())

    private struct Place {
        var last: Int64 = 0
        var era: Int?
    }

    init(_ open: @escaping @Sendable () throws(NetworkError) -> SystemTransfers) {
        self.open = open
    }

    func next() async throws(NetworkError) -> BackgroundEvent? {
        let transfers = try open()
        let place = self.place.withLock { place in
            place.era = place.era ?? transfers.era
            return place
        }
        guard let event = await transfers.event(after: place.last, in: place.era ?? 0) else { return nil }
        self.place.withLock { $0.last = event.id }
        return event
    }
}

extension TransferSpec {
    /// What the system cannot do of a job, and would silently leave out; nil where it can all.
    fileprivate var systemFault: String? {
        // It follows redirects by itself, and does not ask.
        if redirects != nil { return "a rule for redirects" }
        if !tls.isEmpty { return "a rule for TLS" }
        if tokenFile != nil { return "a token in a file" }
        return nil
    }
}
