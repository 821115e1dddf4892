public import Godwit

/// The route to the server, as the options describe it.
public struct ServerAccess: Sendable, Hashable {
    /// The URL of a proxy, or `none`; `nil` uses the environment.
    public var proxy: String?

    /// The path of the unix-domain socket to connect to.
    public var unixSocketPath: String?

    /// The path of a PEM file with additional trusted authorities.
    public var authorities: String?

    /// The host of the URL, to which ``pins`` and ``certificate`` apply. They don't apply to redirects to other hosts.
    public var host: String?

    /// The public keys of which one must be in the certificate chain of ``host``. Empty means any key.
    public var pins: [Pin] = []

    /// The path of a PEM file with the client certificate for ``host``.
    public var certificate: String?

    /// The path of a PEM file with the key of ``certificate``; `nil` if the same file contains it.
    public var key: String?

    /// Whether to offer only HTTP/1.1.
    public var onlyHTTP1 = false

    /// Makes the defaults.
    public init() {}

    /// Throws `.file` if a file can't be read.
    func checkFiles() throws(NetworkError) {
        for path in [authorities, certificate, key].compactMap(\.self)
        where !FileManager.default.isReadableFile(atPath: path) {
            throw NetworkError(.file(reason: "cannot read \(path)"), phase: .building)
        }
    }
}

extension ServerAccess {
    static let proxyOption = Option<Self>.value(
        "-x", "--proxy", of: "URL", help: "Use this proxy (http, https, socks5 or socks5h); none uses no proxy"
    ) { $0.proxy = $1 }

    static let socketOption = Option<Self>.value(
        "--unix-socket", of: "PATH", help: "Connect to a unix-domain socket instead of the URL's host"
    ) { $0.unixSocketPath = $1 }

    static let authoritiesOption = Option<Self>.value(
        "--cacert", of: "FILE", help: "Trust the authorities in this PEM file in addition to the system's"
    ) { $0.authorities = $1 }

    /// The options that apply to one host.
    static let hostOptions: [Option<Self>] = [
        .value(
            "--pin", "--pinnedpubkey", of: "sha256//BASE64",
            help: "Require this public key in the host's certificate chain; with several, any of them"
        ) { access, text throws(UsageError) in
            access.pins += try pins(text)
        },
        .value("-E", "--cert", of: "FILE", help: "Send this client certificate (PEM) if the host asks for one") {
            $0.certificate = $1
        },
        .value("--key", of: "FILE", help: "The key of the certificate (PEM), if it is in a separate file") {
            $0.key = $1
        },
        .flag("--http1", "--http1.1", help: "Offer only HTTP/1.1") { $0.onlyHTTP1 = true },
    ]

    /// One pin, or several separated by semicolons as in curl.
    private static func pins(_ text: String) throws(UsageError) -> [Pin] {
        var pins: [Pin] = []
        for word in text.split(separator: ";") {
            let pin = Pin.sha256(String(word))
            guard word.hasPrefix("sha256/"), pin.isValid else {
                throw UsageError("--pin needs sha256// and the Base64 of a key's SHA-256, not \"\(word)\"")
            }
            pins.append(pin)
        }
        return pins
    }
}

#if canImport(GodwitCurl)
extension ServerAccess {
    /// Returns the platform's transport, configured for this access.
    ///
    /// Throws `.file` if a file can't be read, and what ``CurlTransport`` throws.
    public func platformTransport() throws(NetworkError) -> any HTTPTransport {
        try checkFiles()
        return try CurlTransport { configuration in
            switch proxy {
            case nil: break
            case "none", "": configuration.proxy = .none
            case .some(let url): configuration.proxy = .url(url)
            }
            configuration.unixSocketPath = unixSocketPath
            configuration.additionalAuthorities = authorities.map { URL(filePath: $0) }
            configuration.tls = tls
            if onlyHTTP1 { configuration.protocols = .http1 }
        }
    }

    /// A single pin needs no backup: the user can pass another one.
    private var tls: TLSConfiguration {
        var tls = TLSConfiguration()
        guard let host else { return tls }
        if let pin = pins.first { tls.pins[host] = pins.count > 1 ? PinSet(pins) : .withoutBackup(pin) }
        if let certificate {
            tls.clientCertificates[host] = .pem(
                certificate: .file(URL(filePath: certificate)), key: .file(URL(filePath: key ?? certificate)))
        }
        return tls
    }
}
#else
extension ServerAccess {
    /// Throws `.unsupported`, because the command has no transport for this platform.
    public func platformTransport() throws(NetworkError) -> any HTTPTransport {
        throw NetworkError(.unsupported(feature: "a built-in transport", on: "this platform"), phase: .building)
    }
}
#endif
