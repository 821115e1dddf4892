public import GodwitCore
import GodwitSupport
public import Observation

/// Sends changes that must reach the server, also without a network, or if the app ends first.
///
/// ```swift
/// let outbox = try Outbox(queries, in: folder, for: "user 7", sending: [RenameArticle.self])
/// try await outbox.add(RenameArticle(id: 42, title: "Tides"))    // on the disk, and visible in the store's values
/// for item in outbox.items where item.needsDecision { show(item) }
/// ```
///
/// - **Order**: mutations with the same ``OutboxMutation/scope`` are sent one after another. At most four mutations are sent
///   at the same time. One that was refused holds up those after it until ``retry(_:)``, ``replace(_:with:)`` or ``discard(_:)``.
/// - **Attempts**: after a failure that may pass (no network, a timeout, 429, a status from 500), a mutation waits for
///   the network, or for a pause of 2 seconds to 5 minutes. A ``QueryStore`` with a monitor tells when the network
///   returns.
/// - **Once**: all attempts have the same `Idempotency-Key`, also after a launch. Without a server that supports it, a
///   mutation can be applied twice if a response was lost, unless its method is idempotent (PUT, DELETE).
/// - **Durability**: each mutation is a file that only its owner can read, from the return of ``add(_:)`` to the
///   server's response.
/// - **Accounts**: when the client's account changes, the outbox closes. A sign-out removes the user's mutations. If the
///   session ended otherwise, they stay, for the next outbox of the same user. If no outbox is open at the sign-out, call
///   ``removeAll(in:for:)``.
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
    @ObservationIgnored var wakeTime: Duration?
    @ObservationIgnored private var network: Task<Void, Never>?
    @ObservationIgnored private var adding = 0
    @ObservationIgnored private var added = Waiters<Void>()
    @ObservationIgnored private var ending: AccountEnding?

    /// Creates an outbox with the mutations that an earlier one of the user has left, and begins to send them.
    ///
    /// - Parameters:
    ///   - queries: The store that shows the mutations, with the client that sends them.
    ///   - folder: Where its files are. Several users can have the same one. Not one that the system may empty.
    ///   - user: Identifies the user whose mutations these are, such as an ID; any text if the app has no users.
    ///   - types: The types of mutations that it may have.
    ///   - limit: The maximum number of mutations, each of up to 1 MiB, and together up to 64 MiB.
    /// - Throws: `.file` if the folder can't be used, or if another outbox of the user is open; `.invalidRequest` if two
    ///   types have the same name.
    public init(
        _ queries: QueryStore, in folder: URL, for user: String, sending types: [any OutboxMutation.Type],
        limit: Int = 1000
    ) throws(NetworkError) {
        self.queries = queries
        self.limit = limit
        self.types = try Self.named(types)
        self.folder = try OutboxFolder(folder, for: user)
        entries = try self.folder.load().map { [types = self.types] in OutboxEntry($0.record, as: $0.name, types) }
        lastNumber = entries.last?.name.number ?? 0
        let ending = AccountEnding(queries.api.accountSession)
        ending.action = { [weak self] in await self?.leaveAccount() }
        self.ending = ending
        // All together: each change of the updates applies all of them again.
        queries.insert(entries.filter(\.isWaiting).compactMap(Self.makeUpdate))
        publish()
        watchNetwork()
        sendDue()
    }

    private func watchNetwork() {
        guard let monitor = queries.monitor else { return }
        network = Task { [weak self, paths = monitor.paths, current = monitor.current] in
            var last = current
            for await path in paths where path != last {
                last = path
                if path.status == .satisfied { self?.networkReturned() }
            }
        }
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
        network?.cancel()
        guard !entries.isEmpty else { return }
        Task { @MainActor [queries, entries] in queries.withdraw(entries.compactMap(\.update)) }
    }
}

// Adding.
extension Outbox {
    /// Adds a mutation, and sends it when that is possible. Its effect is visible immediately.
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
        let record = try record(of: mutation)
        guard size + record.mutation.count <= OutboxRecord.totalLimit else {
            throw PrivateFile.error("the outbox is full: its mutations have \(size) bytes")
        }
        let entry = OutboxEntry(mutation, record, as: nextName())
        entries.append(entry)
        show(entry)
        publish()
        try await store(entry)
        sendDue()
        return entry.name.id
    }

    /// The bytes of all mutations.
    private var size: Int { entries.reduce(0) { $0 + ($1.record?.mutation.count ?? 0) } }

    /// Writes the file of an entry, and takes it out if that fails.
    private func store(_ entry: OutboxEntry) async throws(NetworkError) {
        guard let record = entry.record else { return }
        adding += 1
        defer { endAdding() }
        do throws(NetworkError) {
            try await folder.write(record, as: entry.name)
        } catch {
            await undo(entry, error)
            remove(entry)
            throw error
        }
        // Not in an outbox that was closed, or discarded, in the meantime.
        guard has(entry) else {
            await folder.remove(entry.name)
            throw NetworkError(.cancelled, phase: .building)
        }
        entry.isStored = true
    }

    private func endAdding() {
        adding -= 1
        guard adding == 0 else { return }
        for waiter in added.takeAll() { waiter.resume() }
    }

    func checkOpen() throws(NetworkError) {
        if isClosed { throw NetworkError(.cancelled, phase: .building, underlying: AccountChanged()) }
    }

    /// The record of a new mutation. If an earlier one waits for the same version, it expects that one.
    func record<M: OutboxMutation>(of mutation: M) throws(NetworkError) -> OutboxRecord {
        guard types[M.name] == M.self else {
            let reason = "the outbox has no type \(M.self): add \(M.self).self to `sending:`"
            throw NetworkError(.invalidRequest(reason: reason), phase: .building)
        }
        let etag = mutation.precondition.map { subject in
            let identity = subject.identity(queries.api)
            return entries.last { expects($0, identity) }?.record?.etag
                ?? OutboxRecord.condition(subject.etag ?? subject.query(queries).etag)
        }
        return try OutboxRecord(mutation, at: queries.now(), etag: etag)
    }

    /// Whether a mutation that isn't refused depends on the version of a value.
    func expects(_ entry: OutboxEntry, _ subject: ModelIdentity?) -> Bool {
        guard let subject, entry.record?.etag != nil, !entry.item.needsDecision else { return false }
        return entry.subject(queries.api) == subject
    }

    private func nextName() -> OutboxFileName {
        lastNumber += 1
        return OutboxFileName(lastNumber)
    }
}

// The list.
extension Outbox {
    /// Whether an entry wasn't discarded or replaced, and the outbox is open.
    func has(_ entry: OutboxEntry) -> Bool { entries.contains { $0 === entry } }

    func entry(_ id: OutboxItem.ID) -> OutboxEntry? { entries.first { $0.name.id == id } }

    /// Shows the states of the entries.
    func publish() {
        items = entries.map(\.item)
    }

    /// Makes the effect of an entry visible, in the order of the mutations.
    func show(_ entry: OutboxEntry) {
        guard let update = Self.makeUpdate(entry) else { return }
        let next = entries.first { $0.name > entry.name && $0.update != nil }?.update
        queries.insert(update, before: next)
    }

    /// The new update of an entry; `nil` if it has one, or can't be read.
    private static func makeUpdate(_ entry: OutboxEntry) -> OptimisticUpdate? {
        guard entry.update == nil, let mutation = entry.item.mutation else { return nil }
        let update = OptimisticUpdate(stage: .queued) { mutation.apply(to: $0) }
        entry.update = update
        return update
    }

    /// Undoes the effect of an entry.
    func undo(_ entry: OutboxEntry, _ error: NetworkError) async {
        guard let update = entry.update else { return }
        entry.update = nil
        await queries.undo(update, error, entry.item.mutation?.tags ?? [])
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
        await waitForAdding()
        await folder.unlockWhenDone()
    }

    /// Removes the mutations of a user, as at a sign-out while no outbox of the user is open.
    ///
    /// - Parameters:
    ///   - folder: The folder given to the outbox.
    ///   - user: The user given to the outbox.
    /// - Throws: `.file` if the folder can't be used, or if an outbox of the user is open: its sign-out removes them.
    public static func removeAll(in folder: URL, for user: String) throws(NetworkError) {
        try OutboxFolder(folder, for: user).removeEverything()
    }

    /// Returns when what was being added is removed, so that the next outbox doesn't read it.
    private func waitForAdding() async {
        while adding > 0 { await added.add().value() }
    }

    /// Closes. Returns the tasks that were sending.
    private func leave() -> [Task<Void, Never>] {
        isClosed = true
        wake?.cancel()
        network?.cancel()
        let tasks = Array(running.values)
        for task in tasks { task.cancel() }
        queries.withdraw(entries.compactMap(\.update))
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
        await waitForAdding()
        await folder.unlockWhenDone()
    }
}
