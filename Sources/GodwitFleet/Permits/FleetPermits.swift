import GodwitCore
import Synchronization

/// Limits how many pieces of work run at once in all processes of a fleet.
///
/// ```swift
/// let exports = fleet.permits("exports", limit: 4)
/// try await exports.withPermit { permit in print("export with number", permit.fencingToken ?? 0) }
/// ```
///
/// It is also a middleware for the requests of a client: `$0.attemptMiddleware.append(fleet.permits("api", limit: 20))`.
///
/// A permit is a lease that is renewed while it is held: if its process dies, the permit is free after
/// ``leaseDuration``. In this process, waiting tasks get permits in FIFO order.
///
/// While Redis can't be used, each process has its share of the limit, at least one permit.
public final class FleetPermits: Sendable {
    /// The maximum number of permits.
    public let limit: Int

    /// How long a permit stays taken after its process has died.
    public let leaseDuration: Duration

    let fleet: Fleet
    private let key: String
    private let name: String
    private let state: Mutex<PermitState>
    private let registration = Mutex<FleetNews.Registration?>(nil)

    init(_ name: String, limit: Int, lease: Duration, _ fleet: Fleet) {
        self.limit = max(1, limit)
        leaseDuration = min(max(lease, .milliseconds(300)), .seconds(3600))
        self.fleet = fleet
        self.name = name
        key = fleet.key("permits", name)
        state = Mutex(PermitState())
        let registration = fleet.onNews(.permits) { [weak self] text in
            if let self, text == nil || text == name { hurry() }
        }
        self.registration.withLock { $0 = registration }
    }

    /// Runs work when a permit is free, and releases it afterward.
    ///
    /// - Parameter work: Gets the permit.
    /// - Throws: `.cancelled` if the task is canceled while waiting, and the errors of the work.
    public func withPermit<Value: Sendable>(
        _ work: @Sendable (FleetPermit) async throws -> Value
    ) async throws -> Value {
        let permit = try await acquire()
        defer { release(permit) }
        return try await work(permit)
    }
}

extension Fleet {
    /// A limit for work that runs at once in all processes.
    ///
    /// - Parameters:
    ///   - name: What the processes have in common.
    ///   - limit: The maximum number of permits. Less than 1 counts as 1.
    ///   - lease: How long a permit stays taken after its process has died. 10 s by default; from 300 ms to 1 hour.
    public func permits(_ name: String, limit: Int, lease: Duration = .seconds(10)) -> FleetPermits {
        FleetPermits(name, limit: limit, lease: lease, self)
    }
}

/// A permit that a task holds.
public struct FleetPermit: Sendable, Hashable {
    let id: String

    /// A number greater than that of every earlier permit of the same name. Pass it to a store that refuses smaller
    /// numbers: a process that stalled longer than its lease can't overwrite newer work. `nil` while Redis can't be used.
    public let fencingToken: Int64?
}

/// The permits of this process and the tasks that wait for one. It has no clock and resumes no task.
struct PermitState: Sendable {
    struct Waiting: Sendable {
        let id: UInt64
        let waiter: Waiter<FleetPermit?>
    }

    var waiting: [Waiting] = []
    /// The permits that are held, and whether Redis knows them.
    var held: [String: Bool] = [:]
    var isAsking = false
    var isRenewing = false
    var pause: Task<Void, Never>?
    private var lastID: UInt64 = 0

    /// Adds a task. Returns whether it must ask for a permit.
    mutating func add() -> (Waiting, mustAsk: Bool) {
        lastID += 1
        let entry = Waiting(id: lastID, waiter: Waiter())
        waiting.append(entry)
        defer { isAsking = true }
        return (entry, !isAsking)
    }

    mutating func cancel(_ id: UInt64) -> Waiter<FleetPermit?>? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return waiting.remove(at: index).waiter
    }
}

extension FleetPermits {
    func acquire() async throws(NetworkError) -> FleetPermit {
        guard !Task.isCancelled else { throw NetworkError(.cancelled, phase: .middleware) }
        let (entry, mustAsk) = state.withLock { $0.add() }
        if mustAsk { await ask() }
        let permit = await entry.waiter.value { [self] in
            state.withLock { $0.cancel(entry.id) }?.resume(returning: nil)
        }
        guard let permit else { throw NetworkError(.cancelled, phase: .middleware) }
        return permit
    }

    /// Gives a permit back.
    func release(_ permit: FleetPermit) {
        let isShared = state.withLock { $0.held.removeValue(forKey: permit.id) } ?? false
        hurry()
        guard isShared else { return }
        Task { [self] in
            guard case .success = await fleet.run(.releasePermit, [key], [RedisArgument(permit.id)]) else { return }
            // A waiting task of this process has its turn as the others do.
            hurry()
            await fleet.publish(.permits, name)
        }
    }

    /// Asks for one permit after the other, in the background while none is free.
    private func ask() async {
        guard let pause = await askOnce() else { return }
        Task { [self] in
            var pause: Duration? = pause
            while let time = pause {
                await sleep(time)
                pause = await askOnce()
            }
        }
    }

    /// Gives permits to waiting tasks. Returns when to try again; `nil` if no task waits.
    private func askOnce() async -> Duration? {
        while true {
            let isWanted = state.withLock { state in
                if state.waiting.isEmpty { state.isAsking = false }
                return !state.waiting.isEmpty
            }
            guard isWanted else { return nil }
            switch await take() {
            case .success(let permit): hand(permit)
            case .failure(let full): return full.retry
            }
        }
    }

    private func hand(_ permit: FleetPermit) {
        let isFirst = state.withLock { state in
            defer { state.isRenewing = true }
            return !state.isRenewing
        }
        if isFirst { renew() }
        let waiter = state.withLock { state in state.waiting.isEmpty ? nil : state.waiting.removeFirst().waiter }
        // The task was canceled meanwhile.
        guard let waiter else { return release(permit) }
        waiter.resume(returning: permit)
    }

    private struct Full: Error {
        let retry: Duration
    }

    private func take() async -> Result<FleetPermit, Full> {
        var generator = SystemRandomNumberGenerator()
        let id = "\(fleet.member)-\(String(generator.next(), radix: 36))"
        switch await fleet.run(.takePermit, [key], [RedisArgument(id), RedisArgument(limit), lease]) {
        case .success(let value):
            let parts = value.array?.compactMap(\.integer) ?? []
            guard parts.count == 2, parts[0] > 0 else {
                // A message tells of a free permit; a lost one costs no more than this.
                return .failure(Full(retry: .milliseconds(min(max(20, parts.last ?? 500), 500))))
            }
            state.withLock { $0.held[id] = true }
            return .success(FleetPermit(id: id, fencingToken: parts[0]))
        case .failure:
            let share = max(1, limit / fleet.state.members)
            let isTaken = state.withLock { state in
                guard state.held.count < share else { return false }
                state.held[id] = false
                return true
            }
            return isTaken
                ? .success(FleetPermit(id: id, fencingToken: nil)) : .failure(Full(retry: .milliseconds(500)))
        }
    }

    private var lease: RedisArgument { RedisArgument(leaseDuration.microseconds / 1000) }

    /// Renews the permits of this process until it has none. One that Redis has lost or never knew is added.
    private func renew() {
        Task { [self] in
            while true {
                try? await fleet.timeline.sleep(for: leaseDuration / 3)
                let ids = state.withLock { state in
                    if state.held.isEmpty { state.isRenewing = false }
                    return Array(state.held.keys)
                }
                guard !ids.isEmpty else { return }
                let outcome = await fleet.run(.renewPermits, [key], [lease] + ids.map { RedisArgument($0) })
                guard case .success = outcome else { continue }
                let released = state.withLock { state in
                    ids.filter { state.held.updateValueIfPresent(true, for: $0) == false }
                }
                // Released during the renewal, which has added them again.
                for id in released { _ = await fleet.run(.releasePermit, [key], [RedisArgument(id)]) }
            }
        }
    }

    /// Ends the current pause: a permit may be free.
    private func hurry() {
        state.withLock { $0.pause }?.cancel()
    }

    private func sleep(_ time: Duration) async {
        let pause = Task { [fleet] in _ = try? await fleet.timeline.sleep(for: time) }
        state.withLock { $0.pause = pause }
        await pause.value
    }
}

extension [String: Bool] {
    /// Replaces a value. Returns `false` if there is none.
    fileprivate mutating func updateValueIfPresent(_ value: Bool, for key: String) -> Bool {
        guard let index = index(forKey: key) else { return false }
        values[index] = value
        return true
    }
}

extension FleetPermits: Middleware {
    /// Passes the request on when a permit is free. A streamed response releases it when its head has arrived.
    ///
    /// - Throws: `.cancelled` if the task is canceled while waiting, and the errors of the chain.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let permit: FleetPermit
        do throws(NetworkError) {
            permit = try await acquire()
        } catch {
            var error = error
            error.request = call.request
            error.attempt = call.attempt
            throw error
        }
        defer { release(permit) }
        return try await next(call)
    }
}

extension RedisScript {
    /// Takes a permit. Arguments: its ID, the limit, the lease in ms. Returns its number, or 0 and the time in ms until the
    /// next lease may end.
    static let takePermit = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        local lease = tonumber(ARGV[3])
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
        -- No lease is as long: the clock was set back.
        redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 3600001, '+inf')
        if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
            local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
            return {0, math.max(1, math.ceil(first[2] - now))}
        end
        redis.call('ZADD', KEYS[1], now + lease, ARGV[1])
        redis.call('PEXPIRE', KEYS[1], 7200000)
        -- Numbers also grow if Redis has lost its data.
        local last = tonumber(redis.call('GET', KEYS[1] .. ':fence')) or 0
        local number = math.max(last + 1, t[1] * 1000000 + t[2])
        redis.call('SET', KEYS[1] .. ':fence', string.format('%.0f', number))
        return {number, 0}
        """)

    /// Renews permits. Arguments: the lease in ms, their IDs.
    static let renewPermits = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[i]) end
        redis.call('PEXPIRE', KEYS[1], 7200000)
        return 1
        """)

    /// Releases a permit. Argument: its ID.
    static let releasePermit = RedisScript("return redis.call('ZREM', KEYS[1], ARGV[1])")
}
