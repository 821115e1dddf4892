import GodwitCore
import GodwitSupport
import Synchronization

/// All subscriptions of a client and the one connection that carries them: made for the first, closed some time after the
/// last, and made again if it is lost.
final class SubscriptionHub: Sendable {
    typealias Connect = @Sendable () async throws(NetworkError) -> any SubscriptionConnection

    fileprivate enum Command: Sendable {
        case subscribe(SubscriptionBuffer)
        case unsubscribe(String)
    }

    fileprivate struct State: Sendable {
        var buffers: [String: SubscriptionBuffer] = [:]
        var lastID: UInt64 = 0
        /// The task that connects, reads and writes.
        var driver: (id: UInt64, task: Task<Void, Never>)?
        var lastDriver: UInt64 = 0
        var connection: (any SubscriptionConnection)?
        /// Whether the connection has delivered an event.
        var hadEvents = false
        var commands: [Command] = []
        var writer: Waiter<Void>?
        /// Counts how often there was no subscription, so that an old pause closes nothing.
        var idleCount: UInt64 = 0
    }

    /// The ID of a hub's first subscription. Some connections carry only that.
    static let firstID = "1"

    private let options: GraphQLSubscriptionOptions
    private let connect: Connect
    private let timeline: Timeline
    private let random: RandomSource
    private let state = Mutex(State())
    private let session: AccountSession
    private let ending: AccountEnding

    init(_ api: APIClient, _ options: GraphQLSubscriptionOptions, connect: @escaping Connect) {
        self.options = options
        self.connect = connect
        timeline = Timeline(api.configuration.clock)
        random = RandomSource(options.randomness)
        session = api.accountSession
        ending = AccountEnding(session)
        // Events of the former account must not reach the next one.
        ending.action = { [weak self] in
            self?.end(.accountChanged(.receiving), discardsEvents: true)
        }
    }

    deinit {
        state.withLock { $0.driver?.task.cancel() }
    }

    /// The number of subscriptions.
    var count: Int { state.withLock(\.buffers.count) }

    // MARK: Subscriptions

    /// Starts a subscription, with a connection if there is none.
    func add(_ operation: JSONMembers) -> SubscriptionBuffer {
        let (buffer, writer) = state.withLock { state in
            state.lastID += 1
            let buffer = SubscriptionBuffer(String(state.lastID), operation, options, session)
            state.buffers[buffer.id] = buffer
            // Without a connection, all subscriptions are started once there is one.
            if state.connection != nil { state.commands.append(.subscribe(buffer)) }
            if state.driver == nil { startDriver(&state) }
            return (buffer, state.writer.take())
        }
        writer?.resume()
        return buffer
    }

    /// Ends a subscription whose loop was left. Does nothing if the server ended it before.
    func remove(_ buffer: SubscriptionBuffer) {
        take(buffer.id, tellsServer: true)?.finish(nil)
    }

    @discardableResult
    private func take(_ id: String, tellsServer: Bool) -> SubscriptionBuffer? {
        let (buffer, writer, idleCount) = state.withLock { state -> (SubscriptionBuffer?, Waiter<Void>?, UInt64?) in
            guard let buffer = state.buffers.removeValue(forKey: id) else { return (nil, nil, nil) }
            if tellsServer, state.connection != nil { state.unsubscribe(id) }
            guard state.buffers.isEmpty else { return (buffer, state.writer.take(), nil) }
            state.idleCount += 1
            return (buffer, state.writer.take(), state.idleCount)
        }
        writer?.resume()
        if let idleCount { closeLater(idleCount) }
        return buffer
    }

    private func closeLater(_ idleCount: UInt64) {
        Task { [weak self, timeline, options] in
            try? await timeline.sleep(for: options.idleTimeout)
            await self?.closeIfIdle(idleCount)
        }
    }

    private func closeIfIdle(_ idleCount: UInt64) async {
        let last = state.withLock { state -> (State)? in
            guard state.buffers.isEmpty, state.idleCount == idleCount, state.driver != nil else { return nil }
            defer { state.disconnect() }
            return state
        }
        guard let last else { return }
        await last.connection?.close()
        last.driver?.task.cancel()
        options.onStateChange?(.closed(nil))
    }

    /// Ends all subscriptions and the connection.
    private func end(_ error: NetworkError, discardsEvents: Bool = false) {
        let last = state.withLock { state in
            defer { state.disconnect() }
            defer { state.buffers = [:] }
            return state
        }
        for buffer in last.buffers.values { buffer.finish(error, discardsEvents: discardsEvents) }
        guard last.driver != nil else { return }
        last.writer?.resume()
        Task {
            await last.connection?.close()
            last.driver?.task.cancel()
        }
        options.onStateChange?(.closed(error))
    }

    // MARK: The connection

    private func startDriver(_ state: inout State) {
        state.lastDriver += 1
        let id = state.lastDriver
        state.driver = (id, Task { [weak self] in await self?.run(id) })
    }

    private func isCurrent(_ driver: UInt64) -> Bool {
        state.withLock { $0.driver?.id == driver }
    }

    private func run(_ driver: UInt64) async {
        var reconnection = SubscriptionReconnection(options)
        let start = timeline.now
        while isCurrent(driver) {
            options.onStateChange?(.connecting)
            let ending = await useConnection(driver)
            let error = ending.error
            guard isCurrent(driver) else { return }
            guard forgetConnection(driver) else { return options.onStateChange?(.closed(nil)) ?? () }
            guard let failures = reconnection.failures(after: ending) else { return end(error) }
            let delay = random.draw { [options] in
                options.backoff.delay(afterFailure: failures, using: &$0)
            }
            let pause = RetryPause(
                delay, asked: error.suggestedRetryDelay, longest: options.longestRetryAfter
            ).duration
            guard reconnection.hasTime(for: pause, after: timeline.now - start) else { return end(error) }
            options.onStateChange?(.waiting(pause, after: error))
            guard (try? await timeline.sleep(for: pause)) != nil else { return }
        }
    }

    /// Forgets the lost connection. Returns `false` if no subscription needs another.
    private func forgetConnection(_ driver: UInt64) -> Bool {
        state.withLock { state in
            state.connection = nil
            guard state.buffers.isEmpty, state.driver?.id == driver else { return true }
            state.disconnect()
            return false
        }
    }

    /// Makes a connection and uses it until it ends.
    private func useConnection(_ driver: UInt64) async -> SubscriptionReconnection.Ending {
        let connection: any SubscriptionConnection
        do throws(NetworkError) {
            connection = try await connect()
        } catch {
            return .init(error: error, lifetime: nil, hadEvents: false)
        }
        let start = timeline.now
        guard open(connection, driver) else {
            await connection.close()
            return .init(error: NetworkError(.cancelled, phase: .connecting), lifetime: nil, hadEvents: false)
        }
        options.onStateChange?(.open)
        let error = await withTaskGroup(of: NetworkError.self) { [self] group in
            group.addTask { await self.read(from: connection) }
            group.addTask { await self.write(to: connection, driver) }
            let first = await group.next() ?? NetworkError(.cancelled, phase: .receiving)
            group.cancelAll()
            return first
        }
        await connection.close()
        let hadEvents = state.withLock(\.hadEvents)
        return .init(error: error, lifetime: timeline.now - start, hadEvents: hadEvents)
    }

    /// Uses the connection for all subscriptions. Returns `false` if none is needed any more.
    private func open(_ connection: any SubscriptionConnection, _ driver: UInt64) -> Bool {
        state.withLock { state in
            guard state.driver?.id == driver else { return false }
            state.connection = connection
            state.hadEvents = false
            state.commands = state.buffers.values.map(Command.subscribe)
            return true
        }
    }

    private func read(from connection: any SubscriptionConnection) async -> NetworkError {
        do throws(NetworkError) {
            while true { await deliver(try await connection.receive()) }
        } catch {
            return error
        }
    }

    private func deliver(_ message: SubscriptionMessage) async {
        switch message {
        // Unknown IDs are those of subscriptions that were left while the message was on its way.
        case .next(let id, let event):
            let buffer = state.withLock { state in
                state.hadEvents = true
                return state.buffers[id]
            }
            guard let buffer else { return }
            await put(event, into: buffer)
        case .error(let id, let errors):
            take(id, tellsServer: false)?.finish(RawResult(errors: errors).failure(nil))
        case .failed(let id, let error): take(id, tellsServer: false)?.finish(error)
        case .complete(let id): take(id, tellsServer: false)?.finish(nil)
        }
    }

    /// Nothing is read while a full buffer waits for its loop, which slows the server down.
    private func put(_ event: Data, into buffer: SubscriptionBuffer) async {
        while !buffer.put(event), !Task.isCancelled {
            let hasRoom = await waitForRoom(for: event, in: buffer)
            if !hasRoom, count > 1 { take(buffer.id, tellsServer: true)?.finish(buffer.overflow) }
        }
    }

    /// Returns `false` if the loop took no event in time, or the task is canceled.
    private func waitForRoom(for event: Data, in buffer: SubscriptionBuffer) async -> Bool {
        guard let room = buffer.room(for: event) else { return true }
        let timer = Task { [timeline, options] in
            guard (try? await timeline.sleep(for: options.overflowTimeout)) != nil else { return }
            room.resume(returning: false)
        }
        defer { timer.cancel() }
        return await room.value { room.resume(returning: false) }
    }

    private func write(to connection: any SubscriptionConnection, _ driver: UInt64) async -> NetworkError {
        do throws(NetworkError) {
            while !Task.isCancelled, isCurrent(driver) {
                for command in await commands() {
                    switch command {
                    case .subscribe(let buffer):
                        let answer = try await connection.subscribe(buffer.id, buffer.operation)
                        if let answer { await deliver(answer) }
                    case .unsubscribe(let id): try await connection.unsubscribe(id)
                    }
                }
            }
            return NetworkError(.cancelled, phase: .sending)
        } catch {
            return error
        }
    }

    /// Waits for commands.
    private func commands() async -> [Command] {
        let (commands, waiter) = state.withLock { state -> ([Command], Waiter<Void>?) in
            defer { state.commands = [] }
            guard state.commands.isEmpty else { return (state.commands, nil) }
            let waiter = Waiter<Void>()
            state.writer = waiter
            return ([], waiter)
        }
        await waiter?.value { waiter?.resume() }
        return commands
    }
}

extension SubscriptionHub.State {
    /// Forgets the connection and its task.
    fileprivate mutating func disconnect() {
        driver = nil
        connection = nil
        commands = []
        writer = nil
    }

    /// Ends a subscription on the server, or doesn't start it if it still waits.
    fileprivate mutating func unsubscribe(_ id: String) {
        let count = commands.count
        commands.removeAll { if case .subscribe(let buffer) = $0 { buffer.id == id } else { false } }
        if commands.count == count { commands.append(.unsubscribe(id)) }
    }
}
