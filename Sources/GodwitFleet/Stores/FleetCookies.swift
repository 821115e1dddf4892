import GodwitCore
import Synchronization

extension Fleet {
    /// A cookie jar that all processes of the fleet share: what one receives, the others send soon after.
    ///
    /// ```swift
    /// let jar = try await fleet.cookieJar("partner")
    /// let api = APIClient(baseURL: url) { $0.cookies = .jar(jar) }
    /// ```
    ///
    /// Each process has all cookies in memory. Changes are written in the background, encrypted with the first of
    /// ``FleetOptions/keys``, and the last change of a cookie counts. While Redis can't be used, a change stays in its
    /// process until the next one.
    ///
    /// - Parameters:
    ///   - name: What the processes have in common, such as the account.
    ///   - suffixes: The domains that no site can set cookies for.
    /// - Throws: `.invalidRequest` if the fleet has no ``FleetOptions/keys``.
    public func cookieJar(
        _ name: String, suffixes: any PublicSuffixes = ExactHosts()
    ) async throws(NetworkError) -> CookieJar {
        guard !options.keys.isEmpty else {
            throw NetworkError(
                .invalidRequest(reason: "a fleet stores cookies only encrypted: set keys in its options"),
                phase: .building)
        }
        let exchange = CookieExchange(name, self)
        // The jar keeps the exchange alive.
        let jar = CookieJar(suffixes: suffixes, onChange: { exchange.start() })
        exchange.use(jar)
        await exchange.run()
        return jar
    }
}

/// Carries cookies between one jar and Redis.
final class CookieExchange: Sendable {
    private struct State: Sendable {
        weak var jar: CookieJar?
        var registration: FleetNews.Registration?
        /// What Redis and the jar had after the last exchange.
        var known: [String: StoredCookie] = [:]
        var isRunning = false
        var isNeeded = false
    }

    private let fleet: Fleet
    private let name: String
    private let key: String
    private let state = Mutex(State())

    init(_ name: String, _ fleet: Fleet) {
        self.fleet = fleet
        self.name = name
        key = fleet.key("cookies", name)
    }

    func use(_ jar: CookieJar) {
        let registration = fleet.onNews(.cookies) { [weak self] text in
            if let self, text == nil || text == name { start() }
        }
        state.withLock { state in
            state.jar = jar
            state.registration = registration
        }
    }

    /// Exchanges in the background.
    func start() { Task { await run() } }

    /// Exchanges until nothing has changed meanwhile.
    func run() async {
        let isFirst = state.withLock { state in
            state.isNeeded = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        while true {
            let isNeeded = state.withLock { state in
                defer { state.isNeeded = false }
                if !state.isNeeded { state.isRunning = false }
                return state.isNeeded
            }
            guard isNeeded else { return }
            await exchange()
        }
    }

    private func exchange() async {
        guard let (jar, last) = state.withLock({ state in state.jar.map { ($0, state.known) } }),
            case .success(let value) = await fleet.run(.readAll, [key], [])
        else { return }
        let parts = value.array ?? []
        let theirs = read(parts)
        // Without the mark, Redis has never had the cookies or has lost them: an empty jar has it too.
        let hasMark = stride(from: 0, to: parts.count, by: 2).contains { parts[$0].string == "" }
        let known = hasMark ? last : [:]
        let ours = Dictionary(jar.cookies.map { (StoredCookie.id($0), StoredCookie($0)) }) { first, _ in first }
        // What changed here since the last exchange is written; everything else is taken from Redis.
        let written = ours.filter { known[$0.key] != $0.value }
        let removed = known.keys.filter { ours[$0] == nil }
        let wanted = theirs.merging(written) { $1 }.filter { !removed.contains($0.key) }
        state.withLock { $0.known = wanted }
        for (id, cookie) in wanted where ours[id] != cookie { if let cookie = cookie.cookie { try? jar.add(cookie) } }
        for (id, cookie) in ours where wanted[id] == nil { if let cookie = cookie.cookie { jar.delete(cookie) } }
        await write(written, removed.filter { theirs[$0] != nil })
    }

    private func write(_ written: [String: StoredCookie], _ removed: [String]) async {
        guard !written.isEmpty || !removed.isEmpty else { return }
        var arguments = [RedisArgument(removed.count)] + removed.map { RedisArgument($0) }
        for (id, cookie) in written {
            guard let data = try? JSONEncoder().encode(cookie),
                let sealed = fleet.options.keys.seal(Array(data), for: "\(key) \(id)")
            else { continue }
            arguments += [RedisArgument(id), RedisArgument(sealed)]
        }
        _ = await fleet.run(.writeAll, [key], arguments)
        await fleet.publish(.cookies, name)
    }

    private func read(_ parts: [RedisValue]) -> [String: StoredCookie] {
        var cookies: [String: StoredCookie] = [:]
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            guard let id = parts[index].string, let sealed = parts[index + 1].bytes,
                let plain = fleet.options.keys.open(sealed, for: "\(key) \(id)"),
                let cookie = try? JSONDecoder().decode(StoredCookie.self, from: Data(plain)), cookie.isCurrent
            else { continue }
            cookies[id] = cookie
        }
        return cookies
    }
}

/// The stored form of a cookie. Times are in seconds since 1970.
struct StoredCookie: Sendable, Hashable, Codable {
    let name: String
    let value: String
    let domain: String
    let hostOnly: Bool
    let path: String
    let expires: Double?
    let secure: Bool
    let httpOnly: Bool
    let sameSite: String

    init(_ cookie: Cookie) {
        name = cookie.name
        value = cookie.value
        domain = cookie.domain
        hostOnly = cookie.isHostOnly
        path = cookie.path
        expires = cookie.expires?.timeIntervalSince1970
        secure = cookie.isSecure
        httpOnly = cookie.isHTTPOnly
        sameSite = cookie.sameSite.rawValue
    }

    /// What distinguishes cookies (RFC 6265bis section 5.7).
    static func id(_ cookie: Cookie) -> String { "\(cookie.domain) \(cookie.path) \(cookie.name)" }

    var isCurrent: Bool { expires.map { $0 > Date().timeIntervalSince1970 } ?? true }

    var cookie: Cookie? {
        var cookie = Cookie(name: name, value: value, domain: domain)
        cookie.isHostOnly = hostOnly
        cookie.path = path
        cookie.expires = expires.map { Date(timeIntervalSince1970: $0) }
        cookie.isSecure = secure
        cookie.isHTTPOnly = httpOnly
        cookie.sameSite = Cookie.SameSite(rawValue: sameSite) ?? .unspecified
        return cookie
    }
}

extension RedisScript {
    static let readAll = RedisScript("return redis.call('HGETALL', KEYS[1])")

    /// Arguments: the number of fields to remove, these, then fields and values. The limit is that of a jar.
    static let writeAll = RedisScript(
        """
        local removed = tonumber(ARGV[1])
        for i = 2, removed + 1 do redis.call('HDEL', KEYS[1], ARGV[i]) end
        for i = removed + 2, #ARGV - 1, 2 do
            if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 or redis.call('HLEN', KEYS[1]) < 3000 then
                redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
            end
        end
        redis.call('HSET', KEYS[1], '', '')
        redis.call('PEXPIRE', KEYS[1], 34560000000)
        return 1
        """)
}
