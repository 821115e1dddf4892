#if os(Linux)
import GodwitCore
import GodwitSupport
import Synchronization

/// Repeats a fleet's heartbeat: often while Redis can't be used, to notice its return.
final class HeartbeatLoop: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let pause = InterruptiblePause(Timeline(ContinuousClock()))
    private let random: RandomSource

    /// - Parameter random: The random number generator for the pauses.
    init(random: RandomSource = RandomSource(SystemRandomNumberGenerator())) { self.random = random }

    /// Begins. The fleet isn't kept alive.
    func start(_ fleet: Fleet) {
        let interval = fleet.options.heartbeat
        let task = Task { [weak fleet, pause, random] in
            var failures = 0
            while !Task.isCancelled {
                let time = Self.pause(after: failures, interval, random)
                await pause.sleep(for: time, ifInterruptedBefore: .milliseconds(50))
                guard let fleet, !Task.isCancelled else { return }
                failures = await fleet.sendHeartbeat() ? 0 : min(failures + 1, 10)
            }
        }
        self.task.withLock { $0 = task }
    }

    func stop() {
        task.withLock { $0 }?.cancel()
        pause.interrupt()
    }

    /// Ends the current pause: Redis has failed, and may be back soon.
    func retryNow() { pause.interrupt() }

    /// A random part keeps the processes of a fleet apart.
    private static func pause(after failures: Int, _ interval: Duration, _ random: RandomSource) -> Duration {
        random.draw { generator in
            failures == 0
                ? interval * Double.random(in: 0.8...1, using: &generator)
                : Backoff(base: .milliseconds(100), cap: .seconds(1)).delay(afterFailure: failures, using: &generator)
        }
    }
}

/// A pause of one task that others can end, also just before it begins.
final class InterruptiblePause: Sendable {
    private struct State: Sendable {
        var sleep: Task<Void, Never>?
        var isInterrupted = false
    }

    private let state = Mutex(State())
    private let timeline: Timeline

    init(_ timeline: Timeline) { self.timeline = timeline }

    /// Sleeps, unless ``interrupt()`` is called meanwhile.
    ///
    /// - Parameter minimum: The sleep if it was called since the last pause.
    func sleep(for time: Duration, ifInterruptedBefore minimum: Duration = .zero) async {
        let sleep = state.withLock { state in
            let time = state.isInterrupted ? minimum : time
            state.isInterrupted = false
            let sleep = Task { [timeline] in _ = try? await timeline.sleep(for: time) }
            state.sleep = sleep
            return sleep
        }
        await sleep.value
        state.withLock { $0.sleep = nil }
    }

    func interrupt() {
        state.withLock { state in
            if let sleep = state.sleep { sleep.cancel() } else { state.isInterrupted = true }
        }
    }
}

extension RedisScript {
    /// Counts the processes of a fleet. Scores are times of the server in ms: until when a process counts as alive.
    ///
    /// Arguments: the process, how long it counts as alive, a random text, how long it counts as lost after that.
    /// Returns how many are alive, how many are lost, and the text of the first process since Redis has data.
    ///
    /// A process that stops without a goodbye is lost: it may be cut off and still send its share. One that has joined
    /// since the last heartbeat of a lost one replaces it.
    static let heartbeat = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        local life, loss = tonumber(ARGV[2]), tonumber(ARGV[4])
        -- First what a full Redis refuses: after another change, the script would continue.
        redis.call('SET', KEYS[2], ARGV[3], 'NX')
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - loss)
        redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - loss - life)
        -- The clock was set back.
        for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], now + 3 * life, '+inf')) do
            redis.call('ZADD', KEYS[1], now + life, id)
        end
        redis.call('ZREMRANGEBYSCORE', KEYS[3], now + 1, '+inf')
        if redis.call('ZADD', KEYS[1], now + life, ARGV[1]) == 1 then redis.call('ZADD', KEYS[3], now, ARGV[1]) end
        local ended = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'WITHSCORES')
        local alive = redis.call('ZCARD', KEYS[1]) - #ended / 2
        -- From the last one on, each that has joined since replaces one.
        local lost, replaced = 0, 0
        for i = #ended, 2, -2 do
            local joined = redis.call('ZCOUNT', KEYS[3], '(' .. string.format('%.0f', ended[i] - life), '+inf')
            if joined > replaced then replaced = replaced + 1 else lost = lost + 1 end
        end
        return {alive, lost, redis.call('GET', KEYS[2])}
        """)

    /// A process says goodbye. Argument: the process.
    static let leave = RedisScript("return redis.call('ZREM', KEYS[1], ARGV[1])")
}
#endif
