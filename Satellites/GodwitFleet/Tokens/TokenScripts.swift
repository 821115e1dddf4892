#if os(Linux)
// A token is a hash: the encrypted token (missing after a sign-out), the number of its last writer, and the number of the
// sign-in or sign-out that the account began with. Next to it is the lease of the process that refreshes.
extension RedisScript {
    /// Numbers also grow if Redis has lost its data.
    private static let tokenWriting = """
        local key, lease = KEYS[1], KEYS[1] .. ':lease'
        local writer = tonumber(redis.call('HGET', key, 'writer')) or 0
        local account = tonumber(redis.call('HGET', key, 'account')) or 0
        local function after(number)
            local t = redis.call('TIME')
            return math.max(writer + 1, number + 1, t[1] * 1000000 + t[2])
        end
        local function write(sealed, number, account)
            redis.call(
                'HSET', key, 'writer', string.format('%.0f', number), 'account', string.format('%.0f', account),
                'token', sealed)
            if sealed == '' then redis.call('HDEL', key, 'token') end
            return number
        end
        local function release(id)
            if redis.call('GET', lease) == id then redis.call('DEL', lease) end
        end

        """

    static let readToken = RedisScript("return redis.call('HMGET', KEYS[1], 'token', 'writer', 'account')")

    /// A sign-in or sign-out. Arguments: the encrypted token or nothing, the account that it may replace (empty for any).
    /// Returns its number, or 0 if another account has begun.
    static let changeAccount = RedisScript(
        tokenWriting + """
            if ARGV[2] ~= '' and account > tonumber(ARGV[2]) then return 0 end
            local number = after(0)
            write(ARGV[1], number, number)
            redis.call('DEL', lease)
            return number
            """)

    /// The end of a refresh. Arguments: the new encrypted token, or nothing after a rejection; the number of the version that
    /// was refreshed; its account; the lease. Returns the number of the write, or 0 if Redis has a newer version.
    static let finishRefresh = RedisScript(
        tokenWriting + """
            local base = tonumber(ARGV[2])
            local number = 0
            -- A rejection says nothing about any other version, even an older one.
            if writer == base or (writer < base and ARGV[1] ~= '') then
                number = after(base)
                write(ARGV[1], number, ARGV[1] == '' and number or tonumber(ARGV[3]))
            end
            release(ARGV[4])
            return number
            """)

    /// Writes a version that Redis has lost. Arguments: the encrypted token or nothing, its number, its account. Returns 1 if
    /// it was written.
    static let restoreToken = RedisScript(
        tokenWriting + """
            local number = tonumber(ARGV[2])
            if writer >= number or account > tonumber(ARGV[3]) then return 0 end
            write(ARGV[1], number, tonumber(ARGV[3]))
            return 1
            """)

    /// Arguments: the lease, its time in ms, the number of the version to refresh. Returns 1, 0 if another process has a
    /// lease, or -1 if Redis has another version.
    static let leaseToken = RedisScript(
        """
        if (tonumber(redis.call('HGET', KEYS[1], 'writer')) or 0) ~= tonumber(ARGV[3]) then return -1 end
        return redis.call('SET', KEYS[1] .. ':lease', ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
        """)

    /// Argument: the lease.
    static let releaseToken = RedisScript(
        """
        if redis.call('GET', KEYS[1] .. ':lease') ~= ARGV[1] then return 0 end
        return redis.call('DEL', KEYS[1] .. ':lease')
        """)
}
#endif
