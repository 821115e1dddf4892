#if os(Linux)
import GodwitCore
import GodwitSupport

extension Fleet {
    /// The idempotency key of a piece of work: the same in every process, however often it is started.
    ///
    /// ```swift
    /// let key = try await fleet.idempotencyKey(for: "invoice-2026-17")
    /// try await api.send(.create(draft).idempotencyKey(key))
    /// ```
    ///
    /// If the fleet has ``FleetOptions/keys``, it is derived from the first one and the name of the work. So it is the
    /// same without Redis, after a failover, and after its lifetime. Redis keeps it while the keys are changed.
    ///
    /// Without keys, it is random and kept in Redis: if Redis loses its data, the work gets another key.
    ///
    /// - Parameters:
    ///   - work: What is done at most once.
    ///   - lifetime: How long Redis keeps the key after its first use. 24 hours by default, at most a year.
    /// - Throws: `.transport` with a ``FleetUnavailable`` if Redis can't be used and the fleet has no keys: a key of this
    ///   process alone would let two processes do the work.
    public func idempotencyKey(
        for work: String, lifetime: Duration = .seconds(86400)
    ) async throws(NetworkError) -> String {
        let place = key("work", work)
        var generator = SystemRandomNumberGenerator()
        let derived = options.keys.first.map { key in
            var digest = DigestGenerator(words: key.digest(of: place))
            return IdempotencyKeys.key(using: &digest)
        }
        let candidate = derived ?? IdempotencyKeys.key(using: &generator)
        let time = max(1, min(lifetime.bounded, .seconds(31_536_000)).microseconds / 1000)
        switch await run(.setIfAbsent, [place], [RedisArgument(candidate), RedisArgument(time)]) {
        case .success(let value):
            if let key = value.string ?? derived { return key }
            throw NetworkError(.transport(.other("Redis has no idempotency key")), phase: .middleware)
        case .failure(let reason):
            if let derived { return derived }
            throw NetworkError(
                .transport(.other("no idempotency key: \(reason.reason)")), phase: .middleware, underlying: reason)
        }
    }
}

/// Returns the words of a digest instead of random ones.
private struct DigestGenerator: RandomNumberGenerator {
    var words: [UInt64]

    mutating func next() -> UInt64 { words.popLast() ?? 0 }
}

extension RedisScript {
    /// Arguments: the value, its time in ms.
    static let setIfAbsent = RedisScript(
        """
        redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
        return redis.call('GET', KEYS[1])
        """)
}
#endif
