#if os(Linux)
extension RedisScript {
    /// Takes permits. Keys: the permits, the last fencing token. Arguments: the limit, the lease in ms, an ID for each.
    /// Returns the time in ms until the next lease may end, then the number of each permit that was free.
    static let takePermits = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        local limit, lease = tonumber(ARGV[1]), tonumber(ARGV[2])
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
        -- No lease ends later: the clock was set back.
        for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], now + lease + 1, '+inf')) do
            redis.call('ZADD', KEYS[1], now + lease, id)
        end
        local free = limit - redis.call('ZCARD', KEYS[1])
        -- Numbers also grow if Redis has lost its data.
        local number = math.max((tonumber(redis.call('GET', KEYS[2])) or 0) + 1, t[1] * 1000000 + t[2])
        local reply = {500}
        for i = 3, math.min(#ARGV, 2 + free) do
            redis.call('ZADD', KEYS[1], now + lease, ARGV[i])
            reply[#reply + 1] = number
            number = number + 1
        end
        if #reply > 1 then
            redis.call('PEXPIRE', KEYS[1], 7200000)
            redis.call('SET', KEYS[2], string.format('%.0f', number - 1))
        end
        local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
        if first[2] then reply[1] = math.max(1, math.ceil(first[2] - now)) end
        return reply
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

    /// Releases permits. Arguments: their IDs.
    static let releasePermits = RedisScript("return redis.call('ZREM', KEYS[1], unpack(ARGV))")
}
#endif
