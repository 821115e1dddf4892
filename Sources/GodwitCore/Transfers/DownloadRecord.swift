import GodwitSupport
import Synchronization

/// Holds the state of a download, and saves its ticket for another process.
final class DownloadRecord: Sendable {
    private enum Saving {
        case idle
        case saving(again: Bool)
    }

    private let state: Mutex<DownloadState>
    private let saving = Mutex(Saving.idle)

    init(_ state: DownloadState) {
        self.state = Mutex(state)
    }

    var ticket: DownloadTicket { state.withLock(\.ticket) }

    func update<Value: Sendable>(_ change: (inout DownloadState) -> Value) -> Value {
        state.withLock { change(&$0) }
    }

    /// Saves the current ticket next to the partial file, if the part can be used again.
    ///
    /// One task saves at a time. If another one is saving already, that one saves again, and this function returns.
    ///
    /// - Parameter prepare: Must succeed before the ticket is written: what it says about the file must be true.
    func save(
        after prepare: @escaping @Sendable () throws(NetworkError) -> Void = {}
    ) async throws(NetworkError) {
        guard startSaving() else { return }
        repeat {
            let result = await BlockingWork.run { [self] in
                Result { () throws(NetworkError) in
                    let ticket = ticket
                    try prepare()
                    try Self.write(ticket)
                }
            }
            if case .failure(let error) = result {
                saving.withLock { $0 = .idle }
                throw error
            }
        } while savesAgain()
    }

    private func startSaving() -> Bool {
        saving.withLock { saving in
            if case .idle = saving {
                saving = .saving(again: false)
                return true
            }
            saving = .saving(again: true)
            return false
        }
    }

    private func savesAgain() -> Bool {
        saving.withLock { saving in
            guard case .saving(again: true) = saving else {
                saving = .idle
                return false
            }
            saving = .saving(again: false)
            return true
        }
    }

    private static func write(_ ticket: DownloadTicket) throws(NetworkError) {
        guard ticket.validator != nil, let data = try? JSONEncoder().encode(ticket) else {
            return ticket.place.removeTicket()
        }
        try PrivateFile(ticket.place.ticketFile, allowsSharedFolder: true).replace(
            with: data, byOnly: ticket.place.ticketDraft)
    }

    /// The ticket that an earlier run of the same download saved; `nil` if there is none that can be used.
    ///
    /// A ticket that can't be read is reported to ``Diagnostics``: the download starts over.
    static func savedTicket(like ticket: DownloadTicket) -> DownloadTicket? {
        let file = ticket.place.ticketFile
        do throws(NetworkError) {
            guard let data = try PrivateFile(file, allowsSharedFolder: true).read(),
                let saved = try? JSONDecoder().decode(DownloadTicket.self, from: data),
                saved.url == ticket.url, saved.fields == ticket.fields
            else { return nil }
            return saved
        } catch {
            Diagnostics.shared.report(.tickets, at: file, error)
            return nil
        }
    }
}
