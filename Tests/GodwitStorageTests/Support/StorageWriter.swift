#if canImport(Glibc)
import Glibc
import GodwitStorage
import TestSupport
import Testing

/// A process that writes to a store.
final class StorageWriter: Sendable {
    private let program: ChildProgram
    private let output: Int32

    init(_ arguments: [String]) throws {
        let path = try #require(ChildProgram.built("StorageWriter")).path
        let pipe = try ChildProgram.Pipe()
        output = pipe.reading
        program = try ChildProgram([path] + arguments, ChildProgram.Streams(output: pipe.writing))
    }

    /// Kills the process shortly after it has said so many lines, without a chance to do anything about it.
    func kill(afterLines count: Int) async {
        await program.waiting { [program, output] in
            var lines = 0
            var chunk = [UInt8](repeating: 0, count: 64)
            while lines < count {
                let read = read(output, &chunk, chunk.count)
                guard read > 0 || errno == EINTR else { break }
                lines += chunk[..<read].count { $0 == UInt8(ascii: "\n") }
            }
            // Else always at the beginning of what comes next.
            usleep(.random(in: 0...2000))
            program.signal(SIGKILL)
            close(output)
            _ = program.waitForEnd()
        }
    }

    /// Waits for its end; what it has said, and how it ended.
    func end() async -> (text: String, status: Int32) {
        await program.waiting { [program, output] in
            var text = ""
            var chunk = [UInt8](repeating: 0, count: 4096)
            while case let count = read(output, &chunk, chunk.count), count > 0 {
                text += String(decoding: chunk[..<count], as: UTF8.self)
            }
            close(output)
            return (text, program.waitForEnd())
        }
    }
}
#endif
