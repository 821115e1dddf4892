import GodwitCore

/// A mutation of an outbox, with its file and its effect.
@MainActor
final class OutboxEntry {
    let name: OutboxFileName
    private(set) var record: OutboxRecord?
    private(set) var item: OutboxItem
    /// Its effect in the store; `nil` if it is undone.
    var update: OptimisticUpdate?
    /// When it may be sent again, on the outbox's timeline; `nil` for immediately.
    var pausedUntil: Duration?
    /// Whether the server said how long to wait, which another network doesn't change.
    private(set) var isPausedByServer = false
    /// Whether an earlier attempt may have been applied, also one before a launch.
    private(set) var mayBeApplied: Bool
    /// Whether a decision about it is being written.
    var isDeciding = false
    /// Whether its file is on the disk.
    var isStored: Bool

    /// What identifies its subject; `nil` before it is asked for. Kept, as every new mutation is compared with all.
    private var subject: ModelIdentity??

    /// A new one.
    init(_ mutation: any OutboxMutation, _ record: OutboxRecord, as name: OutboxFileName) {
        self.name = name
        self.record = record
        isStored = false
        mayBeApplied = false
        item = OutboxItem(
            id: name.id, mutation: mutation, date: record.date, state: .waiting, error: nil, attempts: 0)
    }

    /// One from a file.
    init(
        _ stored: Result<OutboxRecord, NetworkError>, as name: OutboxFileName,
        _ types: [String: any OutboxMutation.Type]
    ) {
        self.name = name
        isStored = true
        mayBeApplied = true
        record = try? stored.get()
        let mutation = Result { () throws(NetworkError) in try stored.get().decoded(types) }
        item = OutboxItem(
            id: name.id, mutation: try? mutation.get(), date: record?.date ?? .distantPast, state: .waiting,
            error: nil, attempts: 0)
        if case .failure(let error) = mutation { refuse(error) }
        if let status = record?.refusal { refuse(NetworkError(.client(status: status), phase: .middleware)) }
    }

    /// `nil` if its file is damaged.
    var scope: String? { record?.scope }

    var isWaiting: Bool { item.state == .waiting }

    func subject(_ api: APIClient) -> ModelIdentity? {
        if let subject { return subject }
        let found = item.mutation?.precondition?.identity(api)
        subject = .some(found)
        return found
    }

    func begin() {
        item.state = .sending
        item.attempts = min(item.attempts + 1, 1_000_000)
    }

    /// Waits to be sent again.
    func wait(_ error: NetworkError, until time: Duration) {
        item.state = .waiting
        item.error = error
        pausedUntil = time
        isPausedByServer = error.suggestedRetryDelay != nil
        mayBeApplied = mayBeApplied || error.mayHaveBeenApplied
    }

    /// Waits for a decision.
    func refuse(_ error: NetworkError) {
        let status = error.response?.status.code ?? record?.refusal
        item.state = status == 409 || status == 412 ? .conflict : .failed
        item.error = error
        // What the server has refused isn't shown again after a launch.
        if let status, (400..<500).contains(status) { record?.refusal = status }
    }

    /// Waits to be sent again, after a decision.
    func accept(_ record: OutboxRecord) {
        item.state = .waiting
        item.error = nil
        pausedUntil = nil
        self.record = record
    }

    /// Expects another version of the subject.
    func expect(_ etag: String) { record?.etag = etag }
}
