#if os(Linux)
public import GodwitCore
import GodwitSockets
import Synchronization

/// What servers announced about HTTP/3 (`Alt-Svc`, RFC 7838), and where it failed. Kept in memory; in a file if you name one.
///
/// A transport with ``HTTP3Configuration/Mode/whereAvailable`` makes its own unless you set
/// ``HTTP3Configuration/alternativeServices``. Several transports may share one.
///
/// ```swift
/// let services = AlternativeServices(file: folder.appending(path: "alt-svc"))
/// let transport = try HTTP3Transport {
///     $0.alternativeServices = services
/// }
/// ```
///
/// Only HTTP/3 on the origin's own host is used, at any port, and only if a response over HTTPS announced it.
public final class AlternativeServices: Sendable {
    private let table: Mutex<AlternativeTable>
    private let file: AlternativeFile?
    private let now: @Sendable () -> Date

    /// Reads the file, if there is one.
    ///
    /// The file tells which hosts were visited, so only its owner can read it (mode 0600). If it can't be used, announcements
    /// are kept in memory, and a `StorageDiagnostic` is reported. Several processes can use one file: each adds what it has
    /// learned, under the lock of `NAME.lock` in the same folder.
    ///
    /// - Parameters:
    ///   - file: Where announcements are kept. `nil`, the default, means in memory.
    ///   - now: Returns the current time, to check expiry.
    public convenience init(file: URL? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(file: file, diagnostics: .shared, now: now)
    }

    package init(file: URL?, diagnostics: Diagnostics, now: @escaping @Sendable () -> Date) {
        self.now = now
        self.file = file.map { AlternativeFile($0, diagnostics) }
        table = Mutex(self.file?.read(at: now().timeIntervalSince1970) ?? AlternativeTable())
    }

    /// Treats the URL's origin as if it had announced HTTP/3 on its own port, for a day: the first request tries it, too.
    ///
    /// Does nothing for a URL that isn't HTTPS.
    public func expectHTTP3(at url: HTTPURL) {
        let service = AlternativeService(protocolID: "h3", port: url.port)
        learn(.services([service]), from: url.origin)
    }

    /// Forgets everything, also in the file.
    public func removeAll() {
        change {
            $0.removeAll()
            return true
        }
    }

    // MARK: What engines do

    /// Where HTTP/3 may be tried now.
    package func decision(for origin: Origin) -> AlternativeTable.Decision {
        let time = now().timeIntervalSince1970
        return table.withLock { $0.decision(for: origin, at: time) }
    }

    /// Takes the announcement of a response over HTTPS.
    ///
    /// - Parameter age: The response's age in seconds, which counts toward the validity (RFC 7838 section 3.1).
    package func learn(_ field: AlternativeServiceField, from origin: Origin, age: Int = 0) {
        let time = now().timeIntervalSince1970
        change { $0.learn(field, from: origin, age: age, at: time) }
    }

    /// HTTP/3 connected.
    package func succeeded(at origin: Origin) {
        table.withLock { $0.succeeded(at: origin) }
    }

    /// HTTP/3 did not connect, or its connection went silent.
    package func failed(at origin: Origin) {
        let time = now().timeIntervalSince1970
        table.withLock { $0.failed(at: origin, at: time) }
    }

    /// The network changed: announcements for the former one are void, and what failed there may work here
    /// (RFC 7838 section 2.2).
    package func pathChanged() {
        change { $0.pathChanged() }
    }

    /// Waits until the file has what was learned so far.
    package func flush() async {
        await file?.flush()
    }

    /// - Parameter body: Returns whether the file has to change now.
    private func change(_ body: (inout AlternativeTable) -> Bool) {
        let time = now().timeIntervalSince1970
        let (changes, isWorthWriting) = table.withLock { table in
            let isWorthWriting = body(&table)
            return (table.takeChanges(), isWorthWriting)
        }
        if !changes.isEmpty { file?.write(changes, isSmall: !isWorthWriting, at: time) }
    }
}
#endif
