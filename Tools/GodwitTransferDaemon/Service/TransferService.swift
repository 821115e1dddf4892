#if os(Linux)

import GodwitBackground
import GodwitLibc
import GodwitStorage
import GodwitSupport
import Synchronization

/// The service of `godwit-transferd`: holds the folder's lock, listens, and transfers.
package final class TransferService: Sendable {
    /// Why a service can't start.
    package enum Obstacle: Error, Sendable, Hashable {
        /// Another process serves the folder.
        case isRunning
        /// Another reason.
        case failure(String)
    }

    /// The maximum number of connections; further ones are closed.
    private static let connectionLimit = 64

    private struct State {
        var connections: [ObjectIdentifier: ClientConnection] = [:]
        var isOver = false
    }

    private let lock: DaemonLock
    private let listeners: [LocalListener]
    private let queue: TransferQueue
    private let ending = Waiter<Void>()
    private let state = Mutex(State())

    /// Acquires the folder, continues its jobs, and listens. Blocks while another process hands over.
    package init(_ settings: TransferServiceSettings) throws(Obstacle) {
        let places = settings.places
        var settings = settings
        settings.queuePath = try Self.prepare(places.folder).appending(path: places.queue.lastPathComponent).path
        lock = try ServiceTakeover(settings: settings).lock()
        settings.log = TransferLog(places.log)
        do throws(SQLiteFailure) {
            queue = try TransferQueue(settings) { [ending] in ending.resume() }
        } catch {
            throw .failure(Self.fault(of: places.queue, error))
        }
        listeners = try Self.listeners(settings)
        if let place = queue.damagedQueue { settings.log.note("the queue was damaged, and was renamed to \(place)") }
    }

    private static func fault(of queue: URL, _ error: SQLiteFailure) -> String {
        guard error.isNewer else { return "the queue \(queue.path) can't be used (\(error))" }
        return """
            the queue \(queue.path) was written by a newer godwit-transferd, and is left unchanged; run that version, or \
            choose another folder
            """
    }

    private static func listeners(_ settings: TransferServiceSettings) throws(Obstacle) -> [LocalListener] {
        guard settings.passedSockets.isEmpty else {
            let passed = settings.passedSockets.compactMap { LocalListener(passed: $0) }
            guard passed.count == settings.passedSockets.count else {
                throw .failure("a passed socket (LISTEN_FDS) is not a listening Unix domain socket")
            }
            return passed
        }
        let path = settings.places.socket.path
        guard let listener = LocalListener(path: path) else {
            throw .failure("cannot listen on \(path): \(String(cString: strerror(errno)))")
        }
        return [listener]
    }

    /// Serves until it has been idle for the idle time, or ``stop()``. Then another process can take over.
    package func run() async {
        for listener in listeners {
            guard let thread = SystemThread({ [self] in accept(on: listener) }) else { return }
            thread.detach()
        }
        queue.start()
        let watching = Task { [queue] in await queue.watchPath() }
        await ending.value()
        watching.cancel()
        for listener in listeners { listener.end() }
        let connections = state.withLock { state in
            state.isOver = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.end() }
        await queue.stop()
        lock.release()
    }

    /// Ends the service. The next one continues its jobs.
    package func stop() {
        ending.resume()
    }

    private func accept(on listener: LocalListener) {
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

    /// Creates the folder, and returns its path without symbolic links.
    private static func prepare(_ folder: URL) throws(Obstacle) -> URL {
        let resolved: PrivateFolder
        do throws(NetworkError) {
            resolved = try PrivateFolder(folder).make()
        } catch {
            throw .failure(error.description)
        }
        var status = stat()
        guard stat(folder.path, &status) == 0, status.st_uid == geteuid() else {
            throw .failure("\(folder.path) belongs to another user")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .failure("\(folder.path) is accessible to other users; run chmod 700 on it")
        }
        return URL(filePath: resolved.path, directoryHint: .isDirectory)
    }
}
#endif
