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
///
/// What fails is thrown, after the stale value if there is one; what was stored stays.
///
/// The request is sent when the loop asks for its second value: leaving the loop at the first sends none, and cancelling
/// the task ends it. Each loop is a reading of its own.
public struct Readings<Value: Codable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Reading<Value>
    public typealias Failure = NetworkError

    /// What a reading needs to know.
    struct Plan: Sendable {
        let store: any ModelStore
        let maxAge: Duration
        let now: @Sendable () -> Date
        let key: @Sendable () throws(NetworkError) -> String
        let fetch: @Sendable () async throws(NetworkError) -> Value
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
            case stale(key: String)
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
            case .stale(let key):
                state = .done
                return try await plan.fresh(key)
            case .new:
                state = .done
                let key = try plan.key()
                guard let stored = await plan.stored(key) else { return try await plan.fresh(key) }
                if stored.isStale { state = .stale(key: key) }
                return stored
            }
        }

        public mutating func next() async throws(NetworkError) -> Reading<Value>? {
            try await next(isolation: nil)
        }
    }
}

extension Readings.Plan {
    fileprivate func stored(_ key: String) async -> Reading<Value>? {
        guard let model = await store.model(for: key), let value: Value = model.decoded() else { return nil }
        let age = now().timeIntervalSince(model.date)
        // One from the future was stored before the clock was set back: nothing is known of its age.
        let isFresh = age >= 0 && .seconds(age) < maxAge
        return Reading(value: value, date: model.date, isStale: !isFresh, source: .store)
    }

    fileprivate func fresh(_ key: String) async throws(NetworkError) -> Reading<Value> {
        // By the time of asking: what the server changes on the way counts as newer.
        let date = now()
        let value = try await fetch()
        if let model = StoredModel(value, date: date) {
            await store.store(model, for: key)
        } else {
            await store.removeModel(for: key)
        }
        return Reading(value: value, date: date, isStale: false, source: .network)
    }
}
