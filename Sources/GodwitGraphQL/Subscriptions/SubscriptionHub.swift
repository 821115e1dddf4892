import GodwitCore
import Synchronization

/// All subscriptions of a client and the one connection that carries them: made for the first, closed some time after the
/// last, and made again if it is lost.
final class SubscriptionHub: Sendable {
    typealias Connect = @Sendable () async throws(NetworkError) -> any SubscriptionConnection

    fileprivate enum Command: Sendable {
        case subscribe(SubscriptionInbox)
        case unsubscribe(String)
    }

    fileprivate struct State: Sendable {
        var inboxes: [String: SubscriptionInbox] = [:]
        var lastID: UInt64 = 0
        /// The task that connects, reads and writes.
        var driver: (id: UInt64, task: Task<Void, Never>)?
        var lastDriver: UInt64 = 0
        var connection: (any SubscriptionConnection)?
        var commands: [Command] = []
        var writer: Waiter<Void>?
        /// Counts how often there was no subscription, so that an old pause closes nothing.
        var idleCount: UInt64 = 0
    }

    /// The ID of a hub's first subscription. Some connections carry only that.
    static let firstID = "1"

    /// A connection that lasts this long restarts the count of failures.
    private static let settled = Duration.seconds(10)

    private let options: GraphQLSubscriptionOptions
    private let connect: Connect
    private let timeline: Timeline
    private let random: RandomSource
    private let state = Mutex(State())
    private let ending: AccountEnding

    init(_ api: APIClient, _ options: GraphQLSubscriptionOptions, connect: @escaping Connect) {
        (self.options, self.connect) = (options, connect)
        timeline = Timeline(api.configuration.clock)
        random = RandomSource(options.randomness)
        ending = AccountEnding(api.accountSession)
        // Events of the former account must not reach the next one.
        ending.action = { [weak self] in
            self?.end(NetworkError(.cancelled, phase: .receiving, underlying: AccountChanged()))
        }
    }

    deinit {
        state.withLock { $0.driver?.task.cancel() }
    }

    /// The number of subscriptions.
    var count: Int { state.withLock(\.inboxes.count) }

    // MARK: Subscriptions

    /// Starts a subscription, with a connection if there is none.
    func add(_ operation: JSONMembers) -> SubscriptionInbox {
        let (inbox, writer) = state.withLock { state in
            state.lastID += 1
            let inbox = SubscriptionInbox(String(state.lastID), operation, options)
            state.inboxes[inbox.id] = inbox
            // Without a connection, all subscriptions are started once there is one.
            if state.connection != nil { state.commands.append(.subscribe(inbox)) }
            if state.driver == nil { startDriver(&state) }
            return (inbox, state.writer.take())
        }
        writer?.resume()
        return inbox
    }

    /// Ends a subscription whose loop was left. Does nothing if the server ended it before.
    func remove(_ inbox: SubscriptionInbox) {
        take(inbox.id, tellsServer: true)?.finish(nil)
    }

    @discardableResult
    private func take(_ id: String, tellsServer: Bool) -> SubscriptionInbox? {
        let (inbox, writer, idleCount) = state.withLock { state -> (SubscriptionInbox?, Waiter<Void>?, UInt64?) in
            guard let inbox = state.inboxes.removeValue(forKey: id) else { return (nil, nil, nil) }
            if tellsServer, state.connection != nil { state.unsubscribe(id) }
            guard state.inboxes.isEmpty else { return (inbox, state.writer.take(), nil) }
            state.idleCount += 1
            return (inbox, state.writer.take(), state.idleCount)
        }
        writer?.resume()
        if let idleCount { closeLater(idleCount) }
        return inbox
    }

    private func closeLater(_ idleCount: UInt64) {
        Task { [weak self, timeline, options] in
            try? await timeline.sleep(for: options.idleTimeout)
            await self?.closeIfIdle(idleCount)
        }
    }

    private func closeIfIdle(_ idleCount: UInt64) async {
        let last = state.withLock { state -> (State)? in
            guard state.inboxes.isEmpty, state.idleCount == idleCount, state.driver != nil else { return nil }
            defer { state.disconnect() }
            return state
        }
        guard let last else { return }
        await last.connection?.close()
        last.driver?.task.cancel()
        options.onStateChange?(.closed(nil))
    }

    /// Ends all subscriptions and the connection.
    private func end(_ error: NetworkError) {
        let last = state.withLock { state in
            defer { state.disconnect() }
            defer { state.inboxes = [:] }
            return state
        }
        for inbox in last.inboxes.values { inbox.finish(error) }
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
        var failures = 0
        while isCurrent(driver) {
            options.onStateChange?(.connecting)
            let (error, lifetime) = await useConnection(driver)
            guard isCurrent(driver) else { return }
            guard forgetConnection(driver) else { return options.onStateChange?(.closed(nil)) ?? () }
            failures = (lifetime ?? .zero) >= Self.settled ? 1 : failures + 1
            guard reconnects(after: error, wasOpen: lifetime != nil, failures) else { return end(error) }
            let delay = random.draw { [failures, options] in
                options.backoff.delay(afterFailure: failures, using: &$0)
            }
            let pause = max(delay, error.suggestedRetryDelay ?? .zero)
            options.onStateChange?(.waiting(pause, after: error))
            guard (try? await timeline.sleep(for: pause)) != nil else { return }
        }
    }

    /// Forgets the lost connection. Returns `false` if no subscription needs another.
    private func forgetConnection(_ driver: UInt64) -> Bool {
        state.withLock { state in
            state.connection = nil
            guard state.inboxes.isEmpty, state.driver?.id == driver else { return true }
            state.disconnect()
            return false
        }
    }

    private func reconnects(after error: NetworkError, wasOpen: Bool, _ failures: Int) -> Bool {
        guard options.reconnection == .resubscribe, options.failureLimit.map({ failures <= $0 }) ?? true else {
            return false
        }
        if let code = error.graphQLCloseCode {
            // A token that was valid at the start of the connection has expired: the next connection has a new one.
            if code == .graphQLUnauthorized || code == .graphQLForbidden { return wasOpen }
            if code == .normalClosure { return wasOpen }
            return code.isWorthResubscribing
        }
        return error.isRetryable
    }

    /// Makes a connection and uses it until it ends. Returns what ended it, and how long it was open.
    private func useConnection(_ driver: UInt64) async -> (NetworkError, Duration?) {
        let connection: any SubscriptionConnection
        do throws(NetworkError) {
            connection = try await connect()
        } catch {
            return (error, nil)
        }
        let start = timeline.now
        guard open(connection, driver) else {
            await connection.close()
            return (NetworkError(.cancelled, phase: .connecting), nil)
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
        return (error, timeline.now - start)
    }

    /// Uses the connection for all subscriptions. Returns `false` if none is needed any more.
    private func open(_ connection: any SubscriptionConnection, _ driver: UInt64) -> Bool {
        state.withLock { state in
            guard state.driver?.id == driver else { return false }
            state.connection = connection
            state.commands = state.inboxes.values.map(Command.subscribe)
            return true
        }
    }

    private func read(from connection: any SubscriptionConnection) async -> NetworkError {
        do throws(NetworkError) {
            while true { deliver(try await connection.receive()) }
        } catch {
            return error
        }
    }

    private func deliver(_ message: SubscriptionMessage) {
        switch message {
        // Unknown IDs are those of subscriptions that were left while the message was on its way.
        case .next(let id, let event):
            guard let inbox = state.withLock({ $0.inboxes[id] }) else { return }
            if case .overflow(let error) = inbox.put(event) { take(id, tellsServer: true)?.finish(error) }
        case .error(let id, let errors):
            take(id, tellsServer: false)?.finish(RawResult(errors: errors).failure(nil))
        case .complete(let id): take(id, tellsServer: false)?.finish(nil)
        }
    }

    private func write(to connection: any SubscriptionConnection, _ driver: UInt64) async -> NetworkError {
        do throws(NetworkError) {
            while !Task.isCancelled, isCurrent(driver) {
                for command in await commands() {
                    switch command {
                    case .subscribe(let inbox):
                        let answer = try await connection.subscribe(inbox.id, inbox.operation)
                        if let answer { deliver(answer) }
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
        (driver, connection, commands, writer) = (nil, nil, [], nil)
    }

    /// Ends a subscription on the server, or doesn't start it if it still waits.
    fileprivate mutating func unsubscribe(_ id: String) {
        let count = commands.count
        commands.removeAll { if case .subscribe(let inbox) = $0 { inbox.id == id } else { false } }
        if commands.count == count { commands.append(.unsubscribe(id)) }
    }
}
