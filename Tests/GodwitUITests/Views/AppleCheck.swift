#if os(Linux)
import Glibc
import GodwitCore
import TestSupport

/// `script/apple` in a process of its own: the code for Apple's frameworks against their interfaces.
enum AppleCheck {
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
        let output = open(log.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let check = try ChildProgram(
            ["/usr/bin/nice", "-n", "10", script, "--build", build],
            ChildProgram.Streams(output: output, errors: output))
        let status = await check.end()
        return Outcome(status: status, output: try String(contentsOf: log, encoding: .utf8))
    }
}
#endif
