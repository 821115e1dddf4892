import Glibc
import Godwit
import PeerSupport
import TestSupport
import Testing

/// A TLS server that closes each connection a moment after its answer: `Peers/tls_closer.py`.
final class TLSCloser: Sendable {
    let url: HTTPURL
    private let program: ChildProgram
    private let output: Int32

    /// - Parameter manner: `close` to close the connection, `notify` to only send `close_notify`.
    init(_ manner: String) throws {
        let pipe = try ChildProgram.Pipe()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peers/tls_closer.py")
        let python = ProcessInfo.processInfo.environment["GODWIT_TEST_PYTHON"] ?? "/usr/bin/python3"
        program = try ChildProgram(
            [python, script.path, Nginx.file("localhost.pem").path, Nginx.file("localhost.key").path, manner],
            ChildProgram.Streams(output: pipe.writing))
        output = pipe.reading
        url = try HTTPURL("https://127.0.0.1:\(Self.line(from: output))/")
    }

    deinit {
        program.signal(SIGKILL)
        program.waitForEnd()
        close(output)
    }

    /// Waits until the next connection is closed.
    func waitForClose() async throws {
        let line = await program.waiting { [output] in Self.line(from: output) }
        try #require(line == "closed")
    }

    private static func line(from descriptor: Int32) -> String {
        var text = ""
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != 0x0A { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }
}
