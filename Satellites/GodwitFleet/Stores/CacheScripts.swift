#if os(Linux)
import GodwitCore

// A cache is: a hash of variants per URL, the sizes of all entries, their last uses, and their total size. An entry's name is
// its URL, a line feed, and its variant's hash.
extension RedisScript {
    /// Removes an entry or a URL in the scripts below.
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

    /// Arguments: URL, variant, record, size, total limit, limit of variants, limit of a URL's records in bytes.
    static let cache = RedisScript(
        removal + """
            local url, variant, size, limit = ARGV[1], ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
            local place = base .. ':url:' .. url
            -- First what a full Redis refuses: after a removal, it would let the script go on.
            redis.call('INCRBY', base .. ':bytes', 0)
            drop(url, variant)
            -- The records of a URL are read together, and must fit into a reply: the least recently used ones go.
            local others, bytes = {}, #ARGV[3]
            for _, other in ipairs(redis.call('HKEYS', place)) do
                local length = redis.call('HSTRLEN', place, other)
                local used = tonumber(redis.call('ZSCORE', base .. ':used', url .. '\\n' .. other)) or 0
                others[#others + 1] = {other, length, used}
                bytes = bytes + length
            end
            table.sort(others, function(a, b) return a[3] < b[3] end)
            local count = #others
            for _, other in ipairs(others) do
                if count < tonumber(ARGV[6]) and bytes <= tonumber(ARGV[7]) then break end
                drop(url, other[1])
                count, bytes = count - 1, bytes - other[2]
            end
            local name = url .. '\\n' .. variant
            redis.call('HSET', place, variant, ARGV[3])
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
    static let removeCached = RedisScript(
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

    /// Argument: a cursor, at first 0. Returns the next one, 0 at the end, and some names with their last uses. A name can
    /// come twice.
    static let cachedNames = RedisScript("return redis.call('ZSCAN', KEYS[1] .. ':used', ARGV[1], 'COUNT', 1000)")

    static let cachedBytes = RedisScript("return redis.call('GET', KEYS[1] .. ':bytes')")
}
#endif
