import Glibc
package import Godwit
package import GodwitHTTP3
package import GodwitSockets
import TestSupport
package import Testing

/// A server with HTTP/3, HTTP/2 and HTTP/1.1 on one port: `script/servers.d/http3_server.py`.
///
/// Ends when it is released.
package final class H3Peer: Sendable {
    /// What `/hello` returns.
    package struct Hello: Sendable, Codable, Equatable {
        /// `3`, `2` or `1.1`.
        package let version: String
        /// The number of the request on this server.
        package let count: Int
        /// The client's port: that of the relay for HTTP/3.
        package let port: Int
        /// Bytes of the request's body.
        package let received: Int
        /// The request's `Priority`; empty without one.
        package let priority: String
    }

    /// What happens to QUIC's packets.
    package enum Packets: String {
        case open, silent
        /// For good: the port is closed.
        case closed
    }

    /// Whether it can be started, and libcurl has HTTP/3.
    package static var isAvailable: Bool { H2Peer.isAvailable && HTTP3Transport.fault == nil }

    package static let hint: Comment =
        "needs a libcurl with HTTP/3, and the servers: script/test --filter HTTP3 --libcurl newest"

    /// `https://localhost:port`.
    package let origin: String
    private let program: ChildProgram
    private let input: Int32
    private let output: Int32

    /// Starts one.
    ///
    /// - Parameters:
    ///   - certificate: The name of its certificate among the servers'.
    ///   - arguments: Its options, such as `--udp silent`.
    package init(certificate: String = "localhost", _ arguments: String...) throws {
        let python = try #require(H2Peer.python)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../script/servers.d/http3_server.py")
        let output = try ChildProgram.Pipe()
        let input = try ChildProgram.Pipe()
        program = try ChildProgram(
            [
                python, script.path, "--certificate", Nginx.file("\(certificate).pem").path, "--key",
                Nginx.file("\(certificate).key").path,
            ] + arguments, ChildProgram.Streams(input: input.reading, output: output.writing))
        (self.input, self.output) = (input.writing, output.reading)
        let port = try #require(Int(H2Peer.line(from: output.reading)))
        origin = "https://localhost:\(port)"
    }

    deinit {
        close(input)
        close(output)
        program.signal(SIGKILL)
        program.waitForEnd()
    }

    package func at(_ path: String) throws(InvalidURL) -> HTTPURL { try HTTPURL(origin + path) }

    /// Changes what happens to QUIC's packets, in both directions.
    package func pass(_ packets: Packets) {
        let line = packets.rawValue + "\n"
        _ = line.withCString { write(input, $0, line.utf8.count) }
        _ = H2Peer.line(from: output)
    }

    /// A transport that trusts the test authority.
    package func transport(_ configure: (inout HTTP3Configuration) -> Void = { _ in }) throws(NetworkError)
        -> HTTP3Transport
    {
        try HTTP3Transport {
            $0.sockets.additionalAuthorities = Nginx.authorities
            $0.sockets.proxy = .none
            configure(&$0)
        }
    }

    /// The same without HTTP/3.
    package func tcpTransport(_ configure: (inout SocketConfiguration) -> Void = { _ in }) throws(NetworkError)
        -> SocketTransport
    {
        try SocketTransport {
            $0.additionalAuthorities = Nginx.authorities
            $0.proxy = .none
            configure(&$0)
        }
    }
}

extension HTTPTransport {
    /// What the server's `/hello` says, and the metrics.
    package func hello(_ peer: H3Peer) async throws -> (H3Peer.Hello, TransferMetrics) {
        let response = try await get(peer.at("/hello"))
        let hello = try JSONDecoder().decode(H3Peer.Hello.self, from: try await bytes(of: response))
        return (hello, response.metrics)
    }
}
