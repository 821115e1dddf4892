#if canImport(Glibc)
import ContentReaderWeb
import Glibc
import Godwit
import TestSupport
import Testing

/// `content-reader --web` as a process of its own.
struct ReaderProgram {
    /// The address of the page.
    let url: String
    private let program: ChildProgram

    init(_ api: HTTPURL, _ folder: URL, _ network: SimulatedNetwork.Condition) async throws {
        let path = try #require(ChildProgram.built("content-reader")).path
        let pipe = try ChildProgram.Pipe()
        program = try ChildProgram(
            [path, "--web", "\(api)", folder.path, network.rawValue], ChildProgram.Streams(output: pipe.writing))
        let output = pipe.reading
        let line = await program.waiting {
            var text: [UInt8] = []
            var byte: UInt8 = 0
            while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(byte) }
            close(output)
            return String(decoding: text, as: UTF8.self)
        }
        url = String(line.split(separator: " ").last ?? "")
    }

    /// Kills it: it has no time to write anything.
    func kill() async {
        program.signal(SIGKILL)
        _ = await program.end()
    }
}
#endif
