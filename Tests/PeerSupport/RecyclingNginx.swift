import Glibc
import Godwit
import TestSupport
import Testing

/// An nginx that closes each connection after some requests, and writes down every request that it processed.
///
/// Ends when it is released.
package final class RecyclingNginx: Sendable {
    /// Whether there is one on this machine, and certificates for it.
    package static var isAvailable: Bool { program != nil && Nginx.hasCertificates }

    /// `http://127.0.0.1:port`.
    package let plain: String
    /// `https://localhost:port`, over HTTP/2 if the client speaks it.
    package let secure: String
    private let folder: TemporaryFolder
    private let held: [HeldPort]
    private let process: ChildProgram

    /// Starts one.
    ///
    /// - Parameter requests: How many requests a connection may carry.
    package init(requestsPerConnection requests: Int) async throws {
        folder = TemporaryFolder()
        held = [try HeldPort(), try HeldPort()]
        let ports = (Int(held[0].number), Int(held[1].number))
        plain = "http://127.0.0.1:\(ports.0)"
        secure = "https://localhost:\(ports.1)"
        let file = try folder.file(
            "nginx.conf", Data(Self.configuration(ports, requests, try Self.certificates()).utf8))
        let nginx = try #require(Self.program)
        process = try ChildProgram([nginx, "-p", folder.url.path, "-c", file.path, "-e", "error.log"])
        try await waitUntilReady(ports.0)
    }

    deinit {
        process.signal(SIGTERM)
        process.waitForEnd()
    }

    /// How often each `id` of a query was processed.
    package func processed() throws -> [String: Int] {
        let log = try String(contentsOf: folder.url.appending(path: "access.log"), encoding: .utf8)
        return log.split(separator: "\n").reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    private func waitUntilReady(_ port: Int) async throws {
        for _ in 0..<400 {
            if Listener.Connection(to: port) != nil { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        Issue.record("nginx did not start")
    }

    private static func configuration(_ ports: (Int, Int), _ requests: Int, _ certificates: (String, String)) -> String
    {
        """
        \(getuid() == 0 ? "user root;" : "")
        daemon off;
        worker_processes 1;
        pid nginx.pid;
        error_log error.log;
        events { worker_connections 4000; }
        http {
            log_format id '$arg_id';
            keepalive_requests \(requests);
            client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            server {
                listen 127.0.0.1:\(ports.0);
                listen 127.0.0.1:\(ports.1) ssl http2;
                ssl_certificate \(certificates.0);
                ssl_certificate_key \(certificates.1);
                access_log access.log id;
                location / { return 200 ok; }
            }
        }
        """
    }

    private static func certificates() throws -> (String, String) {
        (try Nginx.file("localhost.pem").path, try Nginx.file("localhost.key").path)
    }

    private static var program: String? {
        ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first { access($0, X_OK) == 0 }
    }
}
