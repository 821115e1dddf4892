/// What is known of a value: what was stored, then what is fresh.
///
/// ```swift
/// for try await reading in api.reading(.articles(page: 1), from: models) {
///     show(reading.value, isStale: reading.isStale)
/// }
/// ```
///
/// - A stored value that is fresh is the only one: nothing is sent.
/// - One is stale if it is older than it may be, or if a request of the client changed its path since
///   (``ModelInvalidation``), and under ``withCachePolicy(_:isolation:_:)`` with a policy that reloads.
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

    /// Which value it is.
    struct Place: Sendable {
        /// Its name in the store.
        let key: String
        /// What it is invalidated by.
        let path: ModelPath
    }

    /// What a reading needs to know.
    struct Plan: Sendable {
        let store: any ModelStore
        let account: AccountMembership
        let models: ModelChanges
        let maxAge: Duration
        let now: @Sendable () -> Date
        let place: @Sendable () throws(NetworkError) -> Place
        let fetch: @Sendable (AccountStamp, CachePolicy?) async throws(NetworkError) -> Response<Value>
    }

    /// Where a reading stands before the server is asked.
    fileprivate struct Known: Sendable {
        let place: Place
        let stamp: AccountStamp
        /// The number of the last change of the path.
        let revision: UInt64
        let stored: Reading<Value>?
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
            case stale(Known)
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
            case .stale(let known):
                state = .done
                do throws(NetworkError) {
                    return try await plan.fresh(known)
                } catch {
                    // `.cacheOnly`: what is stored was asked for, and has been given.
                    guard error.kind == .notCached else { throw error }
                    return nil
                }
            case .new:
                state = .done
                let known = try await plan.known(try plan.place())
                guard let stored = known.stored else { return try await plan.fresh(known) }
                if stored.isStale { state = .stale(known) }
                return stored
            }
        }

        public mutating func next() async throws(NetworkError) -> Reading<Value>? {
            try await next(isolation: nil)
        }
    }
}

extension Readings.Plan {
    fileprivate func known(_ place: Readings.Place) async throws(NetworkError) -> Readings.Known {
        let stamp = await account.session.begin()
        await account.adopt(store)
        await models.adopt(store)
        let model = await store.model(for: place.key)
        // After the model, so that the store forgets the model first.
        let revision = await store.revision(of: place.path)
        // Asked after it was read: what was stored until now is of the reading's account.
        try account.session.check(stamp)
        return Readings.Known(
            place: place, stamp: stamp, revision: revision, stored: model.flatMap { stored($0, revision) })
    }

    private func stored(_ model: StoredModel, _ revision: UInt64) -> Reading<Value>? {
        guard let value: Value = model.decoded() else { return nil }
        let age = now().timeIntervalSince(model.date)
        // One from the future was stored before the clock was set back: nothing is known of its age.
        let isYoung = age >= 0 && .bounded(seconds: age) < maxAge
        let isStale = !isYoung || model.revision != revision || CallScope.isReloading
        return Reading(value: value, date: model.date, isStale: isStale, source: .store)
    }

    fileprivate func fresh(_ known: Readings.Known) async throws(NetworkError) -> Reading<Value> {
        let (session, key) = (account.session, known.place.key)
        let entry = ModelChanges.Entry(store: AccountPart.identity(of: store), key: key)
        let request = models.fetches.begin(entry)
        defer { models.fetches.end(request, for: entry) }
        // By the time of asking: what the server changes on the way counts as newer.
        var date = now()
        // A response that is cached may be older than the value it would take the place of, or than the change.
        let isCachedGood = known.stored == nil && known.revision == 0
        let response = try await fetch(known.stamp, isCachedGood ? nil : .reloadRevalidating)
        if response.metrics.source == .cache, let age = response.head.fields[.age].flatMap(Double.init) {
            date -= age
        }
        guard session.beginKeeping(known.stamp) else { throw session.changed(nil) }
        if models.fetches.claim(request) {
            await keep(StoredModel(response.value, date: date, revision: known.revision), for: key)
            // Another answer was stored at the same time: nobody knows which one was last.
            if !models.fetches.holds(request) { await store.removeModel(for: key) }
        }
        session.endKeeping(known.stamp)
        return Reading(value: response.value, date: date, isStale: false, source: .network)
    }

    private func keep(_ model: StoredModel?, for key: String) async {
        if let model {
            await store.store(model, for: key)
        } else {
            await store.removeModel(for: key)
        }
    }
}

/// A value together with what is known of how current it is.
///
/// ```swift
/// for try await reading in api.reading(.article(id: 42), from: models) {
///     show(reading.value, isDimmed: reading.isStale)
/// }
/// ```
public struct Reading<Value: Sendable>: Sendable {
    /// Where a value was taken from.
    public enum Source: Sendable, Hashable {
        /// From the store, without asking the server.
        case store
        /// From the server, by way of the client's middlewares.
        case network
    }

    /// The value.
    public let value: Value

    /// When it came from the server.
    public let date: Date

    /// Whether it is older than it was to be. A fresh one follows, unless the server fails.
    public let isStale: Bool

    /// Where it was taken from.
    public let source: Source

    /// Makes a reading, as a preview or a test of a screen does.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - date: When it came from the server.
    ///   - isStale: Whether it is older than was asked for, so that a fresh one follows.
    ///   - source: Where it was taken from.
    public init(value: Value, date: Date, isStale: Bool, source: Source) {
        self.value = value
        self.date = date
        self.isStale = isStale
        self.source = source
    }
}

extension Reading: Equatable where Value: Equatable {}
