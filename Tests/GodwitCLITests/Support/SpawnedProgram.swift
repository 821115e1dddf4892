#if canImport(Glibc)
import Glibc
import Godwit
import GodwitTesting
import Synchronization

/// The built `godwit` in a process of its own, with pipes at its standard streams.
final class SpawnedProgram: Sendable {
    struct CannotSpawn: Error {}

    /// The binary beside the test bundle; nil where it was not built.
    static let path: String? = {
        guard let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        let path = URL(filePath: bundle).deletingLastPathComponent().appending(path: "godwit").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    private let process: pid_t
    private let hasEnded = Atomic(false)
    private let input: Int32
    private let output: Int32
    private let errors: Int32

    /// - Parameters:
    ///   - folder: Where it works; the test's own by default.
    ///   - environment: Variables to set.
    convenience init(_ arguments: [String], in folder: TemporaryFolder? = nil, environment: [String] = []) throws {
        guard let path = Self.path else { throw CannotSpawn() }
        let shell = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0.url.path] } ?? []
        let variables = environment.isEmpty ? [] : ["/usr/bin/env"] + environment
        try self.init(line: shell + variables + [path] + arguments)
    }

    /// Runs it from a line of the shell, which finds the program in `$0` and the arguments in `$@`.
    convenience init(shell: String, _ arguments: [String]) throws {
        guard let path = Self.path else { throw CannotSpawn() }
        try self.init(line: ["/bin/sh", "-c", shell, path] + arguments)
    }

    /// Runs any program: its path, and its arguments.
    init(line: [String]) throws {
        let (input, output, errors) = (try Pipe(), try Pipe(), try Pipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        guard posix_spawn(&process, line[0], &actions, nil, &words, environ) == 0 else { throw CannotSpawn() }
        for descriptor in [input.reading, output.writing, errors.writing] { close(descriptor) }
        (self.process, self.input, self.output, self.errors) = (process, input.writing, output.reading, errors.reading)
    }

    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw CannotSpawn() }
            // Not for the child, which gets copies, nor for the children of later tests.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    func signal(_ number: Int32) {
        kill(process, number)
    }

    /// The names of the shared libraries in its memory.
    var mappedLibraries: Set<String> {
        let maps = String(decoding: Self.readAll(open("/proc/\(process)/maps", O_RDONLY)), as: UTF8.self)
        let names = maps.split(separator: "\n").compactMap { $0.split(separator: "/").last.map(String.init) }
        return Set(names.filter { $0.contains(".so") })
    }

    /// Writes to its standard input, and ends it.
    func feed(_ text: String) {
        _ = text.withCString { write(input, $0, strlen($0)) }
        close(input)
    }

    /// Waits for the first byte on its standard output.
    func waitForOutput() async {
        await blocking { [output] in
            var byte: UInt8 = 0
            _ = read(output, &byte, 1)
        }
    }

    /// Closes its standard output as a reader does that has seen enough.
    func closeOutput() {
        close(output)
    }

    func standardOutput() async -> Data { await blocking { [output] in Self.readAll(output) } }
    func standardError() async -> String {
        String(decoding: await blocking { [errors] in Self.readAll(errors) }, as: UTF8.self)
    }

    /// Its exit code, or the negative number of the signal that killed it.
    func exitCode() async -> Int32 {
        await blocking { [self] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            hasEnded.store(true, ordering: .relaxed)
            return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        }
    }

    /// On a thread of its own: the queues' threads are those that tasks run on, and two of them that wait for a program
    /// leave none for the server it talks to. A test whose time is over kills the program, or it would wait for ever.
    private func blocking<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        await withTaskCancellationHandler {
            await BlockingWork.run(call)
        } onCancel: {
            if !hasEnded.load(ordering: .relaxed) { kill(process, SIGKILL) }
        }
    }

    private static func readAll(_ descriptor: Int32) -> Data {
        var all = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 { all += chunk[..<count] }
            if count == 0 || count < 0 && errno != EINTR { break }
        }
        close(descriptor)
        return all
    }
}
#endif
