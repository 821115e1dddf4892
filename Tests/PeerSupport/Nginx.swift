package import Godwit
package import Testing

/// The real server of the suites that need TLS, HTTP/2 or real codings.
///
/// `script/test` starts it. By hand: `script/servers start /tmp/gws; . /tmp/gws/env; swift test --filter ContractTests`.
package enum Nginx: String {
    case http = "HTTP"
    case h2 = "H2"
    case tls1 = "TLS1"
    case wrongHost = "WRONGHOST"
    case expired = "EXPIRED"
    case clientCertificate = "CLIENTCERT"
    case unknownAuthority = "UNKNOWNCA"
    case chained = "CHAINED"
    case selfSigned = "SELFSIGNED"

    /// Whether its addresses are in the environment.
    package static var isRunning: Bool { Self.http.origin != nil && authorities != nil }

    /// Whether it is one that tells of its certificates too, as those of an earlier `script/servers` do not.
    package static var hasCertificates: Bool { isRunning && variable("GODWIT_TEST_CERTIFICATES") != nil }

    package static let hint: Comment = "needs nginx: script/servers start DIR; . DIR/env"

    /// The test authority's certificate.
    package static var authorities: URL? { variable("GODWIT_TEST_CA").map { URL(filePath: $0) } }

    /// A file among the certificates and keys.
    package static func file(_ name: String) throws -> URL {
        URL(filePath: try #require(variable("GODWIT_TEST_CERTIFICATES"))).appending(path: name)
    }

    /// The pin of a certificate's key.
    package static func pin(_ name: String) throws -> Pin {
        let text = try String(contentsOf: file("\(name).pin"), encoding: .utf8)
        return .sha256(text.filter { !$0.isNewline })
    }

    /// The path of its unix-domain socket.
    package static var socket: String? { variable("GODWIT_TEST_NGINX_UNIX") }

    /// `https://127.0.0.1:port`.
    package var origin: String? { Self.variable("GODWIT_TEST_NGINX_\(rawValue)") }

    package func at(_ path: String) throws -> HTTPURL {
        try HTTPURL(#require(origin) + path)
    }

    /// A document, at another of the server's hosts.
    package func document(at host: String) throws -> HTTPURL {
        try HTTPURL("https://\(host):\(at("/").port)/1k.json")
    }

    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name]
    }
}

extension Subject {
    /// A transport that trusts the test authority.
    package func makeTrusting(_ configure: (inout Setup) -> Void = { _ in }) throws(NetworkError) -> any HTTPTransport {
        try make {
            $0.authorities = Nginx.authorities
            configure(&$0)
        }
    }
}
