#if os(Linux)
import GodwitCore

/// When calls may be sent, and when the next one after them could be.
struct Reservation: Sendable, Hashable {
    /// Delays from the time of the reservation, ascending.
    var times: [Duration] = []
    var next: Duration
}

/// Plans calls by a rate (the generic cell rate algorithm) and by what the server allows. It has no clock.
///
/// The script ``RedisScript/reserve`` decides by the same rules, for all processes.
struct LocalRate: Sendable {
    /// When the next call would be on time, if calls were evenly distributed.
    private var due = Duration.zero
    private var blockedUntil = Duration.zero
    private var remaining = 0
    private var allowanceEnd = Duration.zero

    private static let maximumWait = RetryPause.longestInBackground

    /// Reserves up to a number of calls within the horizon.
    mutating func reserve(_ count: Int, _ rate: SharedRate, horizon: Duration, at now: Duration) -> Reservation {
        let slack = rate.interval * (rate.burst - 1)
        var reservation = Reservation(next: .zero)
        while true {
            var time = max(now, blockedUntil, due - slack)
            if time < allowanceEnd, remaining <= 0 { time = allowanceEnd }
            reservation.next = time - now
            guard reservation.times.count < count, reservation.next <= horizon else { return reservation }
            reservation.times.append(reservation.next)
            due = max(due, time) + rate.interval
            if time < allowanceEnd { remaining -= 1 }
        }
    }

    /// Whether it plans as a new one does.
    func isFresh(at now: Duration) -> Bool { max(due, blockedUntil, allowanceEnd) <= now }

    /// Begins after a time with shared limits: others may have sent the calls that are due.
    mutating func begin(_ rate: SharedRate, at now: Duration) {
        due = max(due, now + rate.interval * rate.burst)
    }

    mutating func apply(_ limit: ServerLimit, inFlight: Int, at now: Duration) {
        if let pause = limit.pause { blockedUntil = max(blockedUntil, now + min(pause, Self.maximumWait)) }
        guard let remaining = limit.remaining, let reset = limit.reset else { return }
        self.remaining = max(0, remaining - inFlight)
        allowanceEnd = now + min(reset, Self.maximumWait)
    }
}

extension RedisScript {
    /// The beginning of both scripts: the server's time, and what is stored of a limit.
    private static let limitState = """
        local t = redis.call('TIME')
        local now = t[1] * 1000000 + t[2]
        local h = redis.call('HMGET', KEYS[1], 'due', 'block', 'left', 'stop', 'at')
        local due, block = tonumber(h[1]) or 0, tonumber(h[2]) or 0
        local left, stop = tonumber(h[3]) or 0, tonumber(h[4]) or 0
        -- The clock was set back: so are the times.
        local back = math.max(0, (tonumber(h[5]) or 0) - now)
        due, block, stop = due - back, block - back, stop - back
        """

    /// Reserves calls for one process, by the server's clock. Times are in µs.
    ///
    /// Arguments: interval, slack of a burst, number of calls, horizon. Returns the server's time, when the next call could
    /// be, then when each reserved one is.
    static let reserve = RedisScript(
        """
        \(limitState)
        local interval, slack = tonumber(ARGV[1]), tonumber(ARGV[2])
        local want, horizon = tonumber(ARGV[3]), tonumber(ARGV[4])
        local reply = {now, 0}
        while true do
            local slot = math.max(now, block, due - slack)
            if slot < stop and left <= 0 then slot = stop end
            reply[2] = math.ceil(slot - now)
            if #reply > want + 1 or slot > now + horizon then break end
            reply[#reply + 1] = math.ceil(slot - now)
            due = math.max(due, slot) + interval
            if slot < stop then left = left - 1 end
        end
        if #reply > 2 or back > 0 then
            redis.call('HSET', KEYS[1], 'due', string.format('%.2f', due), 'block', string.format('%.0f', block),
                'left', left, 'stop', string.format('%.0f', stop), 'at', string.format('%.0f', now))
            redis.call('PEXPIRE', KEYS[1], math.ceil((math.max(due, block, stop) - now) / 1000) + 60000)
        end
        return reply
        """)

    /// Stores what a server said about its limit. Times are in µs, and -1 if unknown; none is later than in an hour.
    ///
    /// Arguments: pause, remaining calls, time until the reset, calls of this process in flight.
    static let recordServerLimit = RedisScript(
        """
        \(limitState)
        local pause, remaining = math.min(tonumber(ARGV[1]), 3600000000), tonumber(ARGV[2])
        local reset, flying = math.min(tonumber(ARGV[3]), 3600000000), tonumber(ARGV[4])
        if pause >= 0 then block = math.max(block, now + pause) end
        if remaining >= 0 and reset >= 0 then
            local rest = math.max(0, remaining - flying)
            -- Within one window, calls that others have reserved but not sent must stay counted.
            if stop > now and math.abs(stop - now - reset) < 1500000 then
                left = math.min(left, rest)
            else
                left, stop = rest, now + reset
            end
        end
        redis.call('HSET', KEYS[1], 'due', string.format('%.2f', due), 'block', string.format('%.0f', block),
            'left', left, 'stop', string.format('%.0f', stop), 'at', string.format('%.0f', now))
        redis.call('PEXPIRE', KEYS[1], math.ceil((math.max(due, block, stop, now) - now) / 1000) + 60000)
        return 1
        """)
}
#endif
