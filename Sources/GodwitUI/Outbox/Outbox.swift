public import GodwitCore
public import Observation

/// Sends changes that must reach the server, also if there is no network, or the app ends first.
///
/// ```swift
/// let outbox = try Outbox(queries, in: folder, for: "user 7", sending: [RenameArticle.self])
/// try await outbox.add(RenameArticle(id: 42, title: "Tides"))    // on the disk, and visible in the store's values
/// for item in outbox.items where item.needsDecision { show(item) }
/// ```
///
/// - **Order**: mutations of the same ``OutboxMutation/order`` are sent one after another, up to four others at the same
///   time. One that was refused holds up those after it until ``retry(_:)``, ``replace(_:with:)`` or ``discard(_:)``.
/// - **Attempts**: after a failure that may pass (no network, a timeout, 429, a status from 500), a mutation waits for
///   the network, or for a pause of 2 seconds to 5 minutes. A ``QueryStore`` with a monitor tells when the network
///   returns.
/// - **Once**: all attempts have the same `Idempotency-Key`, also after a launch. Without a server that supports it, a
///   mutation can be applied twice if a response was lost, unless its method is idempotent (PUT, DELETE).
/// - **Durability**: each mutation is a file that only its owner can read, from the return of ``add(_:)`` to the
///   server's response.
/// - **Accounts**: when the client's account changes, the outbox closes. A sign-out removes the user's mutations. If the
///   session ended otherwise, they stay, for the next outbox of the same user.
@Observable @MainActor
public final class Outbox {
    /// How many mutations are sent at the same time.
    static let concurrency = 4

    /// The mutations that the server hasn't confirmed, oldest first.
    public private(set) var items: [OutboxItem] = []

    /// Whether it was closed, by ``close()`` or because the account changed. Make another one then.
    public private(set) var isClosed = false

    @ObservationIgnored let queries: QueryStore
    @ObservationIgnored let folder: OutboxFolder
    @ObservationIgnored private let types: [String: any OutboxMutation.Type]
    @ObservationIgnored private let limit: Int
    @ObservationIgnored private(set) var entries: [OutboxEntry] = []
    @ObservationIgnored private var lastNumber = 0
    @ObservationIgnored var running: [OutboxFileName: Task<Void, Never>] = [:]
    @ObservationIgnored var idle = Waiters<Void>()
    @ObservationIgnored var wake: Task<Void, Never>?
    @ObservationIgnored let watch: NetworkReturn?
    @ObservationIgnored private var ending: AccountEnding?

    /// Creates an outbox with the mutations that an earlier one of the user has left, and begins to send them.
    ///
    /// - Parameters:
    ///   - queries: The store that shows the mutations, with the client that sends them.
    ///   - folder: Where its files are. Several users can have the same one. Not one that the system may empty.
    ///   - user: Identifies the user whose mutations these are, such as an ID; any text if the app has no users.
    ///   - types: The types of mutations that it may have.
    ///   - limit: The maximum number of mutations, each of up to 1 MiB.
    /// - Throws: `.file` if the folder can't be used, or if another outbox of the user is open; `.invalidRequest` if two
    ///   types have the same name.
    public init(
        _ queries: QueryStore, in folder: URL, for user: String, sending types: [any OutboxMutation.Type],
        limit: Int = 1000
    ) throws(NetworkError) {
        (self.queries, self.limit) = (queries, limit)
        watch = queries.monitor.map(NetworkReturn.init)
        self.types = try Self.named(types)
        self.folder = try OutboxFolder(folder, for: user)
        entries = try self.folder.load().map { [types = self.types] in OutboxEntry($0.record, as: $0.name, types) }
        lastNumber = entries.last?.name.number ?? 0
        let ending = AccountEnding(queries.api.accountSession)
        ending.action = { [weak self] in await self?.leaveAccount() }
        self.ending = ending
        for entry in entries where entry.isWaiting { show(entry) }
        publish()
        sendDue()
    }

    private static func named(
        _ types: [any OutboxMutation.Type]
    ) throws(NetworkError) -> [String: any OutboxMutation.Type] {
        var named: [String: any OutboxMutation.Type] = [:]
        for type in types where named.updateValue(type, forKey: type.name) != nil {
            let reason = "two types of mutations have the name \(type.name)"
            throw NetworkError(.invalidRequest(reason: reason), phase: .building)
        }
        return named
    }

    deinit {
        wake?.cancel()
    }
}

// Adding.
extension Outbox {
    /// Adds a mutation, and sends it when that is possible. Its effect is visible at once.
    ///
    /// ```swift
    /// try await outbox.add(RenameArticle(id: 42, title: "Tides"))
    /// ```
    ///
    /// Returns when it is on the disk. If it throws, the effect is undone, and the mutation isn't in the outbox.
    ///
    /// - Parameter mutation: Of one of the types given to the initializer.
    /// - Returns: The ID of its item.
    /// - Throws: `.file` if it can't be written, or the outbox is full; `.encoding`; `.tooLarge` if it has more than
    ///   1 MiB; `.invalidRequest` if its type is another one; `.cancelled` if the outbox is closed.
    @discardableResult
    public func add(_ mutation: some OutboxMutation) async throws(NetworkError) -> OutboxItem.ID {
        try checkOpen()
        guard entries.count < limit else { throw PrivateFile.error("the outbox is full: \(limit) mutations wait") }
        let entry = OutboxEntry(mutation, try record(of: mutation), as: nextName())
        entries.append(entry)
        show(entry)
        publish()
        try await store(entry)
        sendDue()
        return entry.name.id
    }

    /// Writes the file of an entry, and takes it out if that fails.
    private func store(_ entry: OutboxEntry) async throws(NetworkError) {
        guard let record = entry.record else { return }
        do throws(NetworkError) {
            try await folder.write(record, as: entry.name)
        } catch {
            await undo(entry, error)
            remove(entry)
            throw error
        }
        // Not in an outbox that was closed, or discarded, in the meantime.
        guard entries.contains(where: { $0 === entry }) else {
            if !isClosed { await folder.remove(entry.name) }
            throw NetworkError(.cancelled, phase: .building)
        }
        entry.isStored = true
    }

    func checkOpen() throws(NetworkError) {
        if isClosed { throw NetworkError(.cancelled, phase: .building, underlying: AccountChanged()) }
    }

    /// The record of a new mutation. If an earlier one waits for the same version, it expects that one.
    func record<M: OutboxMutation>(of mutation: M) throws(NetworkError) -> OutboxRecord {
        guard types[M.name] == M.self else {
            let reason = "the outbox wasn't told to send mutations of the type \(M.self)"
            throw NetworkError(.invalidRequest(reason: reason), phase: .building)
        }
        let etag = mutation.subject.map { subject in
            let query = subject.query(queries)
            return entries.last { expects($0, query) }?.record?.etag ?? query.etag ?? "*"
        }
        return try OutboxRecord(mutation, at: queries.now(), etag: etag)
    }

    /// Whether a mutation that isn't refused depends on the version of a value.
    func expects(_ entry: OutboxEntry, _ query: any VersionedPart) -> Bool {
        !entry.item.needsDecision && entry.item.mutation?.subject?.query(queries) === query
    }

    private func nextName() -> OutboxFileName {
        lastNumber += 1
        return OutboxFileName(lastNumber)
    }
}

// The list.
extension Outbox {
    func entry(_ id: OutboxItem.ID) -> OutboxEntry? { entries.first { $0.name.id == id } }

    /// Shows the states of the entries.
    func publish() {
        items = entries.map(\.item)
    }

    /// Makes the effect of an entry visible, in the order of the mutations.
    func show(_ entry: OutboxEntry) {
        guard entry.layer == nil, let mutation = entry.item.mutation else { return }
        let layer = MutationLayer(stage: .queued) { mutation.apply(to: $0) }
        entry.layer = layer
        let next = entries.first { $0.name > entry.name && $0.layer != nil }?.layer
        queries.insert(layer, before: next)
    }

    /// Undoes the effect of an entry.
    func undo(_ entry: OutboxEntry, _ error: NetworkError) async {
        guard let layer = entry.layer else { return }
        entry.layer = nil
        await queries.undo(layer, error, entry.item.mutation?.tags ?? [])
    }

    func remove(_ entry: OutboxEntry) {
        entries.removeAll { $0 === entry }
        publish()
    }

    func replace(_ entry: OutboxEntry, by other: OutboxEntry) {
        guard let index = entries.firstIndex(where: { $0 === entry }) else { return }
        entries[index] = other
        publish()
    }
}

// Closing.
extension Outbox {
    /// Stops sending, so that another outbox of the user can be made. The mutations stay in its folder.
    ///
    /// Their effects are undone. One that is being sent may still reach the server; it is sent again by the next outbox,
    /// with the same `Idempotency-Key`.
    public func close() async {
        let tasks = leave()
        for task in tasks { await task.value }
        await folder.unlockWhenDone()
    }

    /// Closes. Returns the tasks that were sending.
    private func leave() -> [Task<Void, Never>] {
        isClosed = true
        wake?.cancel()
        watch?.stop()
        let tasks = Array(running.values)
        for task in tasks { task.cancel() }
        for layer in entries.compactMap(\.layer) { queries.withdraw(layer) }
        entries = []
        publish()
        return tasks
    }

    private func leaveAccount() async {
        guard !isClosed else { return }
        let names = entries.map(\.name)
        // Not waited for: they belong to the former account, whose calls have been stopped.
        _ = leave()
        if case .ended(.signedOut) = queries.api.accountSession.state { await folder.removeAll(names) }
        await folder.unlockWhenDone()
    }
}
