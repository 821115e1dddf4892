public import Godwit

/// The way to the server that the options name.
public struct ServerAccess: Sendable, Hashable {
    /// A proxy's URL, or `none`; nil leaves it to the environment.
    public var proxy: String?

    /// The path of a unix-domain socket that every connection goes to.
    public var unixSocketPath: String?

    /// The path of a PEM file with authorities to trust beside the system's.
    public var authorities: String?

    /// Whether HTTP/1.1 alone is offered.
    public var onlyHTTP1 = false

    /// Makes the defaults.
    public init() {}
}

#if canImport(GodwitCurl)
extension ServerAccess {
    /// The platform's transport, set up to go this way.
    ///
    /// Throws `.file` where the authorities' file cannot be read, and what ``CurlTransport`` throws.
    public func platformTransport() throws(NetworkError) -> any HTTPTransport {
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw NetworkError(.file(reason: "cannot read \(authorities)"), phase: .building)
        }
        return try CurlTransport { configuration in
            switch proxy {
            case nil: break
            case "none", "": configuration.proxy = .none
            case .some(let url): configuration.proxy = .url(url)
            }
            configuration.unixSocketPath = unixSocketPath
            configuration.additionalAuthorities = authorities.map { URL(filePath: $0) }
            if onlyHTTP1 { configuration.protocols = .http1 }
        }
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
