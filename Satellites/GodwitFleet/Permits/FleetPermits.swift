#if os(Linux)
import GodwitCore
import GodwitSupport
import Synchronization

/// Limits how many pieces of work run at the same time in all processes of a fleet.
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
    private let name: String
    /// The permits that are held, and the last fencing token. Names of permits can't contain the second key.
    private let keys: [String]
    private let state = Mutex(FleetPermitQueue())
    private let pause: InterruptiblePause
    private let registration = Mutex<FleetNews.Registration?>(nil)

    init(_ name: String, limit: Int, lease: Duration, _ fleet: Fleet) {
        self.limit = max(1, limit)
        leaseDuration = min(max(lease, .milliseconds(300)), .seconds(3600))
        self.fleet = fleet
        self.name = name
        keys = [fleet.key("permits", name), fleet.key("fence", "permits", name)]
        pause = InterruptiblePause(fleet.timeline)
        let registration = fleet.onNews(.permits) { [weak self] text in
            if let self, text == nil || text == name { pause.interrupt() }
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
    /// A limit for work that runs at the same time in all processes.
    ///
    /// - Parameters:
    ///   - name: What the processes have in common. They must use the same limit and lease.
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

extension FleetPermits {
    func acquire() async throws(NetworkError) -> FleetPermit {
        guard !Task.isCancelled else { throw NetworkError(.cancelled, phase: .middleware) }
        let (entry, mustAsk) = state.withLock { $0.add() }
        // In a task of its own: a call that has its permit, or is canceled, doesn't wait for the others.
        if mustAsk { Task { await ask() } }
        let permit = await entry.waiter.value { [self] in
            state.withLock { $0.cancel(entry.id) }?.resume(returning: nil)
        }
        guard let permit else { throw NetworkError(.cancelled, phase: .middleware) }
        return permit
    }

    /// Gives a permit back.
    func release(_ permit: FleetPermit) {
        let isShared = state.withLock { $0.release(permit.id) }
        pause.interrupt()
        guard isShared else { return }
        Task { [self] in
            guard case .success = await fleet.run(.releasePermits, keys, [RedisArgument(permit.id)]) else {
                return state.withLock { $0.noteUnsure([permit.id]) }
            }
            // A waiting task of this process has its turn as the others do.
            pause.interrupt()
            await fleet.publish(.permits, name)
        }
    }

    /// Asks for permits until no task waits.
    private func ask() async {
        while let time = await askOnce() { await pause.sleep(for: time) }
    }

    /// Gives permits to waiting tasks. Returns when to try again; `nil` if no task waits.
    private func askOnce() async -> Duration? {
        var generator = SystemRandomNumberGenerator()
        let count = state.withLock { $0.begin(maximum: min(limit, 64)) }
        guard count > 0 else { return nil }
        let ids = (0..<count).map { _ in "\(fleet.member)-\(String(generator.next(), radix: 36))" }
        // Processes that are cut off from Redis may hold as many as their share allows.
        let absent = fleet.absentMembers
        let rest = max(1, limit - absent * max(1, limit / (fleet.state.members + absent)))
        let arguments = [RedisArgument(rest), lease] + ids.map { RedisArgument($0) }
        let (permits, retry): ([FleetPermit], Duration)
        switch await fleet.run(.takePermits, keys, arguments) {
        case .success(let value):
            let numbers = value.array?.compactMap(\.integer) ?? []
            permits = zip(ids, numbers.dropFirst()).map { FleetPermit(id: $0, fencingToken: $1) }
            // A message follows when a permit is released; a lost one costs no more than this.
            retry = .milliseconds(min(max(20, numbers.first ?? 500), 500))
        case .failure(let reason):
            if reason.problem == .slow { state.withLock { $0.noteUnsure(ids) } }
            permits = state.withLock { $0.takeLocally(ids, share: max(1, limit / fleet.state.members)) }
            retry = .milliseconds(500)
        }
        hand(permits)
        releaseUnsure()
        let isAnyWaiting = state.withLock { $0.isAnyWaiting }
        // More may be free if all were given.
        return isAnyWaiting ? (permits.count == count ? .zero : retry) : .zero
    }

    private func hand(_ permits: [FleetPermit]) {
        let (resumptions, unused, mustRenew) = state.withLock { $0.hand(permits) }
        if mustRenew { renew() }
        for (waiter, permit) in resumptions { waiter.resume(returning: permit) }
        for permit in unused { release(permit) }
    }

    private func releaseUnsure() {
        guard case .shared = fleet.state else { return }
        let ids = state.withLock { $0.takeUnsure() }
        guard !ids.isEmpty else { return }
        Task { [fleet, keys] in _ = await fleet.run(.releasePermits, keys, ids.map { RedisArgument($0) }) }
    }

    private var lease: RedisArgument { RedisArgument(leaseDuration.boundedMilliseconds) }

    /// Renews the permits of this process until it has none. One that Redis has lost or never knew is added.
    private func renew() {
        Task { [self] in
            while true {
                try? await fleet.timeline.sleep(for: leaseDuration / 3)
                let ids = state.withLock { $0.idsToRenew() }
                guard !ids.isEmpty else { return }
                let outcome = await fleet.run(.renewPermits, keys, [lease] + ids.map { RedisArgument($0) })
                guard case .success = outcome else { continue }
                // Released during the renewal, which has added them again.
                let released = state.withLock { state in ids.filter { !state.noteRenewal(of: $0) } }
                if !released.isEmpty {
                    _ = await fleet.run(.releasePermits, keys, released.map { RedisArgument($0) })
                }
            }
        }
    }
}

extension FleetPermits: Middleware {
    /// Passes the request on when a permit is free, and releases it when the response returns: with `.streamed`, when
    /// the head is received, as `ConcurrencyLimit` does.
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
#endif
