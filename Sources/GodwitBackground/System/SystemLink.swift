package import GodwitCore
import Synchronization

/// Connects a session to the system's transfers.
package final class SystemLink: TransferLink {
    private let session: String
    private let open: @Sendable () throws(NetworkError) -> SystemTransfers

    /// - Parameter open: Returns the transfers of the session; called for each command.
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

    /// Does nothing, because it has no connection, and ``TransferCommand/finish(_:)`` ends the readers.
    package func close() {}

    private var transfers: SystemTransfers {
        get throws(NetworkError) {
            guard TransferCommand.isIdentifier(session) else {
                throw NetworkError(
                    .invalidRequest(reason: "a session's identifier has 1 to 200 bytes of printable ASCII"),
                    phase: .building)
            }
            // Two URLSessions with one identifier in a process are undefined behavior.
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
    /// The feature of a job that the system would silently ignore; `nil` if there is none.
    fileprivate var systemFault: String? {
        // The system follows redirects without asking.
        if redirects != nil { return "a redirect rule" }
        if !tls.isEmpty { return "a TLS rule" }
        return nil
    }
}
