#if os(Linux)
import GodwitCore
import GodwitTLS

/// Performs handshakes as the options say.
final class ConfiguredAcceptor: TLSAcceptor {
    private let context: TLSContext
    private let handshake: MockServer.TLS.Handshake

    /// - Parameters:
    ///   - chain: The certificates to send, the server's own first.
    ///   - authority: The authority that signs clients' certificates, in PEM.
    init(
        _ tls: MockServer.TLS, _ protocols: MockServer.Protocols, chain: [IssuedCertificate],
        clientsBy authority: String
    ) throws(NetworkError) {
        handshake = tls.handshake
        let names =
            switch protocols {
            case .http1: ["http/1.1"]
            case .http2AndHTTP1: ["h2", "http/1.1"]
            case .http2: ["h2"]
            }
        context = try TLSContext(
            serving: try TLSIdentity(IssuedCertificate.shown(chain)), protocols: names,
            isTLS12: tls.maximumVersion == .v1_2,
            clientsOf: tls.clientAuthentication == .none ? nil : CertificateList(pem: Data(authority.utf8)),
            isRequired: tls.clientAuthentication == .required)
    }

    func accept(_ socket: Socket, _ pipe: WakePipe) -> Result<any ServerStream, HandshakeFailure> {
        switch handshake {
        case .completes:
            guard let stream = try? TLSStream(context, over: socket) else {
                return .failure(HandshakeFailure(reason: "no memory is left"))
            }
            return stream.handshake().map { stream }
        case .hangs:
            _ = Handoff<Void>(waking: pipe).take(watching: socket)
        case .closes:
            awaitHello(socket)
        case .resets:
            awaitHello(socket)
            socket.resetOnClose()
        case .answersPlainly:
            awaitHello(socket)
            _ = socket.write(Data("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8))
            socket.linger()
        }
        return .failure(HandshakeFailure(reason: "as configured: \(handshake)"))
    }

    /// Waits for the beginning of the ClientHello.
    private func awaitHello(_ socket: Socket) {
        var scratch = [UInt8](repeating: 0, count: 16 << 10)
        _ = scratch.withUnsafeMutableBytes { socket.read(into: $0) }
    }
}

extension ServerIdentity {
    /// Makes the keys, the certificates and the acceptor.
    init(_ tls: MockServer.TLS, _ protocols: MockServer.Protocols) throws(NetworkError) {
        names = try tls.allNames()
        // A client that trusts two servers tells their authorities apart by name.
        let number = String(UInt32.random(in: .min ... .max), radix: 16)
        let authority = try IssuedCertificate("MockServer authority \(number)", .authority, by: nil)
        let chain = try Self.chain(tls, names, authority, number)
        let client = try IssuedCertificate("MockServer client", .client, by: authority)
        self.authority = try authority.pem()
        pins = try chain.all.map { certificate throws(NetworkError) in try certificate.pin() }
        clientCertificate = try IssuedCertificate.shown([client])
        asksClients = tls.clientAuthentication != .none
        acceptor = try ConfiguredAcceptor(tls, protocols, chain: chain.sent, clientsBy: self.authority)
    }

    /// Returns the chain from the server's certificate to its authority, and the part of it to send.
    private static func chain(
        _ tls: MockServer.TLS, _ names: [String], _ authority: IssuedCertificate, _ number: String
    ) throws(NetworkError) -> (all: [IssuedCertificate], sent: [IssuedCertificate]) {
        let role = IssuedCertificate.Role.server(names: alternativeNames(tls, names))
        func server(
            by issuer: IssuedCertificate?, _ validity: IssuedCertificate.Validity = .now
        ) throws(NetworkError) -> IssuedCertificate {
            try IssuedCertificate("MockServer", role, by: issuer, validity)
        }
        switch tls.certificate {
        case .valid, .wrongHost:
            let own = try server(by: authority)
            return ([own, authority], [own])
        case .expired:
            let own = try server(by: authority, .over)
            return ([own, authority], [own])
        case .notYetValid:
            let own = try server(by: authority, .future)
            return ([own, authority], [own])
        case .unknownAuthority:
            let stranger = try IssuedCertificate("Unknown authority \(number)", .authority, by: nil)
            let own = try server(by: stranger)
            return ([own, stranger], [own, stranger])
        case .missingIntermediate:
            let between = try IssuedCertificate("MockServer intermediate \(number)", .authority, by: authority)
            let own = try server(by: between)
            return ([own, between, authority], [own])
        case .selfSigned:
            let own = try server(by: nil)
            return ([own], [own])
        }
    }

    private static func alternativeNames(_ tls: MockServer.TLS, _ names: [String]) -> String {
        if tls.certificate == .wrongHost { return "DNS:wrong-host.invalid" }
        return names.map { name in
            let isAddress = name.contains(":") || name.utf8.last.map { (0x30...0x39).contains($0) } == true
            return isAddress ? "IP:\(name)" : "DNS:\(name)"
        }.joined(separator: ",")
    }
}
#endif
