public import Godwit
import GodwitSupport

/// The route to the server, as the options describe it.
public struct ServerAccess: Sendable, Hashable {
    /// The URL of a proxy, or `none`; `nil` uses the environment.
    public var proxy: String?

    /// The hosts that are reached without ``proxy``.
    public var proxyExceptions: [String] = []

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

    /// The hosts besides the URL's to which plain http may go, as after a redirect.
    public var plaintextHosts: Set<String> = []

    /// Whether to offer only HTTP/1.1.
    public var onlyHTTP1 = false

    /// Whether to use HTTP/2 without asking the server.
    public var assumesHTTP2 = false

    /// Addresses for hosts instead of those of DNS, by `host:port`.
    public var addresses: [String: [String]] = [:]

    /// Where to connect instead of a URL's host, by `host:port`: `host:port`.
    public var targets: [String: String] = [:]

    /// The values of `Host` that differ from the URL's host, by `host:port`.
    public var hostFields: [String: String] = [:]

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

    static let proxyExceptionsOption = Option<Self>.value(
        "--noproxy", of: "HOSTS", help: "Don't use a proxy for these hosts, with commas between; * is all hosts"
    ) { access, text in
        access.proxyExceptions += text.split(separator: ",").map(String.init)
    }

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

    static let plaintextOption = Option<Self>.value(
        "--allow-http", of: "HOST", help: "Allow plain http to this host too, as after a redirect"
    ) { $0.plaintextHosts.insert($1.lowercased()) }

    /// The options for the route to a server under test.
    static let routeOptions: [Option<Self>] = [
        .flag("--http2", help: "Offer HTTP/2 (the default with https)") { $0.onlyHTTP1 = false },
        .flag("--http2-prior-knowledge", help: "Use HTTP/2 without asking, also with http") { $0.assumesHTTP2 = true },
        .value("--resolve", of: "HOST:PORT:ADDRESS", help: "Use this address, or several with commas, instead of DNS") {
            access, text throws(UsageError) in
            let parts = split(text, max: 2)
            guard parts.count == 3, let port = Int(parts[1]), port > 0 else {
                throw UsageError("--resolve needs HOST:PORT:ADDRESS, not \"\(text)\"")
            }
            let host = parts[0].hasPrefix("+") ? String(parts[0].dropFirst()) : parts[0]
            access.addresses["\(host.lowercased()):\(port)"] = parts[2].split(separator: ",").map { address in
                String(address.hasPrefix("[") && address.hasSuffix("]") ? address.dropFirst().dropLast() : address)
            }
        },
        .value(
            "--connect-to", of: "HOST:PORT:HOST2:PORT2", help: "Connect to HOST2:PORT2 for URLs with HOST:PORT"
        ) { access, text throws(UsageError) in
            let parts = split(text, max: 3)
            guard parts.count == 4, !parts.contains("") else {
                throw UsageError("--connect-to needs HOST:PORT:HOST2:PORT2, not \"\(text)\"")
            }
            access.targets["\(parts[0].lowercased()):\(parts[1])"] = "\(parts[2]):\(parts[3])"
        },
    ]

    /// Splits at colons, but not at those of an IPv6 address in brackets.
    private static func split(_ text: String, max count: Int) -> [String] {
        var parts = [""]
        var isInBrackets = false
        for character in text {
            if character == "[" { isInBrackets = true }
            if character == "]" { isInBrackets = false }
            if character == ":", !isInBrackets, parts.count <= count {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

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

#if os(Linux)
extension ServerAccess {
    /// Returns the platform's transport, configured for this access.
    ///
    /// Throws `.file` if a file can't be read, and what ``SocketTransport`` throws.
    public func platformTransport() throws(NetworkError) -> any HTTPTransport {
        try checkFiles()
        let tls = try tls()
        return try SocketTransport { configuration in
            switch proxy {
            case nil: break
            case "none", "": configuration.proxy = .none
            case .some(let url): configuration.proxy = .url(url, except: proxyExceptions)
            }
            configuration.unixSocketPath = unixSocketPath
            configuration.additionalAuthorities = authorities.map { URL(filePath: $0) }
            configuration.tls = tls
            configuration.addressOverrides = addresses
            configuration.connectionTargets = targets
            configuration.hostFields = hostFields
            if onlyHTTP1 { configuration.protocols = .http1 }
            if assumesHTTP2 { configuration.protocols = .http2PriorKnowledge }
        }
    }

    /// A single pin needs no backup: the user can pass another one.
    private func tls() throws(NetworkError) -> TLSConfiguration {
        var tls = TLSConfiguration()
        guard let host else { return tls }
        if let pin = pins.first { tls.pins[host] = pins.count > 1 ? PinSet(pins) : .withoutBackup(pin) }
        if let certificate {
            let chain = try Self.material(certificate)
            tls.clientCertificates[host] = .pem(
                certificate: chain, key: try key.map { path throws(NetworkError) in try Self.material(path) } ?? chain)
        }
        return tls
    }

    /// A pipe is read once, and here, where an interruption ends the wait: it can have both the certificate and the key.
    private static func material(_ path: String) throws(NetworkError) -> KeyMaterial {
        guard FileKind(at: path) == .special else { return .file(URL(filePath: path)) }
        do throws(StreamDescriptor.Fault) {
            return .data(Data(try StreamDescriptor.contents(of: path) { Interruption.isOver }))
        } catch {
            throw NetworkError(
                error == .cancelled ? .cancelled : .file(reason: "cannot read \(path)"), phase: .building)
        }
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
