import GodwitCore

/// Whom a server is for its clients: its names, keys and certificates.
struct ServerIdentity: Sendable {
    /// The names in the certificate of a server that is as it should be.
    let names: [String]
    /// The authority's certificate in PEM.
    let authority: String
    /// The keys of the chain, the server's own first.
    let pins: [Pin]
    let clientCertificate: ClientCertificate
    let asksClients: Bool
    /// What makes TLS of an accepted socket.
    let acceptor: any TLSAcceptor
}

/// Makes TLS of the sockets that a server accepts.
protocol TLSAcceptor: Sendable {
    /// The stream once the handshake is done, or why it failed. Blocks; an interrupted socket ends it.
    func accept(_ socket: Socket, _ pipe: WakePipe) -> Result<any ServerStream, HandshakeFailure>
}

/// Why a handshake failed, in a few words.
struct HandshakeFailure: Error, Sendable, Hashable {
    let reason: String
}

extension MockServer.TLS {
    /// The names in the certificate, each once, or the fault of one that cannot be in it.
    ///
    /// Strict, as OpenSSL reads them from a text that has commas and colons in roles of their own.
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

#if !canImport(COpenSSL)
extension ServerIdentity {
    /// Throws: there is no OpenSSL on this system.
    init(_ tls: MockServer.TLS) throws(NetworkError) {
        throw NetworkError(.unsupported(feature: "TLS in MockServer", on: "systems without OpenSSL"), phase: .building)
    }
}
#endif
