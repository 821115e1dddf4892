#if os(Linux)
import Glibc
import GodwitCore
import GodwitTesting

/// `script/apple` in a process of its own: the code for Apple's frameworks against their interfaces.
enum AppleCheck {
    struct CannotSpawn: Error {}

    struct Outcome {
        /// Its exit code, or the negative number of the signal that ended it.
        let status: Int32
        /// What it wrote, errors too.
        let output: String
    }

    /// Whether there is a compiler on the PATH.
    static let isPossible: Bool = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }
    }()

    /// Where the build is that this test is part of.
    static let build: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: bundle).deletingLastPathComponent().path
    }()

    /// Whether that is one of `script/test --sanitize`, for which the check would be the same once more.
    static let isSanitized = build.contains("/sanitize-")

    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs it over the build that this test is part of, behind all other tests in the queue for the processor.
    static func run() async throws -> Outcome {
        let log = URL(filePath: "/tmp/godwit-apple-\(UInt64.random(in: .min ... .max)).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let script = repository.appending(path: "script/apple").path
        let process = try spawn(["/usr/bin/nice", "-n", "10", script, "--build", build], writingTo: log.path)
        let status = await withTaskCancellationHandler {
            await BlockingWork.run { end(of: process) }
        } onCancel: {
            // Its time is over.
            kill(process, SIGKILL)
        }
        return Outcome(status: status, output: try String(contentsOf: log, encoding: .utf8))
    }

    private static func spawn(_ words: [String], writingTo log: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of tasks block signals, and the compilers below would inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var process = pid_t()
        guard posix_spawn(&process, words[0], &actions, &attributes, &arguments, environ) == 0 else {
            throw CannotSpawn()
        }
        return process
    }

    private static func end(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}
#endif
