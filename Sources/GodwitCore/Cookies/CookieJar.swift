import Synchronization

/// Keeps cookies between requests (RFC 6265bis), in memory or in a file.
///
/// ```swift
/// let jar = try CookieJar(file: CookieFile(file), suffixes: suffixes)
/// jar.cookies(for: try HTTPURL("https://example.com/"))
/// jar.clear()
/// ```
///
/// A jar without a file keeps everything in memory; two jars share nothing. At most 180 cookies of a domain and 3,000
/// in all are kept; those longest unused go first. Safe to use from any task.
public final class CookieJar: Sendable {
    private let policy: CookiePolicy
    private let suffixes: any PublicSuffixes
    private let now: @Sendable () -> Date
    private let storage: Mutex<CookieStorage>
    private let saver: CookieSaver?

    /// Makes an empty jar that lives in memory only.
    ///
    /// Without a list of public suffixes each cookie goes to exactly the host that set it.
    ///
    /// - Parameters:
    ///   - policy: Which cookies of servers are kept.
    ///   - suffixes: Knows the names under which nobody may set cookies for all.
    ///   - now: The time that expiries are compared with.
    public init(
        accepting policy: CookiePolicy = .always, suffixes: any PublicSuffixes = ExactHosts(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.policy = policy
        self.suffixes = suffixes
        self.now = now
        storage = Mutex(CookieStorage())
        saver = nil
    }

    /// Makes a jar with the cookies of a file, which is written again soon after persistent cookies changed.
    ///
    /// Throws `.file` where the file can be read by others, or is no cookie file. A missing file is an empty jar. Call
    /// ``save()`` before the process ends. Session cookies are not written.
    ///
    /// - Parameters:
    ///   - file: Where they are kept.
    ///   - policy: Which cookies of servers are kept.
    ///   - suffixes: Knows the names under which nobody may set cookies for all.
    ///   - diagnostics: Receives a report if the file can't be written in the background.
    ///   - now: The time that expiries are compared with.
    public init(
        file: CookieFile, accepting policy: CookiePolicy = .always, suffixes: any PublicSuffixes = ExactHosts(),
        diagnostics: Diagnostics = .shared, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(NetworkError) {
        self.policy = policy
        self.suffixes = suffixes
        self.now = now
        var stored = CookieStorage()
        let time = now()
        for cookie in try file.read() { stored.insert(cookie, at: time) }
        saver = CookieSaver(file, version: stored.persistentVersion, diagnostics: diagnostics)
        storage = Mutex(stored)
    }

    /// All cookies, oldest first.
    public var cookies: [Cookie] {
        storage.withLock { $0.all(at: now()) }
    }

    /// The cookies that a request to this URL would carry, in their order.
    ///
    /// - Parameter url: Its scheme, host and path decide (RFC 6265bis section 5.8).
    public func cookies(for url: HTTPURL) -> [Cookie] {
        storage.withLock { $0.cookies(for: url, at: now()) }
    }

    /// Adds a cookie by hand, whatever the policy; replaces one of the same name, domain and path.
    ///
    /// Throws `.invalidRequest` where the cookie could not be sent or lacks what its name's prefix promises.
    ///
    /// ```swift
    /// try jar.add(Cookie(name: "theme", value: "dark", domain: "example.com"))
    /// ```
    ///
    /// - Parameter cookie: The cookie.
    public func add(_ cookie: Cookie) throws(NetworkError) {
        do throws(CookieRefusal) {
            try cookie.check()
        } catch {
            throw NetworkError(
                .invalidRequest(reason: "the cookie \"\(cookie.name)\" cannot be kept: \(error.rawValue)"),
                phase: .building)
        }
        change { storage, time in
            var cookie = cookie
            cookie.created = time
            cookie.lastUsed = time
            storage.insert(cookie, at: time)
        }
    }

    /// Takes the value of a `Set-Cookie` field that came from a URL, unless the policy is `.never`; returns whether it
    /// was accepted. An accepted one may end a cookie rather than store one.
    ///
    /// - Parameters:
    ///   - setCookie: The value of one `Set-Cookie` field.
    ///   - url: Where it came from.
    @discardableResult
    public func store(_ setCookie: String, from url: HTTPURL) -> Bool {
        guard policy != .never else { return false }
        return change { storage, time in
            do throws(CookieRefusal) {
                try storage.receive(setCookie, from: url, suffixes: suffixes, at: time)
                return true
            } catch {
                return false
            }
        }
    }

    /// Removes the cookie with this one's name, domain and path.
    ///
    /// - Parameter cookie: Its value and attributes do not count.
    public func delete(_ cookie: Cookie) {
        change { storage, _ in storage.remove { $0.replaces(cookie) } }
    }

    /// Removes the cookies of a host or domain, and of the names under it.
    ///
    /// - Parameter domain: A host or domain name in any case.
    public func delete(domain: String) {
        let domain = domain.asciiLowercased
        change { storage, _ in storage.remove { CookieDomain.matches($0.domain, domain) } }
    }

    /// Removes all cookies.
    public func clear() {
        change { storage, _ in storage.remove { _ in true } }
    }

    /// Removes the session cookies, as a browser does when it is closed.
    public func endSession() {
        change { storage, _ in storage.remove { !$0.isPersistent } }
    }

    /// Writes the file now, where there is one and it is not up to date.
    ///
    /// Throws `.file` where it cannot be written; what failed in the background is tried again here.
    public func save() throws(NetworkError) {
        try saver?.save { snapshot }
    }

    /// The `Cookie` field of a request, and notes that these cookies were used.
    func taking(for url: HTTPURL) -> [Cookie] {
        storage.withLock { $0.count == 0 ? [] : $0.take(for: url, at: now()) }
    }

    /// Takes the cookies of a response as the policy says.
    func receive(_ fields: HTTPFields, from url: HTTPURL, called original: HTTPURL) {
        guard fields.contains(.setCookie) else { return }
        if policy == .ownSite, suffixes.site(of: url.host) != suffixes.site(of: original.host) { return }
        for value in fields.values(of: .setCookie) { store(value, from: url) }
    }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout CookieStorage, Date) -> Result) -> Result {
        let time = now()
        let (result, isFileOld) = storage.withLock { storage in
            let version = storage.persistentVersion
            return (body(&storage, time), storage.persistentVersion != version)
        }
        if isFileOld { saver?.saveSoon { self.snapshot } }
        return result
    }

    private var snapshot: CookieSaver.Snapshot {
        let time = now()
        return storage.withLock { storage in
            CookieSaver.Snapshot(
                cookies: storage.all(at: time).filter(\.isPersistent), version: storage.persistentVersion)
        }
    }
}

extension CookieJar: CustomStringConvertible {
    /// How many cookies there are.
    public var description: String {
        "CookieJar(\(storage.withLock { $0.count }) cookies)"
    }
}

/// Which cookies a jar takes from servers.
///
/// It does not limit what is sent: cookies that are in the jar go where they belong. A request that shall neither send
/// nor store any says so with ``RequestOptions/cookies``.
///
/// ```swift
/// let jar = CookieJar(accepting: .ownSite)
/// ```
public enum CookiePolicy: Sendable, Hashable {
    /// All that RFC 6265bis allows.
    case always
    /// Only those of the site that was called, not those of another site a redirect led to. Sites are told apart by
    /// ``PublicSuffixes/site(of:)``; the scheme does not matter.
    case ownSite
    /// None.
    case never
}
