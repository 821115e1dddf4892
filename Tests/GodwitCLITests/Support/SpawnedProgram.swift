#if canImport(Glibc)
import Glibc
import Godwit
import GodwitTesting
import TestSupport

/// The built `godwit` in a process of its own, with pipes at its standard streams.
final class SpawnedProgram: Sendable {
    /// The binary in the folder of the test bundle; `nil` if it was not built.
    static let path = ChildProgram.built("godwit")?.path

    private let program: ChildProgram
    private let input: Int32
    private let output: Int32
    private let errors: Int32

    /// - Parameters:
    ///   - folder: Where it works; the test's own by default.
    ///   - environment: Variables to set.
    convenience init(_ arguments: [String], in folder: TemporaryFolder? = nil, environment: [String] = []) throws {
        guard let path = Self.path else { throw ChildProgram.CannotSpawn() }
        let shell = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0.url.path] } ?? []
        let variables = environment.isEmpty ? [] : ["/usr/bin/env"] + environment
        try self.init(line: shell + variables + [path] + arguments)
    }

    /// Runs it from a line of the shell, which finds the program in `$0` and the arguments in `$@`.
    convenience init(shell: String, _ arguments: [String]) throws {
        guard let path = Self.path else { throw ChildProgram.CannotSpawn() }
        try self.init(line: ["/bin/sh", "-c", shell, path] + arguments)
    }

    /// Runs any program: its path, and its arguments.
    init(line: [String]) throws {
        let (input, output, errors) = (try Pipe(), try Pipe(), try Pipe())
        (self.input, self.output, self.errors) = (input.writing, output.reading, errors.reading)
        program = try ChildProgram(
            line, ChildProgram.Streams(input: input.reading, output: output.writing, errors: errors.writing))
    }

    private typealias Pipe = ChildProgram.Pipe

    /// Its number, by which the kernel knows it.
    var number: Int32 { program.number }

    func signal(_ number: Int32) {
        program.signal(number)
    }

    /// The names of the shared libraries in its memory.
    var mappedLibraries: Set<String> {
        let maps = String(decoding: Self.readAll(open("/proc/\(program.number)/maps", O_RDONLY)), as: UTF8.self)
        let names = maps.split(separator: "\n").compactMap { $0.split(separator: "/").last.map(String.init) }
        return Set(names.filter { $0.contains(".so") })
    }

    /// Writes to its standard input, and ends it.
    func feed(_ text: String) {
        _ = text.withCString { write(input, $0, strlen($0)) }
        close(input)
    }

    /// Writes to its standard input, and leaves that open. Returns when the program has read all but what a pipe holds.
    func supply(_ data: Data) async {
        await program.waiting { [input] in
            var rest = data[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
            }
        }
    }

    /// Waits for the first byte on its standard output.
    func waitForOutput() async {
        await program.waiting { [output] in
            var byte: UInt8 = 0
            _ = read(output, &byte, 1)
        }
    }

    /// The next line of its standard output.
    func readLine() async -> String {
        await program.waiting { [output] in
            var (line, byte): ([UInt8], UInt8) = ([], 0)
            while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Closes its standard output as a reader does that has seen enough.
    func closeOutput() {
        close(output)
    }

    func standardOutput() async -> Data { await program.waiting { [output] in Self.readAll(output) } }
    func standardError() async -> String {
        String(decoding: await program.waiting { [errors] in Self.readAll(errors) }, as: UTF8.self)
    }

    /// Its exit code, or the negative number of the signal that killed it.
    func exitCode() async -> Int32 { await program.end() }

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
