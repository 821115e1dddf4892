#if os(Linux)
import GodwitCore
import GodwitSupport
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
/// ``FleetOptions/diagnostics`` show it.
///
/// Call ``close()`` before the process exits. A fleet that nothing uses any more closes itself.
public final class Fleet: Sendable {
    /// The name of the fleet, with which its keys begin.
    public let name: String

    let options: FleetOptions
    let timeline: Timeline
    let member: String
    let addresses: String
    private let connection: RedisConnection
    private let redirection: AskRedirection
    private let subscription: RedisConnection
    private let health: Mutex<FleetHealth>
    private let messages: FleetNews
    private let heartbeat: HeartbeatLoop

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
                .invalidRequest(reason: "invalid fleet name \"\(name)\": use 1 to 64 letters, digits, - _ or ."),
                phase: .building)
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
        addresses = url.addresses
        var generator = SystemRandomNumberGenerator()
        member = String(generator.next(), radix: 36)
        let endpoint = RedisEndpoint(
            url: url,
            tls: RedisTLS(authorities: options.authorities, clientCertificate: options.clientCertificate),
            timeout: options.connectTimeout, key: "{\(name)}:members", replyLimit: options.replyLimit)
        let messages = FleetNews()
        self.messages = messages
        connection = RedisConnection(endpoint, for: .commands, timeout: options.commandTimeout)
        redirection = AskRedirection(endpoint, timeout: options.commandTimeout)
        subscription = RedisConnection(
            endpoint, for: .messages(channel: "{\(name)}:news") { messages.receive($0) },
            timeout: options.commandTimeout)
        let reason = FleetUnavailable(RedisFailure(.unreachable, "not connected yet"), at: addresses)
        health = Mutex(FleetHealth(expectedMembers: options.expectedMembers, reason))
        heartbeat = HeartbeatLoop()
        await connection.firstAttempt(within: options.connectTimeout)
        await sendHeartbeat()
        heartbeat.start(self)
    }

    deinit {
        heartbeat.stop()
        let leaving = leaveCommand
        Task { [connection, subscription] in
            _ = await connection.send(leaving)
            connection.close()
            subscription.close()
        }
    }

    /// Leaves the fleet: the other processes get this one's share of the limits. Call it before the process exits.
    ///
    /// A process that exits without it may be cut off from Redis, as far as the others know: they leave its share
    /// unused for three minutes, or until another process starts. Calls after it use local limits.
    public func close() async {
        heartbeat.stop()
        let reason = FleetUnavailable(RedisFailure(.unreachable, "the fleet is closed"), at: addresses)
        let now = timeline.now
        health.withLock { $0.close(reason, at: now) }
        _ = await connection.send(leaveCommand)
        connection.close()
        subscription.close()
    }

    private var leaveCommand: [RedisArgument] {
        RedisScript.leave.command([key("members")], [RedisArgument(member)], withSource: true)
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

    /// Runs a script; fails without waiting while Redis can't be used.
    ///
    /// If only this script fails, only the part that uses it continues without Redis.
    func run(
        _ script: RedisScript, _ keys: [String], _ arguments: [RedisArgument]
    ) async -> Result<RedisValue, FleetUnavailable> {
        if let reason = health.withLock(\.reason) { return .failure(reason) }
        switch await send(script, keys, arguments) {
        case .success(let value): return .success(value)
        case .failure(let failure):
            guard !failure.kind.concernsAllCommands else { return .failure(note(failure)) }
            return .failure(note(failure, of: Self.part(of: keys)))
        }
    }

    private func send(
        _ script: RedisScript, _ keys: [String], _ arguments: [RedisArgument]
    ) async -> RedisConnection.Outcome {
        let outcome = await send(script.command(keys, arguments, withSource: false))
        guard case .failure(let failure) = outcome, failure.kind == .unknownScript else { return outcome }
        return await send(script.command(keys, arguments, withSource: true))
    }

    /// The part of a fleet that a key belongs to, such as `permits`: it follows the fleet's name.
    private static func part(of keys: [String]) -> String {
        let words = keys.first?.split(separator: ":", maxSplits: 2) ?? []
        return words.count > 1 ? String(words[1]) : "fleet"
    }

    /// Sends a command, to another node if the slot is being moved there.
    private func send(_ command: [RedisArgument]) async -> RedisConnection.Outcome {
        let outcome = await connection.send(command)
        guard case .failure(let failure) = outcome, case .ask(let address) = failure.kind else { return outcome }
        return await redirection.send(command, to: address)
    }

    private func note(_ failure: RedisFailure) -> FleetUnavailable {
        let reason = FleetUnavailable(failure, at: addresses)
        let now = timeline.now
        let isNew = health.withLock { $0.fail(reason, at: now) }
        if isNew {
            report(reason)
            heartbeat.retryNow()
        }
        return reason
    }

    private func note(_ failure: RedisFailure, of part: String) -> FleetUnavailable {
        let reason = FleetUnavailable(failure, at: addresses, part: part)
        if health.withLock({ $0.fail(part: part) }) { report(reason) }
        return reason
    }

    private func report(_ reason: FleetUnavailable) {
        options.diagnostics.report(
            StorageDiagnostic(.fleet, reason.problem, path: addresses, detail: reason.reason))
    }

    /// Says that this process is alive, and receives how many are. Returns whether that worked.
    @discardableResult
    func sendHeartbeat() async -> Bool {
        let life = options.heartbeat * 3
        var generator = SystemRandomNumberGenerator()
        let outcome = await send(
            .heartbeat, [key("members"), key("epoch"), key("joined")],
            [
                RedisArgument(member), RedisArgument(life.boundedMilliseconds), RedisArgument(generator.next()),
                RedisArgument(Self.lossDuration.boundedMilliseconds),
            ])
        let value: RedisValue
        switch outcome {
        case .success(let reply): value = reply
        case .failure(let failure):
            // Without a heartbeat nothing can be shared, whatever its error is.
            _ = note(failure)
            return false
        }
        guard let parts = value.array, parts.count == 3, let members = parts[0].integer, let lost = parts[1].integer,
            let epoch = parts[2].string
        else { return false }
        let now = timeline.now
        let (wasLocal, isEmptied) = health.withLock { health in
            let wasLocal = health.reason != nil
            let isEmptied = health.succeed(
                members: Int(clamping: members), lost: Int(clamping: lost), epoch: epoch, at: now, life: life)
            return (wasLocal, isEmptied)
        }
        if isEmptied { options.diagnostics.report(StorageDiagnostic(.fleet, .emptied, path: addresses)) }
        // Messages were missed, and changes of this process couldn't be written.
        if wasLocal || isEmptied { messages.receive([]) }
        return true
    }

    /// How long a process that stopped without a goodbye is expected to send its share (decision 075).
    static let lossDuration = Duration.seconds(180)

    /// How many processes may use their share of the limits without Redis, while this one shares.
    var absentMembers: Int {
        let now = timeline.now
        return health.withLock { $0.absent(at: now) }
    }

    /// Sends a message to the other processes. A lost message must do no harm.
    func publish(_ kind: FleetNews.Kind, _ text: String) async {
        guard health.withLock(\.reason) == nil else { return }
        _ = await connection.send(
            ["PUBLISH", RedisArgument(key("news")), RedisArgument("\(member) \(kind.rawValue) \(text)")])
    }

    /// Calls a closure for each message of other processes, and with `nil` if some may have been missed.
    func onNews(_ kind: FleetNews.Kind, _ body: @escaping @Sendable (String?) -> Void) -> FleetNews.Registration {
        messages.add(kind, ignoring: member, body)
    }
}
#endif
