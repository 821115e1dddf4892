import Synchronization

/// Knows whose data a client holds, and tells when that changes.
///
/// ```swift
/// for await state in api.session {
///     if case .ended(let reason) = state { showLogin(reason) }
/// }
/// ```
///
/// - **As a sequence**: each loop gets the current state first, then every change. Any number of loops may run at once.
///   A store that has not been read yet is read first. The sequence ends with the last client of the session.
/// - **As the owner of a generation**: signing in, signing out and a refused refresh raise it. A call takes the
///   generation when it starts. What outlives the call (a stored response, a shared transfer, a token for a second
///   attempt, a remembered password, a cookie, a stored model) is kept or used only if the generation is still the same.
///   A call that would have to be sent again in another generation throws instead; see ``AccountChanged``.
/// - **What the former account left** is removed before the next call starts.
///
/// A client with tokens has the session of its ``TokenRefresher``; any other client has one of its own. Sessions whose
/// clients share a cookie jar, a cache or a model store that is a class change together.
public final class AccountSession: Sendable {
    private struct Guarded: Sendable {
        var record = AccountRecord()
        var state: State?
        var parts: [UInt64: [AccountPart]] = [:]
        var observers: [UInt64: AsyncStream<State>.Continuation] = [:]
        var lastObserver: UInt64 = 0
        /// Calls that wait until the data of the former account is gone.
        var arrivals: [UnsafeContinuation<Void, Never>] = []
        /// Changes that wait until no call of a former generation is storing something.
        var changes: [UnsafeContinuation<Void, Never>] = []
    }

    private let guarded: Mutex<Guarded>
    /// `AccountRecord.mark`, to be read without the lock by every call.
    private let mark: Atomic<UInt64>

    /// The account that the task works for, if it refreshes its token: not necessarily the current one.
    @TaskLocal package static var ownerOfTask: AccountStamp?

    /// - Parameter state: What observers get first; `nil` until it is known.
    package init(_ state: State? = nil) {
        var guarded = Guarded()
        guarded.state = state
        mark = Atomic(guarded.record.mark)
        self.guarded = Mutex(guarded)
    }

    deinit {
        for observer in guarded.withLock({ $0.observers.values }) { observer.finish() }
    }

    /// The state now; `nil` until the token store has been read.
    public var state: State? { guarded.withLock { $0.state } }
}

// For calls.
extension AccountSession {
    /// The current generation, as a stamp for a call.
    package var stamp: AccountStamp { stamp(mark.load(ordering: .acquiring)) }

    private func stamp(_ mark: UInt64) -> AccountStamp {
        AccountStamp(session: ObjectIdentifier(self), generation: AccountRecord.generation(mark))
    }

    /// Whether a stamp is one of this session.
    func gave(_ stamp: AccountStamp) -> Bool { stamp.session == ObjectIdentifier(self) }

    /// The current generation; `nil` while the data of the former account is being removed.
    var settledStamp: AccountStamp? {
        let mark = mark.load(ordering: .acquiring)
        return AccountRecord.isChanging(mark) ? nil : stamp(mark)
    }

    /// The current generation, once the data of the former account is gone.
    func begin() async -> AccountStamp {
        while true {
            if let stamp = settledStamp { return stamp }
            await withUnsafeContinuation { continuation in
                let waits = guarded.withLock { guarded in
                    if guarded.record.isChanging { guarded.arrivals.append(continuation) }
                    return guarded.record.isChanging
                }
                if !waits { continuation.resume() }
            }
        }
    }

    /// Whether the account is still the one that the stamp was taken in.
    package func isCurrent(_ stamp: AccountStamp) -> Bool {
        !gave(stamp) || stamp.generation == AccountRecord.generation(mark.load(ordering: .acquiring))
    }

    /// Throws if the account has changed since the stamp was taken.
    func check(_ stamp: AccountStamp?, _ request: HTTPRequest? = nil) throws(NetworkError) {
        if let stamp, !isCurrent(stamp) { throw changed(request) }
    }

    /// What a call throws that cannot continue because its account has changed.
    func changed(_ request: HTTPRequest?) -> NetworkError {
        // Someone else has signed in: a screen must not show its login because of a call of the former user.
        let isEnded = guarded.withLock { if case .ended = $0.state { true } else { false } }
        return NetworkError(
            isEnded ? .unauthorized : .cancelled, phase: .middleware, request: request, underlying: AccountChanged())
    }

    /// Stores something that outlives a call, if the account is still the call's. A change of account waits for it.
    func keep(_ stamp: AccountStamp, _ body: () -> Void) {
        guard beginKeeping(stamp) else { return }
        defer { endKeeping(stamp) }
        body()
    }

    /// Whether something that outlives the call may be stored. If so, `endKeeping` has to follow.
    func beginKeeping(_ stamp: AccountStamp) -> Bool {
        !gave(stamp) || guarded.withLock { $0.record.beginKeeping(in: stamp.generation) }
    }

    func endKeeping(_ stamp: AccountStamp) {
        guard gave(stamp) else { return }
        let waiting = guarded.withLock { guarded -> [UnsafeContinuation<Void, Never>] in
            guarded.record.endKeeping(in: stamp.generation)
            guard guarded.record.isDrained else { return [] }
            defer { guarded.changes = [] }
            return guarded.changes
        }
        for change in waiting { change.resume() }
    }
}

// What a session holds.
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

    package var partIdentities: [ObjectIdentifier] {
        guarded.withLock { $0.parts.values.flatMap { $0.compactMap(\.identity) } }
    }
}

// Changes.
extension AccountSession {
    /// Ends the account of before: what it left is removed, and what its calls bring is kept no longer.
    ///
    /// - Returns: What could not be removed, once all is done. It runs on its own, whatever becomes of the caller.
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

    /// Tells observers of a state, unless they know it.
    func publish(_ state: State?) {
        guard let state else { return }
        guarded.withLock { guarded in
            guard guarded.state?.isSame(as: state) != true else { return }
            Self.tell(state, &guarded)
        }
    }

    private func raise(_ state: State?) {
        guarded.withLock { guarded in
            guarded.record.advance()
            mark.store(guarded.record.mark, ordering: .releasing)
            if let state { Self.tell(state, &guarded) }
        }
    }

    private static func tell(_ state: State, _ guarded: inout Guarded) {
        guarded.state = state
        for observer in guarded.observers.values { observer.yield(state) }
    }

    private var allParts: [AccountPart] { guarded.withLock { $0.parts.values.flatMap { $0 } } }

    private func drain() async {
        await withUnsafeContinuation { continuation in
            let waits = guarded.withLock { guarded in
                if !guarded.record.isDrained { guarded.changes.append(continuation) }
                return !guarded.record.isDrained
            }
            if !waits { continuation.resume() }
        }
    }

    private func settle() {
        let waiting = guarded.withLock { guarded -> [UnsafeContinuation<Void, Never>] in
            guarded.record.settle()
            mark.store(guarded.record.mark, ordering: .releasing)
            guard !guarded.record.isChanging else { return [] }
            defer { guarded.arrivals = [] }
            return guarded.arrivals
        }
        for arrival in waiting { arrival.resume() }
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

    /// The states of one loop. One that is far too slow misses the oldest of more than 64 changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var states: AsyncStream<State>.Iterator

        /// The next state; `nil` once the session has no client any more, or the task is canceled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
            await states.next(isolation: actor)
        }

        public mutating func next() async -> State? {
            await states.next(isolation: nil)
        }
    }
}
