public import Godwit

/// The way to the server that the options name.
public struct ServerAccess: Sendable, Hashable {
    /// A proxy's URL, or `none`; nil leaves it to the environment.
    public var proxy: String?

    /// The path of a unix-domain socket that every connection goes to.
    public var unixSocketPath: String?

    /// The path of a PEM file with authorities to trust beside the system's.
    public var authorities: String?

    /// The host that ``pins`` and ``certificate`` are for: the URL's. Redirects to another are neither held to the pins
    /// nor shown the certificate.
    public var host: String?

    /// The keys of which one has to be in the chain of ``host``; empty for any.
    public var pins: [Pin] = []

    /// The path of a PEM file with what ``host`` is shown if it asks who is there.
    public var certificate: String?

    /// The path of a PEM file with the certificate's key; nil where it is in the same file.
    public var key: String?

    /// Whether HTTP/1.1 alone is offered.
    public var onlyHTTP1 = false

    /// Makes the defaults.
    public init() {}
}

#if canImport(GodwitCurl)
extension ServerAccess {
    /// The platform's transport, set up to go this way.
    ///
    /// Throws `.file` where a file cannot be read, and what ``CurlTransport`` throws.
    public func platformTransport() throws(NetworkError) -> any HTTPTransport {
        for path in [authorities, certificate, key].compactMap(\.self) {
            guard !FileManager.default.isReadableFile(atPath: path) else { continue }
            throw NetworkError(.file(reason: "cannot read \(path)"), phase: .building)
        }
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

    /// One pin is enough here: who types it can type another.
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
    /// Throws `.unsupported`: this platform has no transport of its own yet.
    public func platformTransport() throws(NetworkError) -> any HTTPTransport {
        throw NetworkError(.unsupported(feature: "a built-in transport", on: "this platform"), phase: .building)
    }
}
#endif
