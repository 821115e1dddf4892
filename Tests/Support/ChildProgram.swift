#if canImport(Glibc)
import Glibc
package import GodwitCore
import GodwitSupport
import Synchronization

/// A program in a process of its own. A test whose time is over kills it, or the test would wait for it for ever.
package final class ChildProgram: Sendable {
    package struct CannotSpawn: Error {
        package init() {}
    }

    /// What takes the place of its standard streams; this process's own where nothing does.
    package struct Streams {
        package var input: Int32?
        package var output: Int32?
        package var errors: Int32?

        package init(input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil) {
            (self.input, self.output, self.errors) = (input, output, errors)
        }
    }

    /// Both ends of a pipe, of which no other program gets a copy.
    package struct Pipe: Sendable {
        package let reading: Int32
        package let writing: Int32

        package init() throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw CannotSpawn() }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    private let process: pid_t
    private let hasEnded = Atomic(false)

    /// A program that was built beside the tests; nil where it was not.
    package static func built(_ name: String) -> URL? {
        guard let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        let program = URL(filePath: bundle).deletingLastPathComponent().appending(path: name)
        return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - line: Its path, and its arguments.
    ///   - streams: What it reads and writes. The descriptors are closed here: the program has copies.
    package init(_ line: [String], _ streams: Streams = Streams()) throws {
        let ends = Set([streams.input, streams.output, streams.errors].compactMap(\.self))
        defer { for end in ends { close(end) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, end) in [streams.input, streams.output, streams.errors].enumerated() {
            if let end { posix_spawn_file_actions_adddup2(&actions, end, Int32(number)) }
        }
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        guard posix_spawn(&process, line[0], &actions, &attributes, &words, environ) == 0 else { throw CannotSpawn() }
        self.process = process
    }

    /// Runs a program to its end: what it wrote to its standard output, and its exit code.
    package static func output(of line: [String]) async throws -> (text: String, code: Int32) {
        let pipe = try Pipe()
        let child = try ChildProgram(line, Streams(output: pipe.writing))
        let text = await child.waiting {
            var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
            while case let count = read(pipe.reading, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
            close(pipe.reading)
            return String(decoding: text, as: UTF8.self)
        }
        return (text, await child.end())
    }

    /// One that nobody waits for any more is waited for here: what stays of it would keep Swift Testing's exit tests from
    /// hearing of any other.
    deinit {
        guard !hasEnded.load(ordering: .acquiring) else { return }
        SystemThread { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }?.detach()
    }

    /// As from a shell. The threads of tasks block signals, and a program that inherits this cannot be ended by its own
    /// parents; what a script starts in the background ignores interrupts.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    /// Its number, by which the kernel knows it.
    package var number: Int32 { process }

    /// Sends it a signal, unless it has ended.
    package func signal(_ number: Int32) {
        if !hasEnded.load(ordering: .acquiring) { _ = kill(process, number) }
    }

    /// Waits for its end: its exit code, or the negative number of the signal that killed it.
    package func end() async -> Int32 {
        await waiting { [self] in waitForEnd() }
    }

    /// The same, on the caller's thread.
    @discardableResult
    package func waitForEnd() -> Int32 {
        repeat {
            if let code = codeAtEnd(options: 0) { return code }
        } while errno == EINTR
        // Nobody else waits for it, so this does not happen.
        return .min
    }

    /// The same, without waiting; nil where it has not ended.
    package func codeAtEnd() -> Int32? { codeAtEnd(options: WNOHANG) }

    private func codeAtEnd(options: Int32) -> Int32? {
        var status: Int32 = 0
        guard waitpid(process, &status, options) == process else { return nil }
        hasEnded.store(true, ordering: .releasing)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    /// Waits for something that the program does.
    ///
    /// On a thread of its own: the queues' threads are those that tasks run on, and two of them that wait for a program
    /// leave none for the server it talks to.
    package func waiting<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        await withTaskCancellationHandler {
            await BlockingWork.run(call)
        } onCancel: {
            signal(SIGKILL)
        }
    }
}
#endif
