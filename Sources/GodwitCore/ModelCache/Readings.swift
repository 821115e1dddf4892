/// What is known of a value: what was stored, then what is fresh.
///
/// ```swift
/// for try await reading in api.reading(.articles(page: 1), from: models) {
///     show(reading.value, isStale: reading.isStale)
/// }
/// ```
///
/// - A stored value that is fresh is the only one: nothing is sent.
/// - A stale one comes first, and the fresh one after it, also where it is the same. It replaces what was stored.
/// - Where nothing is stored the fresh one is the only one.
/// - For an endpoint that is `.cacheOnly` nothing is sent: a stored value of any age is the only one, else the HTTP cache's; if
///   there is neither, `.notCached` is thrown.
///
/// What fails is thrown, after the stale value if there is one; what was stored stays.
///
/// The request is sent when the loop asks for its second value: leaving the loop at the first sends none, and cancelling
/// the task ends it. Each loop is a reading of its own, for the account that is signed in when it starts: after a change
/// it throws, and neither shows nor stores anything.
public struct Readings<Value: Codable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Reading<Value>
    public typealias Failure = NetworkError

    /// What a reading needs to know.
    struct Plan: Sendable {
        let store: any ModelStore
        let account: AccountMembership
        let maxAge: Duration
        let now: @Sendable () -> Date
        let key: @Sendable () throws(NetworkError) -> String
        let fetch: @Sendable (AccountStamp) async throws(NetworkError) -> Value
    }

    private let plan: Plan

    init(_ plan: Plan) {
        self.plan = plan
    }

    /// Starts a reading, which looks into the store first.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(plan: plan)
    }

    /// Looks into the store, and asks the server where that does not do.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case new
            case stale(key: String, AccountStamp)
            case done
        }

        private let plan: Plan
        private var state = State.new

        fileprivate init(plan: Plan) {
            self.plan = plan
        }

        /// The next value; nil at the end.
        ///
        /// Throws ``NetworkError`` where the server was asked and failed; after an error the sequence is at its end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Reading<Value>? {
            switch state {
            case .done: return nil
            case .stale(let key, let stamp):
                state = .done
                do throws(NetworkError) {
                    return try await plan.fresh(key, stamp)
                } catch {
                    // `.cacheOnly`: what is stored was asked for, and has been given.
                    guard error.kind == .notCached else { throw error }
                    return nil
                }
            case .new:
                state = .done
                let key = try plan.key()
                let stamp = await plan.account.session.begin()
                guard let stored = try await plan.stored(key, stamp) else { return try await plan.fresh(key, stamp) }
                if stored.isStale { state = .stale(key: key, stamp) }
                return stored
            }
        }

        public mutating func next() async throws(NetworkError) -> Reading<Value>? {
            try await next(isolation: nil)
        }
    }
}

extension Readings.Plan {
    fileprivate func stored(
        _ key: String, _ stamp: AccountStamp
    ) async throws(NetworkError) -> Reading<Value>? {
        await account.adopt(store)
        let model = await store.model(for: key)
        // Asked after it was read: what was stored until now is of the reading's account.
        try account.session.check(stamp)
        guard let model, let value: Value = model.decoded() else { return nil }
        let age = now().timeIntervalSince(model.date)
        // One from the future was stored before the clock was set back: nothing is known of its age.
        let isFresh = age >= 0 && .bounded(seconds: age) < maxAge
        return Reading(value: value, date: model.date, isStale: !isFresh, source: .store)
    }

    fileprivate func fresh(_ key: String, _ stamp: AccountStamp) async throws(NetworkError) -> Reading<Value> {
        // By the time of asking: what the server changes on the way counts as newer.
        let date = now()
        let value = try await fetch(stamp)
        guard account.session.beginKeeping(stamp) else { throw account.session.changed(nil) }
        if let model = StoredModel(value, date: date) {
            await store.store(model, for: key)
        } else {
            await store.removeModel(for: key)
        }
        account.session.endKeeping(stamp)
        return Reading(value: value, date: date, isStale: false, source: .network)
    }
}
