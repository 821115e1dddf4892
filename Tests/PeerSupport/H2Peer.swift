import Glibc
import Godwit
import TestSupport
package import Testing

/// The HTTP/2 server that misbehaves on purpose: `Tests/BadNetwork/Peers/h2_peer.py`.
///
/// Ends when it is released.
package final class H2Peer: Sendable {
    /// What all of its connections processed.
    package struct Count: Sendable, Codable, Equatable {
        /// Requests processed.
        package let processed: Int
        /// Different values of their `id`.
        package let distinct: Int
        /// Of those, the ones that were processed more than once.
        package let twice: Int
        /// Requests that came in, processed or not.
        package let seen: Int
        package let connections: Int
        /// Bytes of requests to `/gush`.
        package let received: Int
        /// Bytes written of answers from `/gush`.
        package let written: Int
    }

    /// Whether the peers in Python can be started.
    package static var isAvailable: Bool { python != nil && Nginx.hasCertificates }

    package static let hint: Comment = "needs Python with h2: script/servers start DIR; . DIR/env"

    /// `http://127.0.0.1:port`, for prior knowledge.
    package let plain: String
    /// `https://localhost:port`.
    package let secure: String
    private let program: ChildProgram
    private let input: Int32

    /// Starts one.
    ///
    /// - Parameter arguments: Its options, such as `--requests 20`.
    package init(_ arguments: String...) throws {
        let python = try #require(Self.python)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../BadNetwork/Peers/h2_peer.py")
        let output = try ChildProgram.Pipe()
        let input = try ChildProgram.Pipe()
        program = try ChildProgram(
            [
                python, script.path, "--certificate", Nginx.file("localhost.pem").path, "--key",
                Nginx.file("localhost.key").path,
            ] + arguments, ChildProgram.Streams(input: input.reading, output: output.writing))
        self.input = input.writing
        defer { close(output.reading) }
        let ports = Self.line(from: output.reading).split(separator: " ").compactMap { Int($0) }
        try #require(ports.count == 2)
        plain = "http://127.0.0.1:\(ports[0])"
        secure = "https://localhost:\(ports[1])"
    }

    deinit {
        close(input)
        program.signal(SIGKILL)
        program.waitForEnd()
    }

    /// What was processed so far.
    package func count() async throws -> Count {
        let transport = try SocketTransport {
            $0.additionalAuthorities = Nginx.authorities
            $0.proxy = .none
        }
        let answer = try await transport.get(HTTPURL(secure + "/count"))
        await transport.shutdown(.finishing)
        return try JSONDecoder().decode(Count.self, from: try await bytes(of: answer))
    }

    static var python: String? { ProcessInfo.processInfo.environment["GODWIT_TEST_PYTHON"] }

    static func line(from descriptor: Int32) -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != 0x0A { text.append(byte) }
        return String(decoding: text, as: UTF8.self)
    }
}
