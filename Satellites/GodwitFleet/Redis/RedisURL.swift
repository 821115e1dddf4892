#if os(Linux)
import GodwitCore

/// Where Redis is, and how to log in.
struct RedisURL: Sendable, Hashable {
    struct Address: Sendable, Hashable {
        let host: String
        let port: Int
    }

    struct Login: Sendable, Hashable {
        /// `nil` means the default user.
        let user: String?
        let password: String
    }

    enum Topology: Sendable, Hashable {
        case single(Address)
        /// The sentinels know the current address of the named master.
        case sentinels([Address], master: String)
        /// Any of these knows which node has the fleet's slot.
        case cluster([Address])
    }

    var topology: Topology
    let isEncrypted: Bool
    let login: Login?
    let sentinelLogin: Login?
    let database: Int

    /// The addresses without the password, for diagnostics.
    let addresses: String

    /// Reads `redis://user:password@host:port/database`; see ``Fleet/init(redis:name:_:)``.
    init(_ text: String) throws(NetworkError) {
        let parts = text.split(separator: "://", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw Self.invalid("it has no scheme") }
        let scheme = parts[0].split(separator: "+", maxSplits: 1).map(String.init)
        guard let base = scheme.first, base == "redis" || base == "rediss" else {
            throw Self.invalid("its scheme must be redis, rediss, or one of these with +sentinel or +cluster")
        }
        isEncrypted = base == "rediss"
        let kind = scheme.count == 2 ? scheme[1] : ""
        guard ["", "sentinel", "cluster"].contains(kind) else {
            throw Self.invalid("an unknown suffix follows its scheme: use +sentinel or +cluster, and rediss for TLS")
        }
        let question = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        sentinelLogin = try Self.sentinelLogin(question.count == 2 ? question[1] : nil, kind)
        let rest = question[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let authority = rest[0].split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard authority.count <= 2 else { throw Self.invalid("write @ in a password as %40") }
        login = try Self.login(authority.count == 2 ? authority[0] : "")
        let port = kind == "sentinel" ? 26379 : 6379
        var addresses: [Address] = []
        for text in authority[authority.count - 1].split(separator: ",") {
            addresses.append(try Self.address(text, defaultPort: port))
        }
        guard let first = addresses.first else { throw Self.invalid("it has no host") }
        var path = (rest.count == 2 ? rest[1] : "").split(separator: "/").map(String.init)
        switch kind {
        case "" where addresses.count == 1: topology = .single(first)
        case "sentinel":
            guard !path.isEmpty else { throw Self.invalid("after the sentinels comes the master's name") }
            topology = .sentinels(addresses, master: path.removeFirst())
        case "cluster": topology = .cluster(addresses)
        default: throw Self.invalid("several addresses need +sentinel or +cluster after its scheme")
        }
        guard path.count <= 1, let database = Int(path.first ?? "0"), (0...65535).contains(database) else {
            throw Self.invalid("its path must be the number of a database")
        }
        self.database = database
        self.addresses = addresses.map { "\($0.host):\($0.port)" }.joined(separator: ",")
    }

    private static func login(_ text: String) throws(NetworkError) -> Login? {
        guard !text.isEmpty else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.compactMap { PercentEncoding.decode($0) }
        guard decoded.count == parts.count else { throw invalid("its user or password isn't percent-encoded") }
        // `redis://secret@host` has no user: a name alone would be useless.
        guard decoded.count == 2 else { return Login(user: nil, password: decoded[0]) }
        return Login(user: decoded[0].isEmpty ? nil : decoded[0], password: decoded[1])
    }

    private static func sentinelLogin(_ query: String?, _ kind: String) throws(NetworkError) -> Login? {
        guard let query else { return nil }
        guard kind == "sentinel", query.hasPrefix("sentinel=") else {
            throw invalid("after ? comes only sentinel=user:password, with +sentinel; write ? in a password as %3F")
        }
        return try login(String(query.dropFirst("sentinel=".count)))
    }

    private static func address(_ text: Substring, defaultPort: Int) throws(NetworkError) -> Address {
        var host = text
        var port: Substring?
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            if rest.hasPrefix(":") { port = rest.dropFirst() }
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard let number = port.map({ Int($0) }) ?? defaultPort, (1...65535).contains(number), !host.isEmpty else {
            throw invalid("its address needs a host and a port from 1 to 65535")
        }
        return Address(host: String(host), port: number)
    }

    /// The URL may contain a password, so no part of it is shown.
    private static func invalid(_ reason: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: "the URL of Redis can't be used: \(reason)"), phase: .building)
    }
}
#endif
