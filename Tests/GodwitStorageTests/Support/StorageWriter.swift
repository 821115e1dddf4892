#if canImport(Glibc)
import Glibc
import GodwitStorage
import GodwitTesting
import Testing

/// A process that writes to a store.
final class StorageWriter: Sendable {
    struct CannotSpawn: Error {}

    private let process: pid_t
    private let output: Int32

    init(_ arguments: [String]) throws {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(filePath: bundle).deletingLastPathComponent().appending(path: "StorageWriter").path
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CannotSpawn() }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, nil, &words, environ)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw CannotSpawn()
        }
        (self.process, output) = (process, ends[0])
    }

    /// Kills the process shortly after it has said so many lines, without a chance to do anything about it.
    func kill(afterLines count: Int) async {
        await blocking { [process, output] in
            var lines = 0
            var chunk = [UInt8](repeating: 0, count: 64)
            while lines < count {
                let read = read(output, &chunk, chunk.count)
                guard read > 0 || errno == EINTR else { break }
                lines += chunk[..<read].count { $0 == UInt8(ascii: "\n") }
            }
            // Else always at the beginning of what comes next.
            usleep(.random(in: 0...2000))
            _ = Glibc.kill(process, SIGKILL)
            close(output)
            _ = Self.wait(for: process)
        }
    }

    /// Waits for its end; what it has said, and how it ended.
    func end() async -> (text: String, status: Int32) {
        await blocking { [process, output] in
            var text = ""
            var chunk = [UInt8](repeating: 0, count: 4096)
            while case let count = read(output, &chunk, chunk.count), count > 0 {
                text += String(decoding: chunk[..<count], as: UTF8.self)
            }
            close(output)
            return (text, Self.wait(for: process))
        }
    }

    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// A test whose time is over kills the program, or it would wait for ever.
    private func blocking<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        await withTaskCancellationHandler {
            await BlockingWork.run(call)
        } onCancel: {
            _ = Glibc.kill(process, SIGKILL)
        }
    }
}
#endif
