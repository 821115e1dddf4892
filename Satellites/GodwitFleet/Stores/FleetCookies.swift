#if os(Linux)
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
    /// process; it is written when Redis is back.
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
                .invalidRequest(reason: "FleetOptions.keys is empty: cookies are stored only encrypted"),
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
        var known = CookieMerge.Known()
    }

    private let fleet: Fleet
    private let name: String
    private let key: String
    private let state = Mutex(State())
    private let news = NewsReceiver()
    private let work = RepeatedWork()

    init(_ name: String, _ fleet: Fleet) {
        self.fleet = fleet
        self.name = name
        key = fleet.key("cookies", name)
    }

    func use(_ jar: CookieJar) {
        state.withLock { $0.jar = jar }
        news.start(fleet, .cookies, of: name) { [weak self] in self?.start() }
    }

    /// Exchanges in the background.
    func start() { Task { await run() } }

    /// Exchanges until nothing has changed meanwhile.
    func run() async { await work.run { await exchange() } }

    private func exchange() async {
        guard let (jar, known) = state.withLock({ state in state.jar.map { ($0, state.known) } }),
            case .success(let value) = await fleet.run(.readCookies, [key], [])
        else { return }
        let now = Date()
        let (stored, expired) = read(value.array ?? [], at: now)
        let records = jar.cookies.map { CookieRecord($0) }
        let ours = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
        let merge = CookieMerge(known, ours, stored, at: now)
        jar.replace(merge.changes)
        let next = await write(merge, expired)
        state.withLock { $0.known = next }
    }

    /// Returns what is known afterward.
    private func write(_ merge: CookieMerge, _ expired: [RedisArgument]) async -> CookieMerge.Known {
        guard !merge.written.isEmpty || !merge.removed.isEmpty || !expired.isEmpty else { return merge.failed }
        var generator = SystemRandomNumberGenerator()
        var arguments = [RedisArgument(generator.next()), RedisArgument(merge.removed.count)]
        arguments += merge.removed.map { RedisArgument($0) } + [RedisArgument(expired.count)] + expired
        for (id, cookie) in merge.written {
            guard let data = try? JSONEncoder().encode(cookie),
                let sealed = fleet.options.keys.seal(Array(data), authenticating: "\(key) \(id)")
            else { continue }
            arguments += [RedisArgument(id), RedisArgument(sealed)]
        }
        guard case .success(let value) = await fleet.run(.writeCookies, [key], arguments) else { return merge.failed }
        await fleet.publish(.cookies, name)
        let reply = value.array?.compactMap(\.string) ?? []
        return merge.succeeded(refusing: Set(reply.dropFirst()), mark: reply.first)
    }

    /// The cookies, and the names and values of expired ones.
    private func read(_ parts: [RedisValue], at now: Date) -> (CookieMerge.Stored, expired: [RedisArgument]) {
        var stored = CookieMerge.Stored()
        var expired: [RedisArgument] = []
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            guard let id = parts[index].string, let sealed = parts[index + 1].bytes else { continue }
            if id.isEmpty {
                stored.mark = String(decoding: sealed, as: UTF8.self)
            } else if let cookie = opened(sealed, id) {
                if !cookie.isExpired(at: now) {
                    stored.cookies[id] = cookie
                } else if cookie.isExpired(at: now.addingTimeInterval(-3600)) {
                    // An hour later, the clocks of all processes agree.
                    expired += [RedisArgument(id), RedisArgument(sealed)]
                }
            } else {
                stored.unreadable.insert(id)
            }
        }
        return (stored, expired)
    }

    private func opened(_ sealed: [UInt8], _ id: String) -> CookieRecord? {
        guard let plain = fleet.options.keys.open(sealed, authenticating: "\(key) \(id)"),
            let cookie = try? JSONDecoder().decode(CookieRecord.self, from: Data(plain)), cookie.id == id,
            cookie.cookie != nil
        else { return nil }
        return cookie
    }
}

// The cookies are a hash by ID. The field without a name is the mark.
extension RedisScript {
    static let readCookies = RedisScript("return redis.call('HGETALL', KEYS[1])")

    /// Arguments: a mark; the number of fields to remove, these; the number of fields and values to remove if they are still
    /// the same, these; then fields and values. Returns the mark and the refused fields: the limit is that of a jar.
    static let writeCookies = RedisScript(
        """
        redis.call('HSETNX', KEYS[1], '', ARGV[1])
        local result = {redis.call('HGET', KEYS[1], '')}
        local last = tonumber(ARGV[2]) + 2
        for i = 3, last do redis.call('HDEL', KEYS[1], ARGV[i]) end
        local first = last + 2
        last = last + 1 + tonumber(ARGV[last + 1])
        for i = first, last, 2 do
            if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', KEYS[1], ARGV[i]) end
        end
        for i = last + 1, #ARGV - 1, 2 do
            if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 or redis.call('HLEN', KEYS[1]) <= 3000 then
                redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
            else
                result[#result + 1] = ARGV[i]
            end
        end
        redis.call('PEXPIRE', KEYS[1], 34560000000)
        return result
        """)
}
#endif
