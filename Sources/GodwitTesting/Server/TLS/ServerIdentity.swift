import GodwitCore

/// A server's names, keys and certificates.
struct ServerIdentity: Sendable {
    /// The names in a valid certificate.
    let names: [String]
    /// The authority's certificate in PEM.
    let authority: String
    /// The keys of the chain, the server's own first.
    let pins: [Pin]
    let clientCertificate: ClientCertificate
    let asksClients: Bool
    /// Performs the handshakes.
    let acceptor: any TLSAcceptor
}

/// Performs the TLS handshake on sockets that a server accepted.
protocol TLSAcceptor: Sendable {
    /// Returns the stream once the handshake is done, or why it failed. Blocks until then, or until the socket is
    /// interrupted.
    func accept(_ socket: Socket, _ pipe: WakePipe) -> Result<any ServerStream, HandshakeFailure>
}

/// Why a handshake failed, in a few words.
struct HandshakeFailure: Error, Sendable, Hashable {
    let reason: String
}

extension MockServer.TLS {
    /// Returns the names for the certificate, each once. Throws `.invalidRequest` for one that can't be in it.
    ///
    /// Strict, because OpenSSL parses them from a text in which commas and colons have a meaning.
    func allNames() throws(NetworkError) -> [String] {
        for name in names where !Self.isHost(name) {
            throw NetworkError(
                .invalidRequest(reason: "\"\(name)\" can't be in a certificate; write a host name or an address"),
                phase: .building)
        }
        var seen: Set<String> = []
        return (["localhost", "127.0.0.1", "::1"] + names.map(\.asciiLowercased)).filter { seen.insert($0).inserted }
    }

    private static func isHost(_ name: String) -> Bool {
        let rest = name.hasPrefix("*.") ? name.dropFirst(2) : name[...]
        let isAddress = rest.contains(":") && rest.utf8.count == name.utf8.count
        guard !rest.isEmpty, rest.utf8.count <= 253,
            let url = try? HTTPURL(isAddress ? "https://[\(rest)]/" : "https://\(rest)/")
        else { return false }
        let isPlain = rest.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: isAddress && $0 == UInt8(ascii: ":")
            }
        }
        return isPlain && (isAddress || url.host == String(rest).asciiLowercased)
    }
}

#if !os(Linux)
extension ServerIdentity {
    /// Throws `.unsupported`, because OpenSSL is missing.
    init(_ tls: MockServer.TLS, _: MockServer.Protocols) throws(NetworkError) {
        throw NetworkError(.unsupported(feature: "TLS in MockServer", on: "systems without OpenSSL"), phase: .building)
    }
}
#endif
