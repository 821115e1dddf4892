import GodwitCore

// A cache is: a hash of variants per URL, the sizes of all entries, their last uses, and their total size. An entry's name is
// its URL, a line feed, and its variant's hash.
extension RedisScript {
    /// Removes an entry, a URL or everything, in the scripts below.
    private static let removal = """
        local base = KEYS[1]
        local function drop(url, variant)
            local name = url .. '\\n' .. variant
            local size = tonumber(redis.call('HGET', base .. ':sizes', name)) or 0
            redis.call('HDEL', base .. ':url:' .. url, variant)
            redis.call('HDEL', base .. ':sizes', name)
            redis.call('ZREM', base .. ':used', name)
            return redis.call('DECRBY', base .. ':bytes', size)
        end
        local function dropURL(url)
            for _, variant in ipairs(redis.call('HKEYS', base .. ':url:' .. url)) do drop(url, variant) end
        end
        local function now()
            local t = redis.call('TIME')
            return t[1] * 1000000 + t[2]
        end

        """

    /// Arguments: a URL. Returns the records of its variants, which count as used.
    static let cached = RedisScript(
        removal + """
            local found = redis.call('HGETALL', base .. ':url:' .. ARGV[1])
            local records, time = {}, now()
            for i = 1, #found, 2 do
                redis.call('ZADD', base .. ':used', time, ARGV[1] .. '\\n' .. found[i])
                records[#records + 1] = found[i + 1]
            end
            return records
            """)

    /// Arguments: URL, variant, record, size, total limit, limit of variants.
    static let cache = RedisScript(
        removal + """
            local url, variant, size, limit = ARGV[1], ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
            -- First what a full Redis refuses: after a removal, it would let the script go on.
            redis.call('INCRBY', base .. ':bytes', 0)
            drop(url, variant)
            if redis.call('HLEN', base .. ':url:' .. url) >= tonumber(ARGV[6]) then dropURL(url) end
            local name = url .. '\\n' .. variant
            redis.call('HSET', base .. ':url:' .. url, variant, ARGV[3])
            redis.call('HSET', base .. ':sizes', name, size)
            redis.call('ZADD', base .. ':used', now(), name)
            local total = redis.call('INCRBY', base .. ':bytes', size)
            while total > limit do
                local oldest = redis.call('ZRANGE', base .. ':used', 0, 0)[1]
                if not oldest then break end
                local line = string.find(oldest, '\\n', 1, true)
                total = drop(string.sub(oldest, 1, line - 1), string.sub(oldest, line + 1))
            end
            return total
            """)

    /// Arguments: URL and variant; a URL; or nothing.
    static let uncache = RedisScript(
        removal + """
            if #ARGV == 2 then
                drop(ARGV[1], ARGV[2])
            elseif #ARGV == 1 then
                dropURL(ARGV[1])
            else
                for _, name in ipairs(redis.call('ZRANGE', base .. ':used', 0, -1)) do
                    redis.call('DEL', base .. ':url:' .. string.sub(name, 1, string.find(name, '\\n', 1, true) - 1))
                end
                redis.call('DEL', base .. ':sizes', base .. ':used', base .. ':bytes')
            end
            return 1
            """)

    static let cachedNames = RedisScript("return redis.call('ZRANGE', KEYS[1] .. ':used', 0, -1)")

    static let cachedBytes = RedisScript("return redis.call('GET', KEYS[1] .. ':bytes')")
}
