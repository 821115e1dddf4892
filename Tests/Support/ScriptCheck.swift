#if os(Linux)
import Glibc
package import GodwitCore

/// A script that type-checks what is not built here (`script/apple`), in a process of its own.
package enum ScriptCheck {
    package struct Outcome: Sendable {
        /// Its exit code, or the negative number of the signal that ended it.
        package let status: Int32
        /// What it wrote, errors too.
        package let output: String
    }

    /// Whether there is a compiler on the PATH.
    package static let isPossible: Bool = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }
    }()

    /// Where the build is that this test is part of.
    package static let build: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: bundle).deletingLastPathComponent().path
    }()

    /// Whether that is one of `script/test --sanitize`, for which the check would be the same once more.
    package static let isSanitized = build.contains("/sanitize-")

    package static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs it at a low priority, as a rule over the build that this test is part of.
    ///
    /// - Parameter environment: All of its variables; nil for those of this process.
    package static func run(
        _ name: String, _ arguments: [String] = ["--build", build], environment: [String: String]? = nil
    ) async throws -> Outcome {
        let log = URL(filePath: "/tmp/godwit-check-\(UInt64.random(in: .min ... .max)).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let script = repository.appending(path: name).path
        let output = open(log.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let variables = environment.map { ["/usr/bin/env", "-i"] + $0.map { "\($0.key)=\($0.value)" } } ?? []
        let check = try ChildProgram(
            ["/usr/bin/nice", "-n", "10"] + variables + [script] + arguments,
            ChildProgram.Streams(output: output, errors: output))
        let status = await check.end()
        return Outcome(status: status, output: try String(contentsOf: log, encoding: .utf8))
    }
}
#endif
