#if canImport(COpenSSL)
import COpenSSL
import GodwitCore

/// OpenSSL's context, which all connections of a server share.
final class TLSContext: TLSAcceptor {
    // Immutable after `init`; freed in `deinit`. OpenSSL locks what connections share.
    private let object: OpenSSLObject
    private let handshake: MockServer.TLS.Handshake

    private var context: OpaquePointer { object.pointer }

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - tls: The user's options.
    ///   - protocols: What ALPN may choose.
    ///   - chain: The certificates to send, the server's own first.
    ///   - authority: The authority that signs clients' certificates.
    init(
        _ tls: MockServer.TLS, _ protocols: MockServer.Protocols, chain: [IssuedCertificate],
        clientsBy authority: IssuedCertificate
    ) throws(NetworkError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw IssuedCertificate.failure("a TLS context") }
        object = OpenSSLObject(pointer: context)
        handshake = tls.handshake
        let newest = tls.maximumVersion == .v1_2 ? TLS1_2_VERSION : TLS1_3_VERSION
        guard SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1,
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(newest), nil) == 1,
            use(chain), ask(tls.clientAuthentication, authority)
        else { throw IssuedCertificate.failure("a TLS context") }
        SSL_CTX_set_alpn_select_cb(context, Self.selector(for: protocols), nil)
    }

    deinit {
        SSL_CTX_free(context)
    }

    func accept(_ socket: Socket, _ pipe: WakePipe) -> Result<any ServerStream, HandshakeFailure> {
        switch handshake {
        case .completes:
            guard let stream = TLSStream(context, over: socket) else {
                return .failure(HandshakeFailure(reason: TLSReason.take()))
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

    private func use(_ chain: [IssuedCertificate]) -> Bool {
        guard let own = chain.first, SSL_CTX_use_certificate(context, own.certificate) == 1,
            SSL_CTX_use_PrivateKey(context, own.key) == 1
        else { return false }
        return chain.dropFirst().allSatisfy {
            SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer($0.certificate)) == 1
        }
    }

    private func ask(_ clients: MockServer.TLS.ClientAuthentication, _ authority: IssuedCertificate) -> Bool {
        // Without a session ID context, OpenSSL refuses to resume the session of a client that showed a certificate.
        let name = Array("godwit".utf8)
        guard SSL_CTX_set_session_id_context(context, name, UInt32(name.count)) == 1 else { return false }
        guard clients != .none else { return true }
        let must = clients == .required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | must, nil)
        return X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.certificate) == 1
            && SSL_CTX_add_client_CA(context, authority.certificate) == 1
    }

    private static func selector(for protocols: MockServer.Protocols) -> SSL_CTX_alpn_select_cb_func {
        switch protocols {
        case .http1: { TLSContext.select(["http/1.1"], $1, $2, $3, $4, $5) }
        case .http2AndHTTP1: { TLSContext.select(["h2", "http/1.1"], $1, $2, $3, $4, $5) }
        case .http2: { TLSContext.select(["h2"], $1, $2, $3, $4, $5) }
        }
    }

    /// Selects the first of the names that the client offers (RFC 7301), and no protocol if it offers none of them. A server for
    /// HTTP/2 alone closes such a connection.
    private static func select(
        _ names: [String], _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ chosenLength: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ length: UInt32,
        _: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard let chosen, let chosenLength, let offered else { return SSL_TLSEXT_ERR_NOACK }
        for name in names {
            var start = 0
            while start < Int(length) {
                let count = Int(offered[start])
                guard start + 1 + count <= Int(length) else { break }
                if UnsafeBufferPointer(start: offered + start + 1, count: count).elementsEqual(name.utf8) {
                    chosen.pointee = offered + start + 1
                    chosenLength.pointee = UInt8(count)
                    return SSL_TLSEXT_ERR_OK
                }
                start += 1 + count
            }
        }
        return SSL_TLSEXT_ERR_NOACK
    }
}

extension ServerIdentity {
    /// Makes the keys, the certificates and OpenSSL's context.
    init(_ tls: MockServer.TLS, _ protocols: MockServer.Protocols) throws(NetworkError) {
        names = try tls.allNames()
        // A client that trusts two servers tells their authorities apart by name.
        let number = String(UInt32.random(in: .min ... .max), radix: 16)
        let authority = try IssuedCertificate("MockServer authority \(number)", .authority, by: nil)
        let chain = try Self.chain(tls, names, authority, number)
        let client = try IssuedCertificate("MockServer client", .client, by: authority)
        self.authority = try authority.pem()
        pins = try chain.all.map { certificate throws(NetworkError) in try certificate.pin() }
        clientCertificate = try client.clientCertificate()
        asksClients = tls.clientAuthentication != .none
        acceptor = try TLSContext(tls, protocols, chain: chain.sent, clientsBy: authority)
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
