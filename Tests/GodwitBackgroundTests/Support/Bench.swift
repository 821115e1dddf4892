import Glibc
import Godwit
import GodwitBackground
import GodwitTesting

/// A folder of its own for queue and files; at the end the process that serves it is stopped.
final class Bench: Sendable {
    let folder: URL
    /// The folder of the transferring process.
    var queue: URL { folder.appending(path: "queue") }

    init() throws {
        folder = URL(filePath: "/tmp/godwit-b8-\(UInt32.random(in: .min ... .max))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        if let daemon { kill(daemon, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The program that transfers, as it was built.
    static let program = Bench.built("godwit-transferd")
    static let client = Bench.built("BackgroundClient")

    private static func built(_ name: String) -> URL {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/"
        return URL(filePath: bundle).deletingLastPathComponent().appending(path: name)
    }

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

    func request(_ server: MockServer, _ path: String) throws -> HTTPRequest {
        HTTPRequest(url: try HTTPURL("\(server.url)/\(path)"))
    }

    /// The number of the process that serves the folder, which the kernel knows from the socket; nil for none.
    var daemon: pid_t? {
        LocalSocket.connected(to: TransferPlaces(folder: queue).socket.path, lineLimit: 1000)?.peerProcess
    }
}

extension BackgroundSession {
    /// The first event that is not acknowledged.
    func nextEvent() async throws -> BackgroundEvent? {
        for try await event in events { return event }
        return nil
    }
}
