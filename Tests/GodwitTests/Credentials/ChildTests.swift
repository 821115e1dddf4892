#if canImport(Glibc)
import Glibc
import Godwit
import GodwitTesting

/// A suite of this bundle in a process of its own, under another environment.
final class ChildTests: Sendable {
    struct CannotSpawn: Error {}

    /// What this process was told to be; nil in the parent.
    static let role = ProcessInfo.processInfo.environment["GODWIT_TEST_KEYRING"]

    private let process: pid_t
    private let output: Int32
    private let folder: URL

    /// - Parameters:
    ///   - suite: The suite's name.
    ///   - wrapper: A command that runs the command behind it.
    ///   - environment: Variables to set; the home and the session's folders are new ones.
    init(running suite: String, under wrapper: [String], environment: [String]) throws {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(filePath: "/tmp").appending(path: "godwit-child-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let own = ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"].map { "\($0)=\(folder.path)" }
        let line =
            ["/usr/bin/env", "-u", "DBUS_SESSION_BUS_ADDRESS", "-u", "DISPLAY"] + own + environment + wrapper
            + [bundle, "--testing-library", "swift-testing", "--filter", suite]
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CannotSpawn() }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        guard posix_spawn(&process, line[0], &actions, &attributes, &words, environ) == 0 else { throw CannotSpawn() }
        close(ends[1])
        (self.process, output, self.folder) = (process, ends[0], folder)
    }

    /// The threads of tasks block signals, and a child that inherits this cannot be ended by its own parents.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        return attributes
    }

    deinit {
        close(output)
        try? FileManager.default.removeItem(at: folder)
    }

    static func canFind(_ programs: [String]) -> Bool {
        programs.allSatisfy { program in
            ["/usr/bin", "/usr/local/bin", "/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
        }
    }

    /// Its exit code, or the negative number of the signal that killed it, and all it wrote.
    func outcome() async -> (Int32, String) {
        await withCheckedContinuation { continuation in
            let wait = { @Sendable [self] in continuation.resume(returning: waitForEnd()) }
            guard let thread = SystemThread(wait) else { return wait() }
            thread.detach()
        }
    }

    private func waitForEnd() -> (Int32, String) {
        var status: Int32 = 0
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        // What the child leaves behind may hold the pipe open: its own end is what counts.
        var hasEnded = false
        while true {
            var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, hasEnded ? 0 : 50) > 0 {
                let count = read(output, &chunk, chunk.count)
                if count > 0 { text += chunk[..<count] }
                if count > 0 { continue }
            }
            if hasEnded { break }
            hasEnded = waitpid(process, &status, WNOHANG) == process
        }
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        return (code, String(decoding: text, as: UTF8.self))
    }
}
#endif
