#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitBackground
import GodwitStorage
import Synchronization

/// The transferring process without its process: holds the folder's lock, listens, and transfers.
package final class TransferService: Sendable {
    /// Why a service cannot begin.
    package enum Obstacle: Error, Sendable, Hashable {
        /// Another one serves the folder.
        case isRunning
        /// In words.
        case failure(String)
    }

    /// More programs at once are let go.
    private static let connectionLimit = 64
    /// How often the lock is tried: one that goes holds it until the last file is written.
    private static let attempts = 500

    private struct State {
        var connections: [ObjectIdentifier: ClientConnection] = [:]
        var isOver = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let lock: DaemonLock
    private let listener: LocalListener
    private let queue: TransferQueue
    private let ending: Ending
    private let state = Mutex(State())

    /// Takes the folder over, with the jobs that are in it, and listens. Blocks while another process lets go of it.
    package init(_ settings: TransferServiceSettings) throws(Obstacle) {
        let places = settings.places
        for folder in [places.folder, places.socketFolder] { try Self.prepare(folder) }
        lock = try Self.lock(places)
        var settings = settings
        settings.log = TransferLog(places.log)
        let ending = Ending()
        self.ending = ending
        do throws(SQLiteFailure) {
            queue = try TransferQueue(settings) { ending.come() }
        } catch {
            throw .failure("the queue \(places.queue.path) cannot be used (SQLite \(error.code))")
        }
        guard let listener = LocalListener(path: places.socket.path) else {
            throw .failure("cannot listen on \(places.socket.path): \(String(cString: strerror(errno)))")
        }
        self.listener = listener
    }

    /// Serves until nothing was to do for long enough, or ``stop()``. Afterwards another process may take over.
    package func run() async {
        guard let thread = SystemThread({ [self] in accept() }) else { return }
        thread.detach()
        queue.start()
        let watching = Task { [queue] in await queue.watchPath() }
        await ending.wait()
        watching.cancel()
        listener.end()
        let connections = state.withLock { state in
            state.isOver = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.end() }
        await queue.stop()
    }

    /// Ends the service; what is under way is taken up by the next one.
    package func stop() {
        ending.come()
    }

    private func accept() {
        while let socket = listener.accepted(lineLimit: TransferCommand.lineLimit) {
            let connection = ClientConnection(socket, queue)
            let isServed = state.withLock { state in
                guard !state.isOver, state.connections.count < Self.connectionLimit else { return false }
                state.connections[ObjectIdentifier(connection)] = connection
                return true
            }
            guard isServed else { continue }
            let thread = SystemThread { [self] in
                connection.serve()
                forget(connection)
            }
            if let thread { thread.detach() } else { forget(connection) }
        }
    }

    private func forget(_ connection: ClientConnection) {
        _ = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    private static func prepare(_ folder: URL) throws(Obstacle) {
        do throws(NetworkError) {
            try PrivateFolder(folder).make()
        } catch {
            throw .failure(error.description)
        }
        var status = stat()
        guard stat(folder.path, &status) == 0, status.st_uid == geteuid() else {
            throw .failure("\(folder.path) belongs to another user")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .failure("\(folder.path) is open to other users; run chmod 700 on it")
        }
    }

    private static func lock(_ places: TransferPlaces) throws(Obstacle) -> DaemonLock {
        for _ in 0..<attempts {
            if let lock = DaemonLock(places.lock) { return lock }
            guard errno == EWOULDBLOCK else {
                throw .failure("cannot lock \(places.lock.path): \(String(cString: strerror(errno)))")
            }
            if LocalSocket.connected(to: places.socket.path, lineLimit: 0) != nil { throw .isRunning }
            usleep(20_000)
        }
        throw .failure("another godwit-transferd holds \(places.lock.path), but does not answer")
    }
}

/// The moment at which a service ends.
private final class Ending: Sendable {
    private struct State {
        var hasCome = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func come() {
        let waiter = state.withLock { state in
            state.hasCome = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state in
                if !state.hasCome { state.waiter = continuation }
                return state.hasCome
            }
            if hasCome { continuation.resume() }
        }
    }
}
#endif
