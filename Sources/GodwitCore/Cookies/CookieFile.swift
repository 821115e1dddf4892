import Synchronization

/// Where a jar keeps its persistent cookies: a JSON file that only its owner can read.
///
/// It is written with mode 0600 and replaced in one step, so that a crash leaves the old one. Session cookies are not
/// in it. Its folder has to exist. Where two processes write the same file, the later one wins.
///
/// ```swift
/// let jar = try CookieJar(file: CookieFile(file))
/// ```
public struct CookieFile: Sendable, Hashable {
    /// Where it is.
    public let url: URL

    /// Names a file, which need not exist yet.
    ///
    /// - Parameter url: The file. Its folder has to be there when cookies are saved.
    public init(_ url: URL) {
        self.url = url
    }

    /// The cookies in it; none where there is no file.
    ///
    /// Throws `.file` where group or others have any permission, the file is another user's, or holds something else.
    /// A cookie that could not be kept is passed over.
    func read() throws(NetworkError) -> [Cookie] {
        guard let data = try PrivateFile(url).read() else { return [] }
        guard let content = try? JSONDecoder().decode(Content.self, from: data), content.version == 1 else {
            throw PrivateFile.error("\(url.lastPathComponent) is no cookie file that this version can read")
        }
        return content.cookies.compactMap(\.cookie)
    }

    func write(_ cookies: [Cookie]) throws(NetworkError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Content(version: 1, cookies: cookies.compactMap(Record.init))) else {
            throw PrivateFile.error("the cookies cannot be encoded for \(url.lastPathComponent)")
        }
        try PrivateFile(url).replace(with: data)
    }

    private struct Content: Codable {
        let version: Int
        let cookies: [Record]
    }

    /// A cookie in the file; times in seconds since 1970.
    private struct Record: Codable {
        let name: String
        let value: String
        let domain: String
        let hostOnly: Bool
        let path: String
        let expires: Double
        let secure: Bool
        let httpOnly: Bool
        let sameSite: String
        let created: Double
        let lastUsed: Double

        init?(_ cookie: Cookie) {
            guard let expires = cookie.expires else { return nil }
            name = cookie.name
            value = cookie.value
            domain = cookie.domain
            hostOnly = cookie.isHostOnly
            path = cookie.path
            self.expires = expires.timeIntervalSince1970
            secure = cookie.isSecure
            httpOnly = cookie.isHTTPOnly
            sameSite = cookie.sameSite.rawValue
            created = cookie.created.timeIntervalSince1970
            lastUsed = cookie.lastUsed.timeIntervalSince1970
        }

        var cookie: Cookie? {
            var cookie = Cookie(name: name, value: value, domain: domain)
            cookie.isHostOnly = hostOnly
            cookie.path = path
            cookie.expires = Date(timeIntervalSince1970: expires)
            cookie.isSecure = secure
            cookie.isHTTPOnly = httpOnly
            cookie.sameSite = Cookie.SameSite(rawValue: sameSite) ?? .unspecified
            cookie.created = Date(timeIntervalSince1970: created)
            cookie.lastUsed = Date(timeIntervalSince1970: lastUsed)
            return (try? cookie.check()) == nil ? nil : cookie
        }
    }
}

/// Writes a jar's file, one write at a time, and never an older state over a newer one.
final class CookieSaver: Sendable {
    struct Snapshot: Sendable {
        let cookies: [Cookie]
        let version: Int
    }

    private let file: CookieFile
    private let diagnostics: Diagnostics
    /// Held during a write, so that the next one takes its snapshot after it.
    private let written: Mutex<Int>
    private let isScheduled = Mutex(false)

    /// Makes a saver of a file that holds a jar's state of this version.
    init(_ file: CookieFile, version: Int, diagnostics: Diagnostics) {
        self.file = file
        self.diagnostics = diagnostics
        written = Mutex(version)
    }

    /// Writes the snapshot, unless the file holds it already. The snapshot is taken once no other write is going on.
    func save(_ snapshot: () -> Snapshot) throws(NetworkError) {
        try written.withLock { version throws(NetworkError) in
            let snapshot = snapshot()
            guard snapshot.version != version else { return }
            do throws(NetworkError) {
                try file.write(snapshot.cookies)
            } catch {
                diagnostics.report(.cookies, at: file.url, error)
                throw error
            }
            version = snapshot.version
        }
    }

    /// Writes in the background: many changes at once make one write. A failure is left to the next change, or to
    /// ``CookieJar/save()``, which throws it.
    func saveSoon(_ snapshot: @escaping @Sendable () -> Snapshot) {
        guard
            isScheduled.withLock({ isScheduled in
                defer { isScheduled = true }
                return !isScheduled
            })
        else { return }
        Task.detached(priority: .utility) {
            self.isScheduled.withLock { $0 = false }
            try? self.save(snapshot)
        }
    }
}
