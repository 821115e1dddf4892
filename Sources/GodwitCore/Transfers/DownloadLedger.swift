import Synchronization

/// Keeps the ticket of a download that runs: in memory for a pause, and in a file for another process.
final class DownloadLedger: Sendable {
    private struct State {
        var ticket: DownloadTicket
        var isDiscarding = false
        var isOver = false
        var isAlreadyComplete = false
    }

    private let state: Mutex<State>

    init(_ ticket: DownloadTicket) {
        state = Mutex(State(ticket: ticket))
    }

    /// The latest ticket.
    var ticket: DownloadTicket { state.withLock(\.ticket) }

    /// Whether what was received is to be thrown away at the end.
    var isDiscarding: Bool { state.withLock(\.isDiscarding) }

    /// Whether the file was there as a whole before.
    var isAlreadyComplete: Bool { state.withLock(\.isAlreadyComplete) }

    func noteAlreadyComplete() {
        state.withLock { $0.isAlreadyComplete = true }
    }

    /// Asks for what was received to be thrown away; true if the run is over, so that nobody else does it.
    func discardAtEnd() -> Bool {
        state.withLock { state in
            state.isDiscarding = true
            return state.isOver
        }
    }

    /// Notes that the run is over and its file closed; true if what it left is to be thrown away.
    func end() -> Bool {
        state.withLock { state in
            state.isOver = true
            return state.isDiscarding
        }
    }

    func note(_ ticket: DownloadTicket) {
        state.withLock { $0.ticket = ticket }
    }

    /// Notes a ticket, and writes it beside the partial file where a part can be used again.
    func store(_ ticket: DownloadTicket) throws(NetworkError) {
        note(ticket)
        guard ticket.validator != nil, let data = try? JSONEncoder().encode(ticket) else { return forget(ticket) }
        try PrivateFile(ticket.place.ticketFile).replace(with: data, byOnly: ticket.place.ticketDraft)
    }

    /// Removes the file of the latest ticket.
    func forget() { forget(ticket) }

    /// Removes the file.
    func forget(_ ticket: DownloadTicket) {
        ticket.place.removeTicket()
    }

    /// What an earlier run of the same download has written; nil where there is nothing, or nothing that can be used.
    static func storedTicket(of ticket: DownloadTicket) -> DownloadTicket? {
        guard let data = storedData(at: ticket.place.ticketFile),
            let stored = try? JSONDecoder().decode(DownloadTicket.self, from: data),
            stored.url == ticket.url, stored.fields == ticket.fields
        else { return nil }
        return stored
    }
    /// The ticket's bytes; nil if there is no ticket. One that can't be read is reported: the download starts over.
    private static func storedData(at file: URL) -> Data? {
        do throws(NetworkError) {
            return try PrivateFile(file).read()
        } catch {
            Diagnostics.shared.report(.tickets, at: file, error)
            return nil
        }
    }
}
