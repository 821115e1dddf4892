import Glibc
import Godwit
import GodwitFleet
import PeerSupport
import TestSupport
import Testing

/// A Redis of its own for a test, which can break it. Ends when it is released.
final class RedisPeer: Sendable {
    /// Whether Redis is installed: the environment names the one of `script/servers`.
    static var isAvailable: Bool { variable("GODWIT_TEST_REDIS") != nil && program != nil }

    static let hint: Comment = "needs redis-server: script/servers start DIR; . DIR/env"

    static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    private static var program: String? {
        ["/usr/bin/redis-server", "/usr/local/bin/redis-server"].first { access($0, X_OK) == 0 }
    }

    let port: Int
    private let child: ChildProgram
    private let folder: TemporaryFolder

    var url: String { "redis://127.0.0.1:\(port)" }

    /// Starts one and waits until it listens.
    ///
    /// - Parameters:
    ///   - port: `nil` for a free one.
    ///   - options: More of its options.
    ///   - file: A configuration file to write; a sentinel needs one.
    init(port: Int? = nil, file: String? = nil, _ options: String...) async throws {
        let folder = TemporaryFolder()
        self.folder = folder
        let program = try #require(Self.program)
        let configuration = try file.map { [try folder.file("redis.conf", Data($0.utf8)).path] } ?? []
        let line =
            [program] + configuration + ["--bind", "127.0.0.1", "--save", "", "--dir", folder.url.path] + options
        // Another program may take a free port first.
        for _ in 0..<5 {
            let port = port ?? Self.freePort()
            guard let child = try await Self.start(line, on: port) else { continue }
            (self.port, self.child) = (port, child)
            return
        }
        throw ChildProgram.CannotSpawn()
    }

    /// Returns once it listens; `nil` if it can't.
    private static func start(_ line: [String], on port: Int) async throws -> ChildProgram? {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        let child = try ChildProgram(line + ["--port", "\(port)"], ChildProgram.Streams(output: null))
        for _ in 0..<1000 {
            // Another test's Redis may have taken the port meanwhile, and replies too.
            let reply = try? Command.run(port, "INFO", "server")
            let isOwn = reply?.contains("process_id:\(child.number)\r\n") == true || reply?.hasPrefix("-NOAUTH") == true
            if isOwn { return child }
            if child.codeAtEnd() != nil { return nil }
            try await Task.sleep(for: .milliseconds(25))
        }
        child.signal(SIGKILL)
        child.waitForEnd()
        return nil
    }

    deinit { kill() }

    /// As by a power failure.
    func kill() {
        child.signal(SIGKILL)
        child.waitForEnd()
    }

    /// Stops or continues all of it: as a network partition, its connections stay open.
    func pause(_ isPaused: Bool) { child.signal(isPaused ? SIGSTOP : SIGCONT) }

    /// Runs a command, on a connection of its own.
    @discardableResult
    func run(_ words: String...) throws -> String { try Command.run(port, words) }

    /// Below the kernel's range for outgoing connections, as is the port of a cluster's bus, which is higher by 10,000.
    static func freePort() -> Int {
        while true {
            let port = Int.random(in: 20_000..<22_700)
            // Others than Redis listen here too.
            if Listener.Connection(to: port) == nil { return port }
        }
    }
}

/// A command of Redis from the test, without the code under test: what comes back, as text.
private enum Command {
    struct Failed: Error {}

    static func run(_ port: Int, _ words: String...) throws -> String { try run(port, words) }

    static func run(_ port: Int, _ words: [String]) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard Loopback.connect(descriptor, to: port) == 0 else { throw Failed() }
        let text = "*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        guard send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count else { throw Failed() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failed() }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
