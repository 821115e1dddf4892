import Glibc
import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

/// A server of HTTP/2 that answers with one body of 3 MB.
///
/// Ends when it is released.
final class BodyServer: Sendable {
    enum Kind: String, Sendable {
        case nghttpd, node, nginx, mockServer

        /// Nil if it isn't on this machine. MockServer needs none.
        var program: String? {
            let places = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]
            return places.map { "\($0)/\(rawValue)" }.first { access($0, X_OK) == 0 }
        }

        var isAvailable: Bool { self == .mockServer || program != nil }
    }

    static let hint: Comment =
        "needs nghttpd, node and nginx: Debian's nghttp2-server and nodejs, script/setup --servers"

    /// What it answers with. Every place differs from those nearby, so that no piece can be lost or swapped unseen.
    static let content: Data = {
        var (piece, state) = (Data(capacity: 65_521), UInt32(1))
        for _ in 0..<65_521 {
            state = state &* 1_664_525 &+ 1_013_904_223
            piece.append(UInt8(truncatingIfNeeded: state >> 24))
        }
        let size = 3_000_000
        var content = Data(capacity: size + 65_521)
        while content.count < size { content.append(piece) }
        return content.prefix(size)
    }()

    let url: HTTPURL
    private let folder: TemporaryFolder?
    private let process: ChildProgram?
    /// Kept while the server is.
    private let mock: MockServer?

    init(_ kind: Kind, isSecure: Bool) async throws {
        guard kind != .mockServer else {
            var options = isSecure ? MockServer.Options.tls : MockServer.Options()
            options.protocols = .http2AndHTTP1
            let server = try await MockServer(options) { $0.any("*").reply(.bytes(Self.content)) }
            (folder, process, mock) = (nil, nil, server)
            url = try server.at("/body")
            return
        }
        let folder = TemporaryFolder()
        let file = try folder.file("body", Self.content)
        let port = try Listener().url.port
        let line = try Self.line(kind, port, file, folder, isSecure: isSecure)
        (self.folder, mock) = (folder, nil)
        process = try ChildProgram([#require(kind.program)] + line)
        url = try HTTPURL("\(isSecure ? "https://localhost" : "http://127.0.0.1"):\(port)/body")
        await eventually { Listener.Connection(to: port) != nil }
    }

    deinit {
        process?.signal(SIGTERM)
        process?.waitForEnd()
    }

    private static func line(
        _ kind: Kind, _ port: Int, _ file: URL, _ folder: TemporaryFolder, isSecure: Bool
    ) throws -> [String] {
        let certificates = isSecure ? try [Nginx.file("localhost.pem").path, Nginx.file("localhost.key").path] : []
        switch kind {
        case .nghttpd:
            return ["--address=127.0.0.1", "--htdocs=\(folder.url.path)"]
                + (isSecure ? ["\(port)"] + certificates.reversed() : ["--no-tls", "\(port)"])
        case .node:
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Peers/h2_bodies.mjs")
            return [script.path, "\(port)", file.path] + certificates
        case .nginx:
            let text = """
                \(getuid() == 0 ? "user root;" : "")
                daemon off;
                worker_processes 1;
                pid nginx.pid;
                error_log error.log;
                events { worker_connections 1000; }
                http {
                    access_log off;
                    client_body_temp_path body_temp; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                    server {
                        listen 127.0.0.1:\(port) \(isSecure ? "ssl" : "") http2;
                        \(isSecure ? "ssl_certificate \(certificates[0]); ssl_certificate_key \(certificates[1]);" : "")
                        root .;
                    }
                }
                """
            let settings = try folder.file("nginx.conf", Data(text.utf8))
            return ["-p", folder.url.path, "-c", settings.path, "-e", "error.log"]
        case .mockServer:
            return []
        }
    }

    /// A transport that trusts it.
    func transport() throws -> any HTTPTransport {
        try Subject.sockets.makeTrusting {
            if url.scheme == .http { $0.versions = .http2PriorKnowledge }
            if let mock { $0.tls.trust(mock) }
        }
    }
}
