public import GodwitCore

extension MockServer {
    /// Chooses the certificate a server shows, what it asks of clients, and what goes wrong in the TLS handshake.
    ///
    /// ```swift
    /// let server = try await MockServer(.tls { $0.certificate = .expired }) { route in
    ///     route.get("/articles/1").reply(json: ["id": 1, "title": "Tides"])
    /// }
    /// let api = APIClient(baseURL: server.url) { $0.tls.trust(server) }
    /// ```
    ///
    /// When it starts, the server makes keys and certificates in memory: an authority, a server certificate and a client
    /// certificate, valid for a year. Every server has its own.
    ///
    /// Linux only, because TLS needs OpenSSL. On other systems the server throws `.unsupported` when it starts.
    public struct TLS: Sendable, Hashable {
        /// The names in the certificate in addition to `localhost`, `127.0.0.1` and `::1`: names, addresses, or
        /// `*.example.com`. A name that can't be in a certificate makes the server throw `.invalidRequest` when it starts.
        public var names: [String] = []

        /// The certificate that the server shows; ``Certificate/valid`` by default.
        public var certificate = Certificate.valid

        /// Whether the server asks clients for a certificate; ``ClientAuthentication/none`` by default.
        public var clientAuthentication = ClientAuthentication.none

        /// The newest supported version of TLS; 1.3 by default. The oldest is 1.2.
        public var maximumVersion = Version.v1_3

        /// How the handshake ends; ``Handshake/completes`` by default.
        public var handshake = Handshake.completes

        /// Creates settings with default values: a valid certificate, and none from clients.
        public init() {}

        /// The certificate that a server shows.
        public enum Certificate: Sendable, Hashable, CaseIterable {
            /// A certificate that the server's authority signed for its names.
            case valid
            /// It expired yesterday.
            case expired
            /// It is valid from tomorrow.
            case notYetValid
            /// It is for `wrong-host.invalid` only.
            case wrongHost
            /// An authority other than ``MockServer/authority`` signed it.
            case unknownAuthority
            /// An intermediate authority signed it, and the server doesn't send the intermediate certificate.
            case missingIntermediate
            /// Its own key signed it.
            case selfSigned
        }

        /// Whether a server asks clients for a certificate (mutual TLS).
        public enum ClientAuthentication: Sendable, Hashable {
            /// It does not ask.
            case none
            /// It asks, and also serves clients without one. A certificate of another authority fails the handshake.
            case optional
            /// It asks, and the handshake fails without a certificate that its authority signed.
            case required
        }

        /// A version of TLS.
        public enum Version: String, Sendable, Hashable, CaseIterable {
            /// TLS 1.2 (RFC 5246).
            case v1_2 = "TLSv1.2"
            /// TLS 1.3 (RFC 8446).
            case v1_3 = "TLSv1.3"
        }

        /// How a handshake ends.
        public enum Handshake: Sendable, Hashable {
            /// It completes as the certificates allow.
            case completes
            /// The server never answers.
            case hangs
            /// The server closes the connection after the client's first message.
            case closes
            /// The server resets the connection after the client's first message.
            case resets
            /// The server answers in plain text, as a server without TLS does.
            case answersPlainly
        }
    }
}

extension MockServer.Options {
    /// Serves https with a certificate that is made when the server starts.
    ///
    /// ```swift
    /// let server = try await MockServer(.tls) { route in route.get("/").reply(.text("hello")) }
    /// let api = APIClient(baseURL: server.url) { $0.tls.trust(server) }
    /// ```
    public static var tls: MockServer.Options { tls { _ in } }

    /// Serves https as the closure says.
    ///
    /// - Parameter configure: Changes the defaults; see ``MockServer/TLS``.
    public static func tls(_ configure: (inout MockServer.TLS) -> Void) -> MockServer.Options {
        var tls = MockServer.TLS()
        configure(&tls)
        var options = MockServer.Options()
        options.tls = tls
        return options
    }
}

extension MockServer {
    /// The certificate of the authority that signs for this server, in PEM; `nil` without TLS.
    ///
    /// For clients other than Godwit's, as in `curl --cacert`. A Godwit client uses `$0.tls.trust(server)`.
    public var authority: String? { identity?.authority }

    /// The pins of the server's chain: the server's own key first, its authority's last. Empty without TLS.
    ///
    /// ```swift
    /// let api = APIClient(baseURL: server.url) {
    ///     $0.tls.trust(server)
    ///     $0.pins["127.0.0.1"] = PinSet(server.pins)
    /// }
    /// ```
    public var pins: [Pin] { identity?.pins ?? [] }

    /// A certificate that the server accepts from clients, with its key; nil without TLS.
    ///
    /// `$0.tls.trust(server)` enters it if the server asks for one. The server refuses another server's.
    public var clientCertificate: ClientCertificate? { identity?.clientCertificate }

    /// The reasons of failed handshakes in OpenSSL's words, oldest first; the last 100.
    ///
    /// ```swift
    /// #expect(server.handshakeFailures == ["tlsv1 alert unknown ca"])
    /// ```
    ///
    /// A client that refuses the server's certificate sends an alert; the server notes it when it arrives.
    public var handshakeFailures: [String] { handshakes.value }
}

extension TLSConfiguration {
    /// Trusts a mock server's authority, for the server's names and addresses only.
    ///
    /// If the server asks for a client certificate, its ``MockServer/clientCertificate`` is entered too. Validation stays
    /// strict: a bad certificate is refused. For a server without TLS this does nothing.
    ///
    /// ```swift
    /// let api = APIClient(baseURL: server.url) { $0.tls.trust(server) }
    /// let transport = try SocketTransport { $0.tls.trust(server) }
    /// ```
    ///
    /// - Parameter server: The server. Trust as many as you like, even if they share a name.
    public mutating func trust(_ server: MockServer) {
        guard let identity = server.identity else { return }
        for name in identity.names {
            if name.hasPrefix("*.") {
                let domain = String(name.dropFirst(2))
                authorities[domain: domain] = authorities[domain: domain].adding(identity.authority)
                if identity.asksClients { clientCertificates[domain: domain] = identity.clientCertificate }
            } else {
                authorities[name] = authorities[name].adding(identity.authority)
                if identity.asksClients { clientCertificates[name] = identity.clientCertificate }
            }
        }
    }
}

extension TrustedAuthorities? {
    /// Adds an authority to those that are trusted. A file that can't be read stays, so that the transport reports it.
    fileprivate func adding(_ authority: String) -> TrustedAuthorities {
        guard let self else { return .only(.pem(authority)) }
        guard let others = try? self.certificates.read() else { return self }
        let all = KeyMaterial.data(others + Data("\n\(authority)".utf8))
        return self.keepsOthers ? .adding(all) : .only(all)
    }
}

extension MockRequest {
    /// The result of a connection's TLS handshake.
    public struct TLS: Sendable, Hashable {
        /// The version of TLS.
        public let version: MockServer.TLS.Version
        /// The certificate that the client showed, in DER; nil if it showed none.
        public let clientCertificate: Data?
    }
}
