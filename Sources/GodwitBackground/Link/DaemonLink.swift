#if os(Linux)

import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// Connects a session to `godwit-transferd`, which it starts if necessary.
final class DaemonLink: TransferLink {
    /// How often a command is sent before it fails, as the process may end at any time. Every command can be repeated.
    private static let attempts = 5
    /// How long a reply may take, in seconds.
    private static let patience = 30

    private struct State {
        var socket: LocalSocket?
        /// Counts the calls of ``close()``.
        var era = 0
        var followers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        /// Whether this link has started a newer process to replace an older one.
        var hasRenewed = false
    }

    let session: String
    private let configuration: BackgroundConfiguration
    private let diagnostics: Diagnostics
    private let state = Mutex(State())
    /// Held while a command is exchanged, on a thread for blocking work.
    private let turn = Mutex(())

    init(_ session: String, _ configuration: BackgroundConfiguration, diagnostics: Diagnostics = .shared) {
        self.session = session
        self.diagnostics = diagnostics
        self.configuration = configuration
    }

    deinit {
        state.withLock(\.socket)?.end()
    }

    /// Sends a command, and returns the reply.
    ///
    /// Throws `.file` if no process can be started, `.invalidRequest` if it rejects the command, and
    /// `.transport(.connectionLost)` if it doesn't answer.
    func send(_ command: TransferCommand) async throws(NetworkError) -> TransferReply {
        let line = try self.line(for: command)
        return try await BlockingWork.run { [self] in
            turn.withLock { _ in result(of: line) }
        }.get()
    }

    func following() -> any TransferFollowing { DaemonFollowing(self) }

    /// Makes a connection and opens the session on it. Blocks.
    func connected() throws(NetworkError) -> LocalSocket {
        let places = try configuration.places
        if let (socket, release) = try open(places) {
            guard release < TransferRelease.current, isFirstRenewal else { return socket }
            // The new process asks the older one to hand over, unless it is as old itself.
            try? launch(places)
            return try open(places)?.socket ?? socket
        }
        let code = errno
        guard [ENOENT, ECONNREFUSED, ECONNRESET].contains(code) else {
            throw Self.failure("cannot connect to \(places.socket.path): \(String(cString: strerror(code)))")
        }
        try launch(places)
        guard let (socket, _) = try open(places) else { throw Self.lost }
        return socket
    }

    private func launch(_ places: TransferPlaces) throws(NetworkError) {
        let variables = ProcessInfo.processInfo.environment
        try DaemonLauncher(places: places, configuration: configuration, variables: variables).launch()
    }

    private var isFirstRenewal: Bool {
        state.withLock { state in
            defer { state.hasRenewed = true }
            return !state.hasRenewed
        }
    }

    /// The number of calls of ``close()`` so far.
    var era: Int { state.withLock(\.era) }

    /// Registers a closure to call at the next ``close()``.
    func note(_ follower: DaemonFollowing, _ end: @escaping @Sendable () -> Void) {
        state.withLock { $0.followers[ObjectIdentifier(follower)] = end }
    }

    func forget(_ follower: ObjectIdentifier) {
        _ = state.withLock { $0.followers.removeValue(forKey: follower) }
    }

    /// Ends the connection and all readers of events.
    func close() {
        let (socket, ends) = state.withLock { state in
            state.era += 1
            defer {
                state.socket = nil
                state.followers = [:]
            }
            return (state.socket, Array(state.followers.values))
        }
        socket?.end()
        for end in ends { end() }
    }

    /// Encodes a command. Throws `.invalidRequest` if it is too long.
    func line(for command: TransferCommand) throws(NetworkError) -> Data {
        guard TransferCommand.isIdentifier(session) else {
            throw Self.refusal("a session's identifier has 1 to 200 bytes of printable ASCII")
        }
        guard let line = try? JSONEncoder().encode(command), line.count <= TransferCommand.lineLimit else {
            throw Self.refusal("the job is too large")
        }
        return line
    }

    /// Reads the reply to a command; `nil` if the connection failed. Throws the process's rejection.
    static func reply(on socket: LocalSocket) throws(NetworkError) -> TransferReply? {
        guard let line = try? socket.line(), let reply = try? JSONDecoder().decode(TransferReply.self, from: line)
        else { return nil }
        switch reply.refusal {
        case nil: return reply
        case let refusal? where refusal.code == .storage: throw failure(refusal.reason)
        case let refusal?: throw self.refusal(refusal.reason)
        }
    }

    static let lost = NetworkError(
        .transport(.connectionLost("godwit-transferd does not answer")), phase: .receiving)

    private func result(of line: Data) -> Result<TransferReply, NetworkError> {
        Result { () throws(NetworkError) in try exchange(line) }
    }

    private func exchange(_ line: Data) throws(NetworkError) -> TransferReply {
        for attempt in 0..<Self.attempts {
            if attempt > 1 { usleep(UInt32(20_000 << attempt)) }
            var socket = state.withLock(\.socket)
            if socket == nil { socket = try reconnected() }
            guard let socket else { continue }
            if socket.write(line), let reply = try Self.reply(on: socket) { return reply }
            state.withLock { $0.socket = nil }
        }
        throw Self.lost
    }

    /// Makes a connection and keeps it; `nil` if it failed, and another attempt may succeed.
    private func reconnected() throws(NetworkError) -> LocalSocket? {
        do throws(NetworkError) {
            let socket = try connected()
            state.withLock { $0.socket = socket }
            return socket
        } catch {
            if case .transport = error.kind { return nil }
            throw error
        }
    }

    /// Connects and opens the session; returns the process's release. `nil` with errno if the connection failed.
    private func open(_ places: TransferPlaces) throws(NetworkError) -> (socket: LocalSocket, release: Int)? {
        let path = places.socket.path
        guard let socket = LocalSocket.connected(to: path, lineLimit: TransferReply.lineLimit) else { return nil }
        socket.setPatience(reading: Self.patience, writing: Self.patience)
        let settings = TransferSettings(relaunch: configuration.relaunch, of: ProcessInfo.processInfo.environment)
        guard socket.write(try line(for: .open(session, settings))), let reply = try Self.reply(on: socket) else {
            errno = ECONNRESET
            return nil
        }
        if let place = reply.damagedQueue {
            let path = places.queue.path
            diagnostics.report(StorageDiagnostic(.transfers, .damaged, path: path, detail: "renamed to \(place)"))
        }
        return (socket, reply.release ?? 1)
    }

    private static func failure(_ reason: String) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .sending)
    }

    private static func refusal(_ reason: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: reason), phase: .sending)
    }
}
#endif
