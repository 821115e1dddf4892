#if os(Linux)
import CHiredis
import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// One connection to Redis, kept open by a thread of its own: sends commands of many tasks without waiting for each.
///
/// A command gets its reply or a failure within the timeout, whatever the network does. A reply that comes later is
/// dropped: replies have the order of their commands. If no reply comes for a multiple of the timeout, all pending
/// commands fail and the connection is replaced. Without a connection, commands fail without waiting.
final class RedisConnection: Sendable {
    typealias Outcome = Result<RedisValue, RedisFailure>

    /// What the connection is for.
    enum Purpose: Sendable {
        case commands
        /// Receives the messages of a channel; each connection begins with an empty message.
        case messages(channel: String, @Sendable ([UInt8]) -> Void)
    }

    private struct State: Sendable {
        /// Why the connection is missing; `nil` if it exists.
        var failure: RedisFailure? = RedisFailure(.unreachable, "not connected yet")
        var isClosed = false
        /// Bytes of commands that the thread has not taken yet.
        var output: [UInt8] = []
        var pending = PendingCommands<Waiter<Outcome>>()
        var firstAttempt: [Waiter<Void>] = []
        var hasTried = false
        /// Wakes the thread; -1 before its first attempt, and if none is available.
        var signal: Int32 = -1
    }

    private let endpoint: RedisEndpoint
    private let purpose: Purpose
    private let timeout: Duration
    private let random: RandomSource
    private let makeSignal: @Sendable () -> Int32
    private let state = Mutex(State())

    /// Maximum commands without a reply. More fail without being sent, so that a slow Redis can't fill the memory.
    private static let limit = 10_000
    /// After this many times the timeout without any reply, the connection is replaced.
    private static let silence = 3

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - timeout: The limit of a command.
    ///   - random: The random number generator for the pauses between attempts.
    ///   - makeSignal: Creates the descriptor that wakes the thread; -1 if the system has none.
    init(
        _ endpoint: RedisEndpoint, for purpose: Purpose, timeout: Duration,
        random: RandomSource = RandomSource(SystemRandomNumberGenerator()),
        makeSignal: @escaping @Sendable () -> Int32 = godwit_redis_signal
    ) {
        self.endpoint = endpoint
        self.purpose = purpose
        self.timeout = timeout
        self.random = random
        self.makeSignal = makeSignal
        let thread = SystemThread(stackSize: 512 << 10) { [self] in run() }
        thread?.detach()
        if thread == nil { finishFirstAttempt() }
    }

    deinit {
        let signal = state.withLock(\.signal)
        if signal >= 0 { GodwitLibc.close(signal) }
    }

    /// Ends the thread and the connection. The thread keeps this object until then.
    func close() {
        state.withLock { $0.isClosed = true }
        wake()
    }

    /// Returns after the first attempt to connect, or after a time.
    func firstAttempt(within time: Duration) async {
        let waiter = Waiter<Void>()
        let isDone = state.withLock { state in
            if !state.hasTried { state.firstAttempt.append(waiter) }
            return state.hasTried
        }
        guard !isDone else { return }
        let timer = Task {
            try? await Task.sleep(for: time)
            waiter.resume()
        }
        await waiter.value()
        timer.cancel()
    }

    /// Sends a command, and returns its reply or the failure in an error reply.
    ///
    /// - Parameter prelude: A command to send immediately before it, whose reply is ignored.
    func send(_ command: [RedisArgument], after prelude: [RedisArgument]? = nil) async -> Outcome {
        let waiter = Waiter<Outcome>()
        let sent = ContinuousClock.now
        let failure = state.withLock { state -> RedisFailure? in
            if let failure = state.failure { return failure }
            guard state.pending.count < Self.limit else { return RedisFailure(.slow, "too many commands are waiting") }
            if let prelude {
                RedisArgument.encode(prelude, into: &state.output)
                state.pending.append(Waiter<Outcome>(), sent: sent)
            }
            RedisArgument.encode(command, into: &state.output)
            state.pending.append(waiter, sent: sent)
            return nil
        }
        if let failure { return .failure(failure) }
        wake()
        return await waiter.value()
    }

    private func wake() {
        var one: UInt64 = 1
        let signal = state.withLock(\.signal)
        if signal >= 0 { _ = write(signal, &one, 8) }
    }
}

// The thread.
extension RedisConnection {
    private func run() {
        var failures = 0
        var endpoint = endpoint
        var redirection: RedisURL.Address?
        while !state.withLock({ $0.isClosed }) {
            let started = ContinuousClock.now
            let failure = serve(&endpoint, redirection)
            redirection = if case .moved(let target?) = failure.kind { target } else { nil }
            fail(failure)
            finishFirstAttempt()
            // A connection that lasted was good; a redirection costs no pause the first time.
            failures = ContinuousClock.now - started > .seconds(5) ? 1 : failures + 1
            if redirection == nil || failures > 1 {
                pause(
                    random.draw {
                        Backoff(base: .milliseconds(50), cap: .seconds(2)).delay(afterFailure: failures, using: &$0)
                    })
            }
        }
        fail(RedisFailure(.unreachable, "the fleet is closed"))
    }

    /// Connects and serves until something fails.
    private func serve(_ endpoint: inout RedisEndpoint, _ redirection: RedisURL.Address?) -> RedisFailure {
        do throws(RedisFailure) {
            let signal = try preparedSignal()
            let session = try endpoint.connect(redirection)
            if case .messages(let channel, let receive) = purpose {
                _ = try session.call(["SUBSCRIBE", RedisArgument(channel)], until: .now + timeout)
                receive([])
            }
            state.withLock { $0.failure = nil }
            finishFirstAttempt()
            var lastArrival = ContinuousClock.now
            while true {
                guard let output = takeOutput() else { return RedisFailure(.unreachable, "the fleet is closed") }
                if !output.isEmpty { try session.socket.send(output) }
                let isReadable = try wait(session.socket, signal)
                // Before the replies are read: one that comes after its deadline is late.
                expire()
                if isReadable {
                    try handle(try session.replies(), session)
                    lastArrival = .now
                }
                try session.socket.flush()
                try checkSilence(session, lastArrival)
            }
        } catch {
            return error
        }
    }

    private func preparedSignal() throws(RedisFailure) -> Int32 {
        let signal = state.withLock { state in
            if state.signal < 0 { state.signal = makeSignal() }
            return state.signal
        }
        guard signal >= 0 else { throw RedisFailure(.unreachable, "no file descriptor is left") }
        return signal
    }

    private func takeOutput() -> [UInt8]? {
        state.withLock { state in
            defer { state.output = [] }
            return state.isClosed ? nil : state.output
        }
    }

    /// Waits for the socket, a command, or the next deadline. Returns whether bytes have arrived.
    private func wait(_ socket: RedisSocket, _ signal: Int32) throws(RedisFailure) -> Bool {
        let now = ContinuousClock.now
        let rest = state.withLock { state in
            state.pending.firstInTime.map { now.duration(to: $0 + timeout) }
                // Late replies may still come.
                ?? (state.pending.isEmpty ? .seconds(5) : timeout)
        }
        let events = Int16(POLLIN) | (socket.hasOutput ? Int16(POLLOUT) : 0)
        var entries = [
            pollfd(fd: socket.descriptor, events: events, revents: 0),
            pollfd(fd: signal, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&entries, 2, rest.pollTimeout)
        if entries[1].revents != 0 { takeSignal() }
        return entries[0].revents & ~Int16(POLLOUT) != 0
    }

    private func handle(_ replies: [RedisValue], _ session: RedisSession) throws(RedisFailure) {
        if case .messages(_, let receive) = purpose {
            for case .array(let parts) in replies where parts.count == 3 && parts[0].string == "message" {
                receive(parts[2].bytes ?? [])
            }
            return
        }
        let waiters = state.withLock { state in replies.map { _ in state.pending.removeFirst() } }
        var redirection: RedisFailure?
        for (waiter, reply) in zip(waiters, replies) {
            guard let waiter else { throw RedisFailure(.unreachable, "a reply without a command arrived") }
            if case .failure(let text) = reply {
                let failure = RedisFailure(reply: text, from: session.address)
                if case .moved = failure.kind { redirection = failure }
                waiter.resume(returning: .failure(failure))
            } else {
                waiter.resume(returning: .success(reply))
            }
        }
        // Another Redis has the keys: connect to that one.
        if let redirection { throw redirection }
    }

    /// Fails the commands whose reply is late.
    private func expire() {
        let late = state.withLock { $0.pending.expire(sentUntil: .now - timeout) }
        for waiter in late { waiter.resume(returning: .failure(RedisSocket.late)) }
    }

    /// Throws if the connection is dead: it has been silent although a reply is due.
    private func checkSilence(
        _ session: RedisSession, _ lastArrival: ContinuousClock.Instant
    ) throws(RedisFailure) {
        let now = ContinuousClock.now
        if case .messages = purpose {
            guard now - lastArrival < .seconds(15) else { throw RedisSocket.late }
            if now - lastArrival >= .seconds(5) {
                var ping: [UInt8] = []
                RedisArgument.encode(["PING"], into: &ping)
                try session.socket.send(ping)
            }
        } else if let sent = state.withLock({ $0.pending.first }) {
            guard now - max(sent, lastArrival) < timeout * Self.silence else { throw RedisSocket.late }
        }
    }

    private func fail(_ failure: RedisFailure) {
        let waiters = state.withLock { state in
            state.failure = failure
            state.output = []
            return state.pending.takeAll()
        }
        for waiter in waiters { waiter.resume(returning: .failure(failure)) }
    }

    private func finishFirstAttempt() {
        let waiters = state.withLock { state in
            state.hasTried = true
            defer { state.firstAttempt = [] }
            return state.firstAttempt
        }
        for waiter in waiters { waiter.resume() }
    }

    private func takeSignal() {
        var count: UInt64 = 0
        let signal = state.withLock(\.signal)
        if signal >= 0 { _ = read(signal, &count, 8) }
    }

    private func pause(_ time: Duration) {
        // A missing descriptor is ignored: the wait then lasts the whole time.
        _ = Descriptor.wait(state.withLock(\.signal), for: Int32(POLLIN), until: .now + time)
        takeSignal()
    }
}
#endif
