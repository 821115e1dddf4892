#if os(Linux)
import Glibc
import Godwit
import GodwitBackground
import Synchronization

/// A program in a process of its own, whose standard output is read.
final class Spawned: Sendable {
    struct CannotSpawn: Error {}

    private let process: pid_t
    private let hasEnded = Atomic(false)
    private let output: Int32

    init(_ words: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CannotSpawn() }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var process = pid_t()
        let code = posix_spawn(&process, words[0], &actions, nil, &arguments, environ)
        close(ends[1])
        guard code == 0 else { throw CannotSpawn() }
        (self.process, output) = (process, ends[0])
    }

    deinit {
        close(output)
    }

    /// Waits for something on its standard output.
    func said() async -> String {
        await blocking { [output] in
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &chunk, chunk.count)
            return String(decoding: chunk.prefix(max(0, count)), as: UTF8.self)
        }
    }

    func kill() async {
        Glibc.kill(process, SIGKILL)
        _ = await end()
    }

    /// Its exit code, or the negative number of the signal that killed it.
    func end() async -> Int32 {
        await blocking { [self] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            hasEnded.store(true, ordering: .relaxed)
            return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        }
    }

    /// A test whose time is over kills the program, or it would wait for ever.
    private func blocking<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        await withTaskCancellationHandler {
            await BlockingWork.run(call)
        } onCancel: {
            if !hasEnded.load(ordering: .relaxed) { Glibc.kill(process, SIGKILL) }
        }
    }
}
#endif
