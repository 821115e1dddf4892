import GodwitSupport

/// The stored value of an endpoint, then a fresh one if necessary.
///
/// ```swift
/// for try await reading in api.reading(.articles(page: 1), from: models) {
///     show(reading.value, isStale: reading.isStale)
/// }
/// ```
///
/// - If the stored value is fresh, it is the only one, and nothing is sent.
/// - A value is stale if it is older than the maximum age, if a request of the client changed its path
///   (``ModelInvalidation``), or in ``withCachePolicy(_:isolation:_:)`` with a policy that reloads.
/// - A stale value comes first, then the fresh one, even if it is equal. The fresh value replaces the stored one.
/// - If no value is stored, the fresh value is the only one.
/// - For a `.cacheOnly` endpoint nothing is sent: the only value is the stored one of any age, or one from the HTTP cache. If
///   there is neither, the loop throws `.notCached`.
///
/// Errors are thrown after the stale value, if there is one, which stays stored.
///
/// The request is sent when the loop asks for its second value, so leaving the loop after the first sends none. Each loop
/// belongs to the account that is signed in when it starts: if the account changes, it throws, and stores nothing.
public struct Readings<Value: Codable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Reading<Value>
    public typealias Failure = NetworkError

    /// Identifies a value.
    struct Place: Sendable {
        let key: String
        /// The path whose changes make the value stale.
        let path: ModelPath
    }

    /// The parameters of a reading.
    struct Plan: Sendable {
        let store: any ModelStore
        let account: AccountMembership
        let models: ModelChanges
        let maxAge: Duration
        let now: @Sendable () -> Date
        let place: @Sendable () throws(NetworkError) -> Place
        let fetch: @Sendable (AccountStamp, CachePolicy?) async throws(NetworkError) -> Response<Value>
    }

    /// What is known before the request is sent.
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

    /// Starts a loop, which reads from the store first.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(plan: plan)
    }

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

        /// Waits for the next value; `nil` at the end. An error ends the sequence.
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
                    // `.cacheOnly`: the stored value was returned before.
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
        // Read after the model, in case a change comes in between.
        let revision = await store.revision(of: place.path)
        // Checked after reading: the value belongs to the reading's account.
        try account.session.check(stamp)
        return Readings.Known(
            place: place, stamp: stamp, revision: revision, stored: model.flatMap { stored($0, revision) })
    }

    private func stored(_ model: StoredModel, _ revision: UInt64) -> Reading<Value>? {
        guard let value: Value = model.decoded() else { return nil }
        let age = now().timeIntervalSince(model.date)
        // The age of a value from the future is unknown, as the clock was set back.
        let isYoung = age >= 0 && .bounded(seconds: age) < maxAge
        let isStale = !isYoung || model.revision != revision || CallScope.isReloading
        return Reading(value: value, date: model.date, isStale: isStale, source: .store, etag: model.etag)
    }

    fileprivate func fresh(_ known: Readings.Known) async throws(NetworkError) -> Reading<Value> {
        let (session, key) = (account.session, known.place.key)
        let entry = ModelChanges.Entry(store: AccountPart.identity(of: store), key: key)
        let request = models.fetches.begin(entry)
        defer { models.fetches.end(request, for: entry) }
        // The time of the request, as the server may change the value after it.
        var date = now()
        // A cached response may be older than the stored value, or than the change.
        let isCachedGood = known.stored == nil && known.revision == 0
        let response = try await fetch(known.stamp, isCachedGood ? nil : .reloadRevalidating)
        if response.metrics.source == .cache, let age = response.head.fields[.age].flatMap(Double.init) {
            date -= age
        }
        let etag = response.head.fields[.etag]
        guard session.beginKeeping(known.stamp) else { throw session.changed(nil) }
        if models.fetches.claim(request) {
            let model = StoredModel(response.value, date: date, revision: known.revision, etag: etag)
            await keep(model, for: key)
            // Another response was stored at the same time, and it is unknown which was last.
            if !models.fetches.holds(request) { await store.removeModel(for: key) }
        }
        session.endKeeping(known.stamp)
        return Reading(value: response.value, date: date, isStale: false, source: .network, etag: etag)
    }

    private func keep(_ model: StoredModel?, for key: String) async {
        if let model {
            await store.store(model, for: key)
        } else {
            await store.removeModel(for: key)
        }
    }
}

/// A value with its date and source.
///
/// ```swift
/// for try await reading in api.reading(.article(id: 42), from: models) {
///     show(reading.value, isDimmed: reading.isStale)
/// }
/// ```
public struct Reading<Value: Sendable>: Sendable {
    /// The source of a value.
    public enum Source: Sendable, Hashable {
        /// The store, without a request.
        case store
        /// The server, through the client's middleware.
        case network
    }

    /// The value, decoded.
    public let value: Value

    /// When the server sent the value.
    public let date: Date

    /// Whether the value is stale. A fresh one follows, unless the request fails.
    public let isStale: Bool

    /// The source of the value.
    public let source: Source

    /// The `ETag` of the response, also of a stored value; `nil` if it had none. See ``Endpoint/ifMatch(_:)``.
    public let etag: String?

    /// Creates a reading, for example for a preview or a test of a screen.
    public init(value: Value, date: Date, isStale: Bool, source: Source, etag: String? = nil) {
        self.value = value
        self.date = date
        self.isStale = isStale
        self.source = source
        self.etag = etag
    }
}

extension Reading: Equatable where Value: Equatable {}
