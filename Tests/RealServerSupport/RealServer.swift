public import Godwit
import GodwitLibc
import Synchronization
import TestSupport

/// A server that somebody else made: started for a test on a port of 127.0.0.1, with a folder of its own, and stopped with it.
///
/// `script/setup --servers` installs three of them, `script/setup --real-servers` all.
public final class RealServer: Sendable {
    /// What is started.
    public enum Program: Sendable {
        /// A command of a Debian package.
        case command(String)
        /// Python with these arguments before the server's, if the package is installed.
        case python([String], package: String)
    }

    /// It can't be started, or it ended at once: what it said last.
    public struct DidNotStart: Error, CustomStringConvertible {
        public let description: String
    }

    /// What is a server's own until it is released.
    public struct Place: Sendable {
        /// Where it listens, also once it was started again.
        public let port: Int
        /// A second port, for servers that need one.
        public let otherPort: Int
        /// For its configuration and data; removed at the end.
        public let folder: URL

        /// Writes a file of its folder.
        public func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }

        /// Makes a SQLite database of SQL, by Python.
        public func makeDatabase(_ name: String, _ sql: String) async throws {
            try write(sql, to: "\(name).sql")
            let script = "import sqlite3, sys; sqlite3.connect(sys.argv[2]).executescript(open(sys.argv[1]).read())"
            let file = folder.appending(path: name).path
            _ = try await ChildProgram.output(of: [
                "/usr/bin/env", "python3", "-c", script, "\(file).sql", "\(file).db",
            ])
        }
    }

    public let place: Place
    /// `http://127.0.0.1:port`
    public var url: String { "http://127.0.0.1:\(place.port)" }

    private let held: [HeldPort]
    private let temporary = TemporaryFolder()
    private let line: [String]
    private let running = Mutex<ChildProgram?>(nil)

    /// Whether a test can run: the program is installed, or all have to be.
    public static func isInstalled(_ program: Program) -> Bool {
        ProcessInfo.processInfo.environment["GODWIT_TEST_REAL_SERVERS"] != nil || line(program) != nil
    }

    /// Starts a server, and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - environment: Variables in addition to the test's.
    ///   - arguments: Its arguments. Writes its configuration before.
    public init(
        _ program: Program, environment: [String: String] = [:],
        _ arguments: (Place) async throws -> [String]
    ) async throws {
        held = [try HeldPort(), try HeldPort()]
        place = Place(port: Int(held[0].number), otherPort: Int(held[1].number), folder: temporary.url)
        guard let program = Self.line(program) else { throw DidNotStart(description: "\(program) isn't installed") }
        let variables = environment.map { "\($0)=\($1)" } + ["HOME=\(temporary.url.path)", "PYTHONDONTWRITEBYTECODE=1"]
        line = try await ["/usr/bin/env"] + variables + program + arguments(place)
        try await start()
    }

    deinit {
        running.withLock { $0 }?.signal(SIGKILL)
    }

    /// Starts it once more, after ``stop()``, on the same port and with the same files.
    public func start() async throws {
        let log = temporary.url.appending(path: "log.txt").path
        let ends = (0..<2).map { _ in open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        let child = try ChildProgram(line, ChildProgram.Streams(output: ends[0], errors: ends[1]))
        running.withLock { $0 = child }
        let end = ContinuousClock.now + .seconds(120)
        while !accepts() {
            guard child.codeAtEnd() == nil, ContinuousClock.now < end else {
                throw DidNotStart(description: String(((try? temporary.read("log.txt")) ?? "").suffix(1000)))
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Ends it as a system that shuts down would, after ten seconds by force.
    public func stop() async {
        guard let child = running.withLock({ $0.take() }) else { return }
        child.signal(SIGTERM)
        let force = Task {
            try await Task.sleep(for: .seconds(10))
            child.signal(SIGKILL)
        }
        _ = await child.end()
        force.cancel()
    }

    /// A file of its folder.
    public func text(of file: String) throws -> String { try temporary.read(file) }

    private func accepts() -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        return Loopback.connect(descriptor, to: place.port) == 0
    }

    /// How a program is called; `nil` if it isn't installed.
    private static func line(_ program: Program) -> [String]? {
        switch program {
        case .command(let name):
            // A user's PATH has no sbin, where Debian installs servers.
            ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"].map { "\($0)/\(name)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }.map { [$0] }
        case .python(let arguments, let package):
            ["GODWIT_TEST_PYTHON", "GODWIT_TEST_REAL_PYTHON"].compactMap { ProcessInfo.processInfo.environment[$0] }
                .first { has(package, $0) }.map { [$0] + arguments }
        }
    }

    private static func has(_ package: String, _ python: String) -> Bool {
        let libraries = URL(filePath: python).deletingLastPathComponent().appending(path: "../lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: libraries)) ?? []
        return versions.contains {
            FileManager.default.fileExists(atPath: "\(libraries)/\($0)/site-packages/\(package)/__init__.py")
        }
    }
}
