#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore
import Synchronization

/// The way from a session to the transferring process, which it starts where there is none.
final class DaemonLink: TransferLink {
    /// How often a command is sent before its failure is told: the process may be killed, or end for want of work, at
    /// any moment. Every command can be repeated.
    private static let attempts = 5
    /// For so long an answer may take, in seconds.
    private static let patience = 30

    private struct State {
        var socket: LocalSocket?
        /// Counts the calls of ``close()``.
        var era = 0
        var followers: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    let session: String
    private let configuration: BackgroundConfiguration
    private let state = Mutex(State())
    /// One command is under way at a time.
    private let turn = Mutex(())

    init(_ session: String, _ configuration: BackgroundConfiguration) {
        self.session = session
        self.configuration = configuration
    }

    deinit {
        state.withLock(\.socket)?.end()
    }

    /// Sends a command, and returns the answer.
    ///
    /// Throws `.file` where no process can be started, `.invalidRequest` for what it refuses, and
    /// `.transport(.connectionLost)` where it does not answer.
    func send(_ command: TransferCommand) async throws(NetworkError) -> TransferReply {
        let line = try self.line(for: command)
        return try await BlockingWork.run { [self] in
            turn.withLock { _ in result(of: line) }
        }.get()
    }

    func following() -> any TransferFollowing { DaemonFollowing(self) }

    /// A connection of its own, on which the session is open.
    ///
    /// Blocks.
    func connected() throws(NetworkError) -> LocalSocket {
        let places = try places
        if let socket = try open(places) { return socket }
        let code = errno
        guard [ENOENT, ECONNREFUSED, ECONNRESET].contains(code) else {
            throw Self.failure("cannot connect to \(places.socket.path): \(String(cString: strerror(code)))")
        }
        let variables = ProcessInfo.processInfo.environment
        try DaemonLauncher(places: places, configuration: configuration, variables: variables).launch()
        guard let socket = try open(places) else { throw Self.lost }
        return socket
    }

    /// Which of the times between two calls of ``close()`` it is.
    var era: Int { state.withLock(\.era) }

    /// Has somebody told of the next ``close()``.
    func note(_ follower: DaemonFollowing, _ end: @escaping @Sendable () -> Void) {
        state.withLock { $0.followers[ObjectIdentifier(follower)] = end }
    }

    func forget(_ follower: ObjectIdentifier) {
        _ = state.withLock { $0.followers.removeValue(forKey: follower) }
    }

    /// Ends the connection, and all that follow the session.
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

    /// The line of a command. Throws `.invalidRequest` for one that is too long.
    func line(for command: TransferCommand) throws(NetworkError) -> Data {
        guard TransferCommand.isIdentifier(session) else {
            throw Self.refusal("a session's identifier has 1 to 200 bytes of printable ASCII")
        }
        guard let line = try? JSONEncoder().encode(command), line.count <= TransferCommand.lineLimit else {
            throw Self.refusal("the job is too large")
        }
        return line
    }

    /// Reads the answer to a command. Nil where the connection broke. Throws what the process refuses.
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

    private var places: TransferPlaces {
        get throws(NetworkError) {
            if let folder = configuration.directory { return TransferPlaces(folder: folder) }
            return try TransferPlaces(variables: ProcessInfo.processInfo.environment)
        }
    }

    private func result(of line: Data) -> Result<TransferReply, NetworkError> {
        Result { () throws(NetworkError) in try exchange(line) }
    }

    private func exchange(_ line: Data) throws(NetworkError) -> TransferReply {
        for attempt in 0..<Self.attempts {
            if attempt > 1 { usleep(UInt32(20_000 << attempt)) }
            var socket = state.withLock(\.socket)
            if socket == nil { socket = try fresh() }
            guard let socket else { continue }
            if socket.write(line), let reply = try Self.reply(on: socket) { return reply }
            state.withLock { $0.socket = nil }
        }
        throw Self.lost
    }

    /// A new connection, to be kept; nil where it broke, which may be there the next time.
    private func fresh() throws(NetworkError) -> LocalSocket? {
        do throws(NetworkError) {
            let socket = try connected()
            state.withLock { $0.socket = socket }
            return socket
        } catch {
            if case .transport = error.kind { return nil }
            throw error
        }
    }

    /// Connects, and says which session it is. Nil with errno where nobody is there.
    private func open(_ places: TransferPlaces) throws(NetworkError) -> LocalSocket? {
        let path = places.socket.path
        guard let socket = LocalSocket.connected(to: path, lineLimit: TransferReply.lineLimit) else { return nil }
        socket.setPatience(reading: Self.patience, writing: Self.patience)
        let settings = TransferSettings(relaunch: configuration.relaunch)
        guard socket.write(try line(for: .open(session, settings))), try Self.reply(on: socket) != nil else {
            errno = ECONNRESET
            return nil
        }
        return socket
    }

    private static func failure(_ reason: String) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .sending)
    }

    private static func refusal(_ reason: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: reason), phase: .sending)
    }
}
#endif
