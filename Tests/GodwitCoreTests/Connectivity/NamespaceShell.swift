#if os(Linux)
import Glibc
import GodwitCore
import TestSupport

/// A shell in a new network namespace, which has only a loopback interface that is down.
final class NamespaceShell: Sendable {
    /// The probe next to the test bundle; `nil` if it was not built.
    static let probe = ChildProgram.built("path-probe")?.path

    /// Whether this user may make namespaces, and the probe is there.
    static let isPossible: Bool = {
        guard probe != nil, FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else { return false }
        guard let shell = try? NamespaceShell() else { return false }
        shell.run("ip link show lo >/dev/null && echo possible")
        return shell.readLine(within: 5000) == "possible"
    }()

    private let shell: ChildProgram
    private let input: Int32
    private let output: Int32

    init() throws {
        // A socket, because a pipe whose shell has ended, as a user's does at once, would end the tests with SIGPIPE.
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ChildProgram.CannotSpawn()
        }
        let fromShell = try ChildProgram.Pipe()
        input = ends[0]
        output = fromShell.reading
        shell = try ChildProgram(
            ["/usr/bin/unshare", "-n", "/bin/sh"], ChildProgram.Streams(input: ends[1], output: fromShell.writing))
    }

    deinit {
        // The shell ends with its input, and what it started is killed first.
        run("kill $! 2>/dev/null")
        close(input)
        close(output)
        shell.waitForEnd()
    }

    /// Runs a command in the shell. End one that keeps running with `&`.
    func run(_ command: String) {
        let bytes = Array("\(command)\n".utf8)
        _ = send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The next line of output; `nil` after 20 seconds without one.
    func line() async -> String? {
        await shell.waiting { [self] in readLine(within: 20_000) }
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
