#if os(Linux)
import Glibc
import GodwitCore
import GodwitTesting

/// A shell in a network namespace of its own, which has nothing but a loopback interface that is down.
final class NamespaceShell: Sendable {
    struct CannotStart: Error {}

    /// The built probe beside the test bundle; nil where it was not built.
    static let probe: String? = {
        guard let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        let path = URL(filePath: bundle).deletingLastPathComponent().appending(path: "path-probe").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Whether this user may make namespaces, and the probe is there.
    static let isPossible: Bool = {
        guard probe != nil, FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else { return false }
        guard let shell = try? NamespaceShell() else { return false }
        shell.run("ip link show lo >/dev/null && echo possible")
        return shell.readLine(within: 5000) == "possible"
    }()

    private let process: pid_t
    private let input: Int32
    private let output: Int32

    init() throws {
        var (toShell, fromShell): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&toShell) == 0, pipe(&fromShell) == 0 else { throw CannotStart() }
        for end in toShell + fromShell { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toShell[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromShell[1], 1)
        let line: [String] = ["/usr/bin/unshare", "-n", "/bin/sh"]
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, "/usr/bin/unshare", &actions, nil, &words, environ)
        close(toShell[0])
        close(fromShell[1])
        guard code == 0 else { throw CannotStart() }
        (self.process, input, output) = (process, toShell[1], fromShell[0])
    }

    deinit {
        // The shell ends with its input, and what it started is killed first.
        run("kill $! 2>/dev/null")
        close(input)
        close(output)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Has the shell run a command; one that goes on stands before `&`.
    func run(_ command: String) {
        let bytes = Array("\(command)\n".utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// The next line of output; nil where none comes within 20 seconds.
    ///
    /// On a thread of its own, as tasks share few.
    func line() async -> String? {
        await withCheckedContinuation { continuation in
            guard let thread = SystemThread({ continuation.resume(returning: self.readLine(within: 20_000)) }) else {
                return continuation.resume(returning: nil)
            }
            thread.detach()
        }
    }

    private func readLine(within milliseconds: Int32) -> String? {
        var bytes: [UInt8] = []
        while true {
            var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            var byte: UInt8 = 0
            guard poll(&wait, 1, milliseconds) == 1, read(output, &byte, 1) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    /// Reads lines until one is as expected; the last one where it does not come.
    func line(as expected: String) async -> String? {
        var last: String?
        while let line = await line() {
            if line == expected { return line }
            last = line
        }
        return last
    }
}
#endif
