import CHiredis
import Glibc
import GodwitCore
import Synchronization

/// One connection to Redis, kept open by a thread of its own: sends commands of many tasks without waiting for each.
///
/// A command gets its reply or a failure within the timeout, whatever the network does. If one is late, all pending
/// commands fail and the connection is replaced: later replies could not be told apart. Without a connection, commands
/// fail at once.
final class RedisConnection: Sendable {
    typealias Outcome = Result<RedisValue, RedisFailure>

    /// What the connection is for.
    enum Purpose: Sendable {
        case commands
        /// Receives the messages of a channel; each connection begins with an empty message.
        case messages(channel: String, @Sendable ([UInt8]) -> Void)
    }

    private struct Pending: Sendable {
        let waiter: Waiter<Outcome>
        let deadline: ContinuousClock.Instant
    }

    private struct State: Sendable {
        /// Why the connection is missing; `nil` if it exists.
        var failure: RedisFailure? = RedisFailure(.unreachable, "not connected yet")
        var isClosed = false
        /// Bytes of commands that the thread has not taken yet.
        var output: [UInt8] = []
        var pending = PendingQueue()
        var firstAttempt: [Waiter<Void>] = []
        var hasTried = false
    }

    /// Commands without a reply, in order.
    private struct PendingQueue: Sendable {
        private var entries: [Pending] = []
        private var head = 0

        var first: Pending? { head < entries.count ? entries[head] : nil }

        var count: Int { entries.count - head }

        mutating func append(_ entry: Pending) { entries.append(entry) }

        mutating func removeFirst() -> Pending? {
            guard head < entries.count else { return nil }
            defer {
                head += 1
                if head > 64, head > entries.count / 2 {
                    entries.removeFirst(head)
                    head = 0
                }
            }
            return entries[head]
        }

        mutating func takeAll() -> [Pending] {
            defer { (entries, head) = ([], 0) }
            return Array(entries[head...])
        }
    }

    private let endpoint: RedisEndpoint
    private let purpose: Purpose
    private let timeout: Duration
    private let state = Mutex(State())
    /// Wakes the thread.
    private let signal: Int32

    /// Maximum commands without a reply. More fail at once, so that a slow Redis can't fill the memory.
    private static let limit = 10_000

    /// Starts to connect.
    ///
    /// - Parameter timeout: The limit of a command.
    init(_ endpoint: RedisEndpoint, for purpose: Purpose, timeout: Duration) {
        self.endpoint = endpoint
        self.purpose = purpose
        self.timeout = timeout
        signal = godwit_redis_signal()
        let thread = SystemThread(stackSize: 512 << 10) { [self] in run() }
        thread?.detach()
        if thread == nil { finishFirstAttempt() }
    }

    deinit { Glibc.close(signal) }

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
        let deadline = ContinuousClock.now + timeout
        let failure = state.withLock { state -> RedisFailure? in
            if let failure = state.failure { return failure }
            guard state.pending.count < Self.limit else { return RedisFailure(.slow, "too many commands are waiting") }
            if let prelude {
                RedisArgument.encode(prelude, into: &state.output)
                state.pending.append(Pending(waiter: Waiter<Outcome>(), deadline: deadline))
            }
            RedisArgument.encode(command, into: &state.output)
            state.pending.append(Pending(waiter: waiter, deadline: deadline))
            return nil
        }
        if let failure { return .failure(failure) }
        wake()
        return await waiter.value()
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(signal, &one, 8)
    }
}

// The thread.
extension RedisConnection {
    private func run() {
        var attempt = 0
        var redirection: RedisURL.Address?
        while !state.withLock({ $0.isClosed }) {
            let started = ContinuousClock.now
            let failure = serve(redirection)
            redirection = if case .moved(let target?) = failure.kind { target } else { nil }
            fail(failure)
            finishFirstAttempt()
            // A connection that lasted was good; a redirection costs no pause the first time.
            attempt = ContinuousClock.now - started > .seconds(5) ? 0 : attempt + 1
            if redirection == nil || attempt > 1 { pause(min(.seconds(2), .milliseconds(25 << min(attempt, 7)))) }
        }
        fail(RedisFailure(.unreachable, "the fleet is closed"))
    }

    /// Connects and serves until something fails.
    private func serve(_ redirection: RedisURL.Address?) -> RedisFailure {
        do throws(RedisFailure) {
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
                let isReadable = try wait(session.socket)
                if isReadable {
                    try handle(try session.replies())
                    lastArrival = .now
                }
                try session.socket.flush()
                try checkTime(session, &lastArrival)
            }
        } catch {
            return error
        }
    }

    private func takeOutput() -> [UInt8]? {
        state.withLock { state in
            defer { state.output = [] }
            return state.isClosed ? nil : state.output
        }
    }

    /// Waits for the socket, a command, or the next deadline. Returns whether bytes have arrived.
    private func wait(_ socket: RedisSocket) throws(RedisFailure) -> Bool {
        let deadline = state.withLock { $0.pending.first?.deadline }
        let rest = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(5)
        let events = Int16(POLLIN) | (socket.hasOutput ? Int16(POLLOUT) : 0)
        var entries = [
            pollfd(fd: socket.descriptor, events: events, revents: 0),
            pollfd(fd: signal, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&entries, 2, rest.milliseconds)
        if entries[1].revents != 0 { takeSignal() }
        return entries[0].revents & ~Int16(POLLOUT) != 0
    }

    private func handle(_ replies: [RedisValue]) throws(RedisFailure) {
        if case .messages(_, let receive) = purpose {
            for case .array(let parts) in replies where parts.count == 3 && parts[0].string == "message" {
                receive(parts[2].bytes ?? [])
            }
            return
        }
        let pending = state.withLock { state in replies.map { _ in state.pending.removeFirst() } }
        var redirection: RedisFailure?
        for (entry, reply) in zip(pending, replies) {
            guard let entry else { throw RedisFailure(.other, "a reply without a command arrived") }
            if case .failure(let text) = reply {
                let failure = RedisFailure(reply: text)
                if case .moved = failure.kind { redirection = failure }
                entry.waiter.resume(returning: .failure(failure))
            } else {
                entry.waiter.resume(returning: .success(reply))
            }
        }
        // Another Redis has the keys: connect to that one.
        if let redirection { throw redirection }
    }

    /// Throws if a command is late, or a silent connection is dead.
    private func checkTime(_ session: RedisSession, _ lastArrival: inout ContinuousClock.Instant) throws(RedisFailure) {
        let now = ContinuousClock.now
        if case .messages = purpose {
            guard now - lastArrival < .seconds(15) else { throw RedisSocket.late }
            if now - lastArrival >= .seconds(5) {
                var ping: [UInt8] = []
                RedisArgument.encode(["PING"], into: &ping)
                try session.socket.send(ping)
            }
        } else if let deadline = state.withLock({ $0.pending.first?.deadline }), deadline <= now {
            throw RedisSocket.late
        }
    }

    private func fail(_ failure: RedisFailure) {
        let pending = state.withLock { state in
            state.failure = failure
            state.output = []
            return state.pending.takeAll()
        }
        for entry in pending { entry.waiter.resume(returning: .failure(failure)) }
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
        _ = read(signal, &count, 8)
    }

    private func pause(_ time: Duration) {
        _ = RedisSocket.wait(signal, for: Int32(POLLIN), until: .now + time)
        takeSignal()
    }
}
