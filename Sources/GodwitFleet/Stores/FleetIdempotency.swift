import GodwitCore

extension Fleet {
    /// The idempotency key of a piece of work: the same in every process, however often it is started.
    ///
    /// ```swift
    /// let key = try await fleet.idempotencyKey(for: "invoice-2026-17")
    /// try await api.send(.create(draft).idempotencyKey(key))
    /// ```
    ///
    /// - Parameters:
    ///   - work: What is done at most once.
    ///   - lifetime: How long the key is kept after its first use. 24 hours by default, at most a year.
    /// - Throws: `.transport` with a ``FleetUnavailable`` if Redis can't be used: a key of this process alone would let two
    ///   processes do the work.
    public func idempotencyKey(
        for work: String, lifetime: Duration = .seconds(86400)
    ) async throws(NetworkError) -> String {
        var generator = SystemRandomNumberGenerator()
        let candidate = IdempotencyKeys.key(using: &generator)
        let time = max(1, min(lifetime.bounded, .seconds(31_536_000)).microseconds / 1000)
        switch await run(.keepFirst, [key("work", work)], [RedisArgument(candidate), RedisArgument(time)]) {
        case .success(let value):
            if let key = value.string { return key }
            throw NetworkError(.transport(.other("Redis has no idempotency key")), phase: .middleware)
        case .failure(let reason):
            throw NetworkError(
                .transport(.other("no idempotency key: \(reason.reason)")), phase: .middleware, underlying: reason)
        }
    }
}

extension RedisScript {
    /// Arguments: the value, its time in ms.
    static let keepFirst = RedisScript(
        """
        redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
        return redis.call('GET', KEYS[1])
        """)
}
