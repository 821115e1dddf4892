#if os(Linux)
import Glibc
import Godwit
import GodwitBackground
import GodwitTesting
import GodwitTransferDaemon
import TestSupport
import Testing

/// A folder of its own for queue and files; at the end the process that serves it is killed.
final class Bench: Sendable {
    let folder: URL
    /// The folder of the transferring process.
    var queue: URL { folder.appending(path: "queue") }
    var places: TransferPlaces { TransferPlaces(folder: queue) }

    init() {
        folder = URL(filePath: "/tmp/godwit-b8-\(UInt32.random(in: .min ... .max))", directoryHint: .isDirectory)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        if let daemon, daemon != getpid() { kill(daemon, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The program that transfers, as it was built.
    static let program = built("godwit-transferd")
    static let client = built("BackgroundClient")

    private static func built(_ name: String) -> URL { ChildProgram.built(name) ?? URL(filePath: "/missing/\(name)") }

    func session(
        _ identifier: String = "test", configure: (inout BackgroundConfiguration) -> Void = { _ in }
    ) -> BackgroundSession {
        BackgroundSession(identifier: identifier) {
            $0.directory = queue
            $0.program = Self.program
            configure(&$0)
        }
    }

    func path(_ name: String) -> URL { folder.appending(path: name) }

    func data(_ name: String) -> Data? { try? Data(contentsOf: path(name)) }

    /// How many bytes a file has; nil where there is none.
    func size(_ name: String) -> Int? {
        var status = stat()
        return stat(path(name).path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// How many bytes the ticket of a download says that are there.
    func complete(of name: String) -> Int {
        struct Ticket: Decodable {
            let offset: Int
            let pieces: [[Int]]?
        }
        guard let data = data(".\(name).godwit-ticket"), let ticket = try? JSONDecoder().decode(Ticket.self, from: data)
        else { return 0 }
        return (ticket.pieces ?? []).reduce(ticket.offset) { $0 + $1[1] - $1[0] }
    }

    /// What the queue's files hold.
    var written: String {
        ["", "-wal"].map { ending in
            let data = try? Data(contentsOf: URL(filePath: places.queue.path + ending))
            return String(decoding: data ?? Data(), as: UTF8.self)
        }.joined()
    }

    func write(_ text: String, to name: String) throws -> URL {
        try Data(text.utf8).write(to: path(name))
        return path(name)
    }

    /// The names of what is in it but the queue, hidden files included.
    var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "queue" }.sorted()
        }
    }

    func request(_ server: MockServer, _ path: String) throws -> HTTPRequest {
        HTTPRequest(url: try HTTPURL("\(server.url)\(path)"))
    }

    // MARK: - The process

    /// The number of the process that serves the folder, which the kernel knows from the socket; nil for none.
    var daemon: pid_t? {
        LocalSocket.connected(to: places.socket.path, lineLimit: 1000)?.peerProcess
    }

    /// Kills the process, and returns once it is gone.
    func killDaemon() async {
        guard let daemon else { return }
        kill(daemon, SIGKILL)
        await eventually { self.daemon != daemon }
    }

    /// Serves the folder in this process, with probes of the test's, while work is done.
    func serving<Value: Sendable>(
        _ configure: (inout TransferServiceSettings) -> Void = { _ in }, _ work: () async throws -> Value
    ) async throws -> Value {
        var settings = TransferServiceSettings(places: places, transport: try SocketTransport { _ in })
        settings.relaunchDelay = .zero
        settings.backoff = Backoff(base: .zero)
        configure(&settings)
        let service = try TransferService(settings)
        let running = Task { await service.run() }
        do {
            let value = try await work()
            service.stop()
            await running.value
            return value
        } catch {
            service.stop()
            await running.value
            throw error
        }
    }
}

extension BackgroundSession {
    /// The first event that is not acknowledged.
    func nextEvent() async throws -> BackgroundEvent? {
        for try await event in events { return event }
        return nil
    }

    func state(of id: BackgroundJob.ID) async throws -> BackgroundJob.State? {
        try await jobs().first { $0.id == id }?.state
    }

    func completed(_ id: BackgroundJob.ID) async throws -> Int64? {
        try await jobs().first { $0.id == id }?.completed
    }
}
#endif
