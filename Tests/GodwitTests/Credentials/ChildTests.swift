#if canImport(Glibc)
import Glibc
import Godwit
import TestSupport

/// A suite of this bundle in a process of its own, under another environment.
final class ChildTests: Sendable {
    /// What this process was told to be; nil in the parent.
    static let role = ProcessInfo.processInfo.environment["GODWIT_TEST_KEYRING"]

    private let program: ChildProgram
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
        let pipe = try ChildProgram.Pipe()
        (output, self.folder) = (pipe.reading, folder)
        program = try ChildProgram(line, ChildProgram.Streams(output: pipe.writing, errors: pipe.writing))
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
        await program.waiting { [self] in waitForEnd() }
    }

    private func waitForEnd() -> (Int32, String) {
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        // What the child leaves behind may hold the pipe open: its own end is what counts.
        var code: Int32?
        while true {
            var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, code == nil ? 50 : 0) > 0 {
                let count = read(output, &chunk, chunk.count)
                if count > 0 { text += chunk[..<count] }
                if count > 0 { continue }
            }
            if let code { return (code, String(decoding: text, as: UTF8.self)) }
            code = program.codeAtEnd()
        }
    }
}
#endif
