import GodwitSupport

/// Stores cookies between requests (RFC 6265bis), in memory or in a file.
///
/// ```swift
/// let jar = try CookieJar(file: CookieFile(file), suffixes: suffixes)
/// jar.cookies(for: try HTTPURL("https://example.com/"))
/// jar.clear()
/// ```
///
/// A jar without a file stores cookies in memory. Stores up to 180 cookies per domain and 3,000 in total; the least
/// recently used are removed first. Safe to use from any task.
public final class CookieJar: Sendable {
    private let policy: CookiePolicy
    private let suffixes: any PublicSuffixes
    private let now: @Sendable () -> Date
    private let storage: SparseMutex<CookieStorage>
    private let file: CookieFile?
    private let saver: FileSaver?
    private let onChange: (@Sendable () -> Void)?

    /// Creates an empty jar in memory.
    ///
    /// Without a list of public suffixes, each cookie is sent only to the exact host that set it.
    ///
    /// - Parameters:
    ///   - policy: The cookies to accept from servers.
    ///   - suffixes: The domains that no site can set cookies for.
    ///   - now: Returns the current time, to check expiry.
    ///   - onChange: Called after cookies were stored, replaced or removed, to keep them elsewhere too. Must not block.
    ///     `nil` by default.
    public init(
        accepting policy: CookiePolicy = .always, suffixes: any PublicSuffixes = ExactHosts(),
        now: @escaping @Sendable () -> Date = { Date() }, onChange: (@Sendable () -> Void)? = nil
    ) {
        self.policy = policy
        self.suffixes = suffixes
        self.now = now
        self.onChange = onChange
        storage = SparseMutex(CookieStorage(countsSessionCookies: onChange != nil))
        file = nil
        saver = nil
    }

    /// Creates a jar from a file. Its cookies are written back soon after they change.
    ///
    /// A missing file means an empty jar. Session cookies are written only if the file keeps
    /// them. Several processes can use one file: each applies what it has set and deleted to what the file has, cookie by
    /// cookie, and reads the others' changes when it writes. Call ``save()`` before the process ends.
    /// Throws `.file` if others can read the file, or it isn't a cookie file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - policy: The cookies to accept from servers.
    ///   - suffixes: The domains that no site can set cookies for.
    ///   - diagnostics: Receives a report if the file can't be written in the background.
    ///   - now: Returns the current time, to check expiry.
    public init(
        file: CookieFile, accepting policy: CookiePolicy = .always, suffixes: any PublicSuffixes = ExactHosts(),
        diagnostics: Diagnostics = .shared, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(NetworkError) {
        self.policy = policy
        self.suffixes = suffixes
        self.now = now
        onChange = nil
        var stored = CookieStorage(countsSessionCookies: file.keepsSessionCookies)
        let time = now()
        for cookie in try file.read() { stored.insert(cookie, at: time) }
        stored.startNotingChanges()
        saver = FileSaver(.cookies, at: file.url, version: stored.persistentVersion, diagnostics: diagnostics)
        self.file = file
        storage = SparseMutex(stored)
    }

    /// All cookies, oldest first.
    public var cookies: [Cookie] {
        storage.withLock { $0.all(at: now()) }
    }

    /// Returns the cookies that a request to this URL would contain, in order.
    ///
    /// - Parameter url: Its scheme, host and path select the cookies (RFC 6265bis section 5.8).
    public func cookies(for url: HTTPURL) -> [Cookie] {
        storage.withLock { $0.cookies(for: url, at: now()) }
    }

    /// Adds a cookie, regardless of the policy. Replaces one with the same name, domain and path.
    ///
    /// Throws `.invalidRequest` if the cookie can't be sent or violates its name prefix.
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

    /// Stores the cookie of a `Set-Cookie` field, unless the policy is `.never`. An expired one removes a cookie.
    ///
    /// - Parameters:
    ///   - setCookie: The value of one `Set-Cookie` field.
    ///   - url: The URL of the response.
    /// - Returns: Whether the field was accepted.
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

    /// Removes the cookie with the same name, domain and path.
    ///
    /// - Parameter cookie: The cookie. Its value and attributes are ignored.
    public func delete(_ cookie: Cookie) {
        change { storage, _ in storage.remove(.cookie(cookie.key)) }
    }

    /// Removes the cookies of a host or domain, and of its subdomains.
    ///
    /// - Parameter domain: A host or domain name, compared case-insensitively.
    public func delete(domain: String) {
        let domain = domain.asciiLowercased
        change { storage, _ in storage.remove(.domain(domain)) }
    }

    /// Removes all cookies.
    public func clear() {
        change { storage, _ in storage.remove(.everything) }
    }

    /// Removes all session cookies, as a browser does when it quits.
    public func endSession() {
        change { storage, _ in storage.remove(.sessionCookies) }
    }

    /// Writes the file now, if the jar has one that isn't up to date.
    ///
    /// Throws `.file` if it can't be written. Retries failed background writes.
    public func save() throws(NetworkError) {
        try saver?.save(write)
    }

    /// Replaces, adds (`old` is `nil`) or removes (`new` is `nil`) cookies, except those that have changed since they were
    /// read. Doesn't call the closure of the jar's creation.
    package func replace(_ changes: [(old: CookieRecord?, new: CookieRecord?)]) {
        let time = now()
        storage.withLock { storage in
            let records = storage.all(at: time).map { CookieRecord($0) }
            let current = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
            for (old, new) in changes {
                guard let id = (new ?? old)?.id, current[id] == old else { continue }
                if var cookie = new?.cookie {
                    cookie.created = time
                    cookie.lastUsed = time
                    storage.insert(cookie, at: time)
                } else if let cookie = old?.cookie, new == nil {
                    storage.remove(.cookie(cookie.key))
                }
            }
        }
    }

    /// Returns the cookies for a request and marks them as used.
    func taking(for url: HTTPURL) -> [Cookie] {
        storage.isEmpty ? [] : storage.withLock { $0.take(for: url, at: now()) }
    }

    /// Stores the cookies of a response, if the policy allows it.
    func receive(_ fields: HTTPFields, from url: HTTPURL, called original: HTTPURL) {
        guard fields.contains(.setCookie) else { return }
        if policy == .ownSite, suffixes.site(of: url.host) != suffixes.site(of: original.host) { return }
        for value in fields.values(of: .setCookie) { store(value, from: url) }
    }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout CookieStorage, Date) -> Result) -> Result {
        let time = now()
        let (result, isChanged) = storage.withLock { storage in
            let version = storage.persistentVersion
            return (body(&storage, time), storage.persistentVersion != version)
        }
        if isChanged {
            saver?.saveSoon(write)
            onChange?()
        }
        return result
    }

    /// Applies the changes to what the file has now, and takes what other processes have changed. Returns the written version.
    @Sendable private func write(unless written: Int) throws(NetworkError) -> Int {
        guard let file, storage.withLock({ $0.persistentVersion != written }) else { return written }
        let time = now()
        let (former, applied) = try file.change { cookies in
            let former = storage.withLock { $0 }
            let applied = former.applied(to: cookies, at: time)
            cookies = applied.all(at: time)
            return (former, applied)
        }
        storage.withLock { $0.adopt(applied, after: former, at: time) }
        return former.persistentVersion
    }
}

extension CookieJar: CustomStringConvertible {
    /// The number of cookies.
    public var description: String {
        "CookieJar(\(storage.withLock { $0.count }) cookies)"
    }
}

/// The cookies that a jar accepts from servers.
///
/// It doesn't limit sending: stored cookies are sent wherever they match. To neither send nor store cookies with a
/// request, set ``RequestOptions/cookies``.
///
/// ```swift
/// let jar = CookieJar(accepting: .ownSite)
/// ```
public enum CookiePolicy: Sendable, Hashable {
    /// Accepts all cookies that RFC 6265bis allows.
    case always
    /// Accepts cookies only from the site of the original URL, not from other sites after a redirect. Sites are
    /// compared by ``PublicSuffixes/site(of:)``, ignoring the scheme.
    case ownSite
    /// Accepts no cookies.
    case never
}
