#if os(Linux)
import Glibc
import Godwit
import TestSupport

/// A program in a process of its own, whose standard output is read.
final class Spawned: Sendable {
    private let program: ChildProgram
    private let output: Int32

    init(_ words: [String]) throws {
        let pipe = try ChildProgram.Pipe()
        output = pipe.reading
        program = try ChildProgram(words, ChildProgram.Streams(output: pipe.writing))
    }

    deinit {
        close(output)
    }

    /// Waits for something on its standard output.
    func said() async -> String {
        await program.waiting { [output] in
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &chunk, chunk.count)
            return String(decoding: chunk.prefix(max(0, count)), as: UTF8.self)
        }
    }

    func kill() async {
        program.signal(SIGKILL)
        _ = await end()
    }

    /// Its exit code, or the negative number of the signal that killed it.
    func end() async -> Int32 { await program.end() }
}
#endif
