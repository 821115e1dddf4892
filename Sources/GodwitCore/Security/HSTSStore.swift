import GodwitSupport

/// The hosts that demand HTTPS (HTTP Strict Transport Security, RFC 6797), in memory or in a file.
///
/// ```swift
/// let store = try HSTSStore(file: folder.appending(path: "hsts.txt"))
/// let api = APIClient(baseURL: "https://api.example.com") { $0.hsts = .store(store) }
/// store.add(.init("example.com", includesSubdomains: true))          // without waiting for its field
/// ```
///
/// Contains no list of browsers: only what servers sent, and what you add. Up to 2,048 hosts; if there are more, an entry of
/// the site with the most is removed. Safe to use from any task. Belongs to no account: signing out doesn't clear it.
public final class HSTSStore: Sendable {
    private struct State: SparseContents {
        var table = StrictTransportTable()
        /// What the file doesn't have yet, by host.
        var pending: [String: Pending] = [:]
        /// The removal of all hosts that the file doesn't have yet; what is pending came after it.
        var clearing: Clearing?
        /// Counts changes.
        var version = 0

        var isEmpty: Bool { table.isEmpty }

        mutating func note(_ changes: [StrictTransportTable.Change], at time: Double) {
            version += 1
            for change in changes { pending[change.host] = Pending(change: change, time: time, version: version) }
            // A file that can't be written must not make this grow with what servers send.
            guard pending.count > 2 * StrictTransportTable.mostHosts else { return }
            pending = pending.filter { table.entries[$0.key] != nil }
        }

        mutating func clear(at time: Double, hasFile: Bool) {
            table.clear(at: time)
            guard hasFile else { return }
            version += 1
            pending = [:]
            clearing = Clearing(time: time, version: version)
        }

        /// Applies what the file doesn't have to a table of the file. Another process may have removed all hosts since.
        func apply(to table: inout StrictTransportTable, at time: Double) {
            let former = table.cleared
            if let clearing { table.clear(at: clearing.time) }
            table.apply(pending.values.filter { $0.time >= former }.map(\.change), at: time)
        }

        /// Takes what a file has after a write of this version.
        mutating func take(_ written: StrictTransportTable, version: Int, at time: Double) {
            if let clearing, clearing.version <= version { self.clearing = nil }
            pending = pending.filter { $0.value.version > version }
            var written = written
            apply(to: &written, at: time)
            table = written
        }
    }

    private struct Pending {
        let change: StrictTransportTable.Change
        let time: Double
        let version: Int
    }

    private struct Clearing {
        let time: Double
        let version: Int
    }

    private let state: SparseMutex<State>
    private let now: @Sendable () -> Date
    private let file: URL?
    private let saver: FileSaver?

    /// Creates an empty store in memory.
    ///
    /// - Parameter now: Returns the current time, to check expiry.
    public init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
        file = nil
        saver = nil
        state = SparseMutex(State())
    }

    /// Creates a store from a file, which only its owner can read. Changes are written soon after they happen.
    ///
    /// The file has the form of curl's `--hsts` and mode 0600, as it tells which hosts were visited. Several processes can use
    /// one: each adds its changes to what the file has, and reads the others' when it writes. A missing file means an empty
    /// store; its folder must exist. Call ``save()`` before the process ends.
    ///
    /// Throws `.file` if others can read the file, or it isn't an HSTS file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - diagnostics: Receives a report if the file can't be written in the background.
    ///   - now: Returns the current time, to check expiry.
    public init(
        file: URL, diagnostics: Diagnostics = .shared, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(NetworkError) {
        self.now = now
        self.file = file
        saver = FileSaver(.hsts, at: file, version: 0, diagnostics: diagnostics)
        state = SparseMutex(
            State(table: try Self.table(PrivateFile(file).read(), file, at: now().timeIntervalSince1970)))
    }

    /// A host that demands HTTPS.
    public struct Host: Sendable, Hashable {
        /// The host's name.
        public let name: String

        /// Whether its subdomains demand it, too.
        public let includesSubdomains: Bool

        /// When the demand for HTTPS ends.
        public let expires: Date

        /// Creates a host that demands HTTPS.
        ///
        /// - Parameters:
        ///   - name: The host's name.
        ///   - includesSubdomains: Whether its subdomains demand HTTPS, too. `false` by default.
        ///   - expires: When the demand ends; after 68 years at the latest, the default.
        public init(_ name: String, includesSubdomains: Bool = false, expires: Date = .distantFuture) {
            self.name = name
            self.includesSubdomains = includesSubdomains
            self.expires = expires
        }
    }

    /// The hosts, sorted by name.
    public var hosts: [Host] {
        let time = now().timeIntervalSince1970
        let entries = state.withLock(\.table.entries).filter { $0.value.expires > time }
        return entries.sorted { $0.key < $1.key }.map { name, entry in
            Host(
                name, includesSubdomains: entry.includesSubdomains,
                expires: Date(timeIntervalSince1970: entry.expires))
        }
    }

    /// The URL to use instead of an `http` URL: the same over HTTPS. `nil` if its host isn't known to demand HTTPS, or the URL
    /// is `https` already.
    ///
    /// Port 80 becomes 443, and another port stays (section 8.3).
    public func upgraded(_ url: HTTPURL) -> HTTPURL? {
        guard url.scheme == .http, !isEmpty else { return nil }
        let time = now().timeIntervalSince1970
        return state.withLock { $0.table.requiresHTTPS(url.host, at: time) } ? url.overHTTPS : nil
    }

    /// Adds a host, or replaces its entry, as if it had sent the field.
    ///
    /// Does nothing for an address, a name of this machine such as `localhost`, text that isn't a host, and a date that has
    /// passed.
    public func add(_ host: Host) {
        guard let url = try? HTTPURL("https://\(host.name)/") else { return }
        let age = Int(saturating: host.expires.timeIntervalSince(now()))
        guard age > 0 else { return }
        learn(StrictTransportPolicy(maximumAge: age, includesSubdomains: host.includesSubdomains), from: url.host)
    }

    /// Removes the entry of a host. Entries of its parent domains may still apply to it.
    public func remove(_ host: String) {
        guard let url = try? HTTPURL("https://\(host)/") else { return }
        learn(StrictTransportPolicy(maximumAge: 0, includesSubdomains: false), from: url.host)
    }

    /// Removes all hosts, also from the file, and those that other processes have written.
    ///
    /// Blocks the thread while another process writes the file, for up to 10 s. If the file can't be written, this is reported,
    /// and done with the next write. Another process can add hosts again that it learns afterward.
    public func clear() {
        state.withLock { $0.clear(at: now().timeIntervalSince1970, hasFile: saver != nil) }
        try? save()
    }

    /// Writes the file now, if the store has one that isn't up to date.
    ///
    /// Throws `.file` if it can't be written. Retries failed background writes.
    public func save() throws(NetworkError) {
        try saver?.save(write)
    }

    /// Takes the field of a response.
    func learn(_ policy: StrictTransportPolicy, from host: String) {
        change { table, time in table.learn(policy, from: host, at: time).map { [$0] } ?? [] }
    }

    /// Whether nothing is known, as it is with most clients.
    var isEmpty: Bool { state.isEmpty }

    private func change(_ body: (inout StrictTransportTable, Double) -> [StrictTransportTable.Change]) {
        let time = now().timeIntervalSince1970
        let isWorthWriting = state.withLock { state in
            let changes = body(&state.table, time)
            guard saver != nil, !changes.isEmpty else { return false }
            state.note(changes, at: time)
            return !changes.allSatisfy(\.isSmall)
        }
        if isWorthWriting { saver?.saveSoon(write) }
    }

    // MARK: The file

    /// Adds the changes to what the file has now, and takes what other processes have changed. Returns the written version.
    @Sendable private func write(unless written: Int) throws(NetworkError) -> Int {
        guard let file, state.withLock({ $0.version != written }) else { return written }
        let time = now().timeIntervalSince1970
        let (table, version) = try PrivateFile(file).change { data throws(NetworkError) in
            var table = try Self.table(data, file, at: time)
            let version = state.withLock { state in
                state.apply(to: &table, at: time)
                return state.version
            }
            if data != nil || !table.isEmpty { data = Data(table.text.utf8) }
            return (table, version)
        }
        state.withLock { $0.take(table, version: version, at: time) }
        return version
    }

    private static func table(_ data: Data?, _ file: URL, at time: Double) throws(NetworkError) -> StrictTransportTable
    {
        guard let data else { return StrictTransportTable() }
        guard let table = StrictTransportTable(String(decoding: data, as: UTF8.self), at: time) else {
            throw PrivateFile.error("\(file.lastPathComponent) is not an HSTS file")
        }
        return table
    }
}

extension HSTSStore: CustomStringConvertible {
    /// The number of hosts.
    public var description: String { "HSTSStore(\(state.withLock(\.table.entries.count)) hosts)" }
}
