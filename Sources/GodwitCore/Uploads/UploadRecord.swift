import GodwitSupport
import Synchronization

/// Holds the state of an upload, and saves its ticket for another process.
final class UploadRecord: Sendable {
    private let state: Mutex<UploadState>
    /// Whether the ticket may still be written. Held while it is, so that an older ticket can't replace a newer one.
    private let isOpen = Mutex(true)

    init(_ state: UploadState) {
        self.state = Mutex(state)
    }

    var ticket: UploadTicket { state.withLock(\.ticket) }

    func update<Value: Sendable>(_ change: (inout UploadState) -> Value) -> Value {
        state.withLock { change(&$0) }
    }

    /// Writes the current ticket to the ticket file, if there is one. Throws `.file` if that fails.
    func save() async throws(NetworkError) {
        guard let url = ticket.options.ticketFile else { return }
        try await BlockingWork.run { [self] in
            Result { () throws(NetworkError) in
                try isOpen.withLock { isOpen throws(NetworkError) in
                    guard isOpen, let data = try? JSONEncoder().encode(ticket) else { return }
                    let file = PrivateFile(url, allowsSharedFolder: true)
                    // A killed process leaves its draft, which the next one overwrites; never one that is being written.
                    try file.whileLocked { () throws(NetworkError) in
                        try file.replace(with: data, byOnly: Self.draft(of: url))
                    }
                }
            }
        }.get()
    }

    /// Removes the ticket file, and writes no other.
    func removeTicket() {
        guard let file = ticket.options.ticketFile else { return }
        isOpen.withLock { isOpen in
            isOpen = false
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.removeItem(at: Self.draft(of: file))
        }
    }

    private static func draft(of file: URL) -> URL {
        file.deletingLastPathComponent().appending(path: file.lastPathComponent + ".tmp")
    }

    /// The ticket that an earlier run of the same upload saved; `nil` if there is none that can be used.
    ///
    /// A ticket that can't be read is reported to ``Diagnostics``: the upload starts over.
    static func savedTicket(like ticket: UploadTicket) -> UploadTicket? {
        guard let file = ticket.options.ticketFile else { return nil }
        do throws(NetworkError) {
            guard let saved = try UploadTicket.read(from: file), saved.isFor(ticket) else { return nil }
            var kept = saved
            kept.options = ticket.options
            return kept
        } catch {
            Diagnostics.shared.report(.tickets, at: file, error)
            return nil
        }
    }
}

extension UploadTicket {
    /// Reads a ticket file; `nil` if it doesn't exist. Throws `.file` if it can't be used.
    static func read(from file: URL) throws(NetworkError) -> UploadTicket? {
        guard let data = try PrivateFile(file, allowsSharedFolder: true).read() else { return nil }
        do {
            return try JSONDecoder().decode(UploadTicket.self, from: data)
        } catch {
            let reason =
                if case DecodingError.dataCorrupted(let context)? = error as? DecodingError {
                    context.debugDescription
                } else {
                    "the upload ticket cannot be used: it is damaged"
                }
            throw NetworkError(
                .file(reason: "\(file.lastPathComponent): \(reason)"), phase: .building, underlying: error)
        }
    }
}
