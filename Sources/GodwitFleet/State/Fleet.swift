import GodwitCore
import Synchronization

/// Shares limits, permits, tokens, responses and circuits among processes on many machines, through Redis.
///
/// ```swift
/// let fleet = try await Fleet(redis: "rediss://app:secret@redis.example.com")
/// let api = APIClient(baseURL: "https://api.example.com/v1") {
///     $0.rateLimit = .shared(.perSecond(50), in: fleet)
/// }
/// ```
///
/// If Redis is slow, full or gone, calls continue without it: each process uses its share of every limit, by the last
/// known number of processes. No call waits longer for Redis than ``FleetOptions/commandTimeout``. ``state`` and
/// ``FleetOptions/diagnostics`` tell it.
///
/// A fleet closes its connections when nothing uses it any more.
public final class Fleet: Sendable {
    /// The name of the fleet, with which its keys begin.
    public let name: String

    let options: FleetOptions
    let timeline: Timeline
    let member: String
    let place: String
    private let connection: RedisConnection
    private let asked: AskedNode
    private let subscription: RedisConnection
    private let health: Mutex<FleetHealth>
    private let news: FleetNews
    private let heart: Heart

    /// Connects to Redis, for at most ``FleetOptions/connectTimeout``. If Redis can't be reached, the fleet begins with
    /// local limits and keeps trying.
    ///
    /// The URL is one of:
    ///
    ///     redis://user:password@host:port/database
    ///     rediss://…                                            TLS; the certificate is verified
    ///     redis+sentinel://user:password@host:port,…/master     the master that the sentinels name
    ///     redis+cluster://user:password@host:port,…             the node that has the fleet's keys
    ///
    /// - Parameters:
    ///   - redis: The URL of Redis. Characters such as `@` in a password are percent-encoded.
    ///   - name: The name that the processes have in common: letters, digits, `-`, `_` and `.`, at most 64. All keys are
    ///     in one slot of a cluster.
    ///   - configure: Changes the default options.
    /// - Throws: `.invalidRequest` if the URL or the name is invalid.
    public init(
        redis: String, name: String = "godwit", _ configure: @Sendable (inout FleetOptions) -> Void = { _ in }
    ) async throws(NetworkError) {
        let url = try RedisURL(redis)
        guard Self.isValid(name) else {
            throw NetworkError(
                .invalidRequest(reason: "a fleet's name has 1 to 64 letters, digits, or - _ ."), phase: .building)
        }
        var options = FleetOptions()
        configure(&options)
        options.commandTimeout = min(max(options.commandTimeout, .milliseconds(1)), .seconds(60))
        options.connectTimeout = min(max(options.connectTimeout, .milliseconds(1)), .seconds(60))
        options.heartbeat = min(max(options.heartbeat, .milliseconds(100)), .seconds(3600))
        options.replyLimit = max(64 << 10, options.replyLimit)
        self.options = options
        self.name = name
        timeline = Timeline(options.clock)
        place = url.place
        var generator = SystemRandomNumberGenerator()
        member = String(generator.next(), radix: 36)
        let endpoint = RedisEndpoint(
            url: url, authorities: options.authorities, timeout: options.connectTimeout, key: "{\(name)}:members",
            replyLimit: options.replyLimit)
        let news = FleetNews()
        self.news = news
        connection = RedisConnection(endpoint, for: .commands, timeout: options.commandTimeout)
        asked = AskedNode(endpoint, timeout: options.commandTimeout)
        subscription = RedisConnection(
            endpoint, for: .messages(channel: "{\(name)}:news") { news.receive($0) }, timeout: options.commandTimeout)
        let reason = FleetUnavailable(RedisFailure(.unreachable, "not connected yet"), at: place)
        health = Mutex(FleetHealth(expectedMembers: options.expectedMembers, reason))
        heart = Heart()
        await connection.firstAttempt(within: options.connectTimeout)
        await beat()
        heart.start(self)
    }

    deinit {
        heart.stop()
        connection.close()
        subscription.close()
    }

    /// Whether limits are shared now, and by how many processes.
    public var state: FleetState { health.withLock(\.state) }

    private static func isValid(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
                }
            }
    }
}

// What the parts of a fleet use.
extension Fleet {
    /// The key of a part. The braces put all keys into one slot of a cluster.
    func key(_ parts: String...) -> String { (["{\(name)}"] + parts).joined(separator: ":") }

    /// Runs a script; fails at once while Redis can't be used.
    func run(
        _ script: RedisScript, _ keys: [String], _ arguments: [RedisArgument]
    ) async -> Result<RedisValue, FleetUnavailable> {
        if let reason = health.withLock(\.reason) { return .failure(reason) }
        return await send(script, keys, arguments)
    }

    private func send(
        _ script: RedisScript, _ keys: [String], _ arguments: [RedisArgument]
    ) async -> Result<RedisValue, FleetUnavailable> {
        var outcome = await send(script.command(keys, arguments, withSource: false))
        if case .failure(let failure) = outcome, failure.kind == .unknownScript {
            outcome = await send(script.command(keys, arguments, withSource: true))
        }
        switch outcome {
        case .success(let value): return .success(value)
        case .failure(let failure): return .failure(note(failure))
        }
    }

    /// Sends a command, to another node if the slot is being moved there.
    private func send(_ command: [RedisArgument]) async -> RedisConnection.Outcome {
        let outcome = await connection.send(command)
        guard case .failure(let failure) = outcome, case .ask(let address) = failure.kind else { return outcome }
        return await asked.send(command, to: address)
    }

    private func note(_ failure: RedisFailure) -> FleetUnavailable {
        let reason = FleetUnavailable(failure, at: place)
        let isNew = health.withLock { $0.fail(reason) }
        if isNew {
            options.diagnostics.report(
                StorageDiagnostic(.fleet, reason.problem, path: place, detail: reason.reason))
            heart.hurry()
        }
        return reason
    }

    /// Says that this process lives, and learns how many do. Returns whether that worked.
    @discardableResult
    func beat() async -> Bool {
        let life = options.heartbeat * 3
        var generator = SystemRandomNumberGenerator()
        let outcome = await send(
            .heartbeat, [key("members"), key("epoch")],
            [
                RedisArgument(member), RedisArgument(Int64(life / .milliseconds(1))),
                RedisArgument(generator.next()),
            ])
        guard case .success(let value) = outcome, let parts = value.array, parts.count == 2,
            let members = parts[0].integer, let epoch = parts[1].string
        else { return false }
        let (wasLocal, isEmptied) = health.withLock { health in
            (health.reason != nil, health.succeed(members: Int(clamping: members), epoch: epoch))
        }
        if isEmptied { options.diagnostics.report(StorageDiagnostic(.fleet, .emptied, path: place)) }
        // Messages were missed, and changes of this process couldn't be written.
        if wasLocal || isEmptied { news.receive([]) }
        return true
    }

    /// Tells the other processes something. A lost message must do no harm.
    func publish(_ kind: FleetNews.Kind, _ text: String) async {
        guard health.withLock(\.reason) == nil else { return }
        _ = await connection.send(
            ["PUBLISH", RedisArgument(key("news")), RedisArgument("\(member) \(kind.rawValue) \(text)")])
    }

    /// Calls a closure for each message of other processes, and with `nil` if some may have been missed.
    func onNews(_ kind: FleetNews.Kind, _ body: @escaping @Sendable (String?) -> Void) -> FleetNews.Registration {
        news.add(kind, ignoring: member, body)
    }
}

extension RedisScript {
    /// Counts the processes that live. Scores are times of the server in ms.
    static let heartbeat = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        local life = tonumber(ARGV[2])
        -- First what a full Redis refuses: after another change, it would let the script go on.
        redis.call('SET', KEYS[2], ARGV[3], 'NX')
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
        redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 3 * life, '+inf')
        redis.call('ZADD', KEYS[1], now + life, ARGV[1])
        return {redis.call('ZCARD', KEYS[1]), redis.call('GET', KEYS[2])}
        """)
}
