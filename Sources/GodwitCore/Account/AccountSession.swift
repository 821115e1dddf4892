import GodwitSupport
import Synchronization

/// The account that a client's data belongs to, as a sequence of states.
///
/// ```swift
/// for await state in api.session {
///     if case .ended(let reason) = state { showLogin(reason) }
/// }
/// ```
///
/// - **States**: each loop receives the current state first, then every change. Several loops can run at the same time.
///   If the token store has not been read yet, it is read first. The sequence ends with the last client of the session.
/// - **Generations**: signing in, signing out and a refused refresh start a new generation. A call belongs to the
///   generation in which it started. Anything that outlives the call (a stored response, a shared transfer, a token for
///   a second attempt, a password, a cookie, a stored model) is kept or used only if the generation is still the same.
///   A call that would have to be sent again in another generation throws instead; see ``AccountChanged``.
/// - **Removal**: the former account's data is removed before the next call starts.
///
/// A client with tokens has the session of its ``TokenRefresher``; any other client has a separate one. Sessions change
/// together if their clients share a cookie jar, a cache or a model store that is a class.
public final class AccountSession: Sendable {
    private struct Guarded: Sendable {
        var record = AccountRecord()
        var state: State?
        var parts: [UInt64: [AccountPart]] = [:]
        var observers: [UInt64: AsyncStream<State>.Continuation] = [:]
        var lastObserver: UInt64 = 0
        /// Calls that wait until the former account's data has been removed.
        var calls = Waiters<Void>()
        /// Removals that wait until no call of a former generation is storing anything.
        var removals = Waiters<Void>()
    }

    private let guarded: Mutex<Guarded>
    /// `AccountRecord.mark`, which every call reads without the lock.
    private let mark: Atomic<UInt64>

    /// The account whose token the task refreshes, which may not be the current one.
    @TaskLocal static var ownerOfTask: AccountStamp?

    /// - Parameter state: The first state for observers; `nil` if it isn't known yet.
    package init(_ state: State? = nil) {
        var guarded = Guarded()
        guarded.state = state
        mark = Atomic(guarded.record.mark)
        self.guarded = Mutex(guarded)
    }

    deinit {
        for observer in guarded.withLock({ $0.observers.values }) { observer.finish() }
    }

    /// The current state; `nil` until the token store has been read.
    public var state: State? { guarded.withLock { $0.state } }
}

// For calls.
extension AccountSession {
    /// The current generation, as a stamp for a call.
    package var stamp: AccountStamp { stamp(mark.load(ordering: .acquiring)) }

    private func stamp(_ mark: UInt64) -> AccountStamp {
        AccountStamp(session: ObjectIdentifier(self), generation: AccountRecord.generation(mark))
    }

    /// Whether this session made a stamp.
    func gave(_ stamp: AccountStamp) -> Bool { stamp.session == ObjectIdentifier(self) }

    /// The current generation; `nil` while the former account's data is being removed.
    var settledStamp: AccountStamp? {
        let mark = mark.load(ordering: .acquiring)
        return AccountRecord.isChanging(mark) ? nil : stamp(mark)
    }

    /// The current generation, after the former account's data has been removed.
    func begin() async -> AccountStamp {
        while true {
            if let stamp = settledStamp { return stamp }
            let waiter = guarded.withLock { $0.record.isChanging ? $0.calls.add() : nil }
            await waiter?.value()
        }
    }

    /// Whether the account has not changed since the stamp was taken.
    package func isCurrent(_ stamp: AccountStamp) -> Bool {
        !gave(stamp) || stamp.generation == AccountRecord.generation(mark.load(ordering: .acquiring))
    }

    /// Throws if the account has changed since the stamp was taken.
    func check(_ stamp: AccountStamp?, _ request: HTTPRequest? = nil) throws(NetworkError) {
        if let stamp, !isCurrent(stamp) { throw changed(request) }
    }

    /// The error of a call that can't continue because its account has changed.
    func changed(_ request: HTTPRequest?) -> NetworkError {
        // If someone else has signed in, a former user's call must not make the app show its login.
        let isEnded = guarded.withLock { if case .ended = $0.state { true } else { false } }
        return NetworkError(
            isEnded ? .unauthorized : .cancelled, phase: .middleware, request: request, underlying: AccountChanged())
    }

    /// Stores something that outlives a call, unless the account has changed. A change of account waits for it.
    func keep(_ stamp: AccountStamp, _ body: () -> Void) {
        guard beginKeeping(stamp) else { return }
        defer { endKeeping(stamp) }
        body()
    }

    /// Whether something that outlives the call can be stored. If so, call `endKeeping` afterwards.
    func beginKeeping(_ stamp: AccountStamp) -> Bool {
        !gave(stamp) || guarded.withLock { $0.record.beginKeeping(in: stamp.generation) }
    }

    func endKeeping(_ stamp: AccountStamp) {
        guard gave(stamp) else { return }
        let waiting = guarded.withLock { guarded in
            guarded.record.endKeeping(in: stamp.generation)
            return guarded.record.isDrained ? guarded.removals.takeAll() : []
        }
        for waiter in waiting { waiter.resume() }
    }
}

// Parts.
extension AccountSession {
    func add(_ parts: [AccountPart], for member: UInt64) {
        guarded.withLock { $0.parts[member, default: []] += parts }
        for part in parts { AccountLinks.add(part.identity, self, for: member) }
    }

    func remove(_ member: UInt64) {
        let parts = guarded.withLock { $0.parts.removeValue(forKey: member) } ?? []
        for part in parts { AccountLinks.remove(part.identity, for: member) }
    }

    func holds(_ identity: ObjectIdentifier) -> Bool {
        guarded.withLock { $0.parts.values.contains { $0.contains { $0.identity == identity } } }
    }

    /// Whether the account has changed since this session was made.
    var hasChanged: Bool { guarded.withLock { $0.record.hasChanged } }

    var partIdentities: [ObjectIdentifier] {
        guarded.withLock { $0.parts.values.flatMap { $0.compactMap(\.identity) } }
    }
}

// Changes.
extension AccountSession {
    /// Starts a new generation, and removes the former account's data.
    ///
    /// - Returns: The removal, which doesn't depend on the calling task, with the errors of the parts that failed.
    @discardableResult
    func advance(to state: State, removing scope: AccountPart.Scope) -> Task<[NetworkError], Never> {
        let group = AccountLinks.group(of: self)
        for session in group { session.raise(session === self ? state : nil) }
        return Task {
            for session in group { await session.drain() }
            var failures: [NetworkError] = []
            for part in AccountPart.distinct(group.flatMap(\.allParts)) where scope.includes(part.kind) {
                if let failure = await part.remove() { failures.append(failure) }
            }
            for session in group { session.settle() }
            return failures
        }
    }

    /// Sends a state to observers, unless it is the current one.
    func publish(_ state: State?) {
        guard let state else { return }
        guarded.withLock { guarded in
            guard guarded.state?.isSame(as: state) != true else { return }
            Self.send(state, &guarded)
        }
    }

    private func raise(_ state: State?) {
        guarded.withLock { guarded in
            guarded.record.advance()
            mark.store(guarded.record.mark, ordering: .releasing)
            if let state { Self.send(state, &guarded) }
        }
    }

    private static func send(_ state: State, _ guarded: inout Guarded) {
        guarded.state = state
        for observer in guarded.observers.values { observer.yield(state) }
    }

    private var allParts: [AccountPart] { guarded.withLock { $0.parts.values.flatMap { $0 } } }

    private func drain() async {
        let waiter = guarded.withLock { $0.record.isDrained ? nil : $0.removals.add() }
        await waiter?.value()
    }

    private func settle() {
        let waiting = guarded.withLock { guarded in
            guarded.record.settle()
            mark.store(guarded.record.mark, ordering: .releasing)
            return guarded.record.isChanging ? [] : guarded.calls.takeAll()
        }
        for waiter in waiting { waiter.resume() }
    }
}

extension AccountSession: AsyncSequence {
    public typealias Element = State
    public typealias Failure = Never

    /// Starts with the current state.
    public func makeAsyncIterator() -> AsyncIterator {
        let (stream, observer) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(64))
        let id = guarded.withLock { guarded in
            guarded.lastObserver += 1
            guarded.observers[guarded.lastObserver] = observer
            if let state = guarded.state { observer.yield(state) }
            return guarded.lastObserver
        }
        observer.onTermination = { [weak self] _ in self?.forget(observer: id) }
        return AsyncIterator(states: stream.makeAsyncIterator())
    }

    private func forget(observer: UInt64) {
        guarded.withLock { _ = $0.observers.removeValue(forKey: observer) }
    }

    /// The states of one loop. A slow loop misses the oldest of more than 64 changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var states: AsyncStream<State>.Iterator

        /// The next state; `nil` after the session's last client, or if the task is canceled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
            await states.next(isolation: actor)
        }

        public mutating func next() async -> State? {
            await states.next(isolation: nil)
        }
    }
}
