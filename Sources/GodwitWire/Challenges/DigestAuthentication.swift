import GodwitSupport

/// The challenge of the Digest scheme (RFC 7616 section 3.3).
package struct DigestChallenge: Sendable, Equatable {
    /// The name of the protection space.
    package let realm: String
    /// The server's nonce.
    package let nonce: String
    /// The value to return unchanged; `nil` if missing.
    let opaque: String?
    /// The hash to use.
    package let algorithm: DigestAlgorithm
    /// The algorithm as the server spelled it, to be returned; `nil` if missing.
    let algorithmText: String?
    /// Whether the key is computed once for a session.
    let isSession: Bool
    /// Whether `qop=auth` is supported; otherwise RFC 2069 without counters applies.
    let hasQuality: Bool
    /// Whether the user name is sent hashed.
    let hashesUser: Bool
    /// Whether the credentials were right and only the nonce was stale.
    package let isStale: Bool
    /// The URIs that accept the same credentials; empty means the whole server.
    package let domain: [String]

    /// `nil` for another scheme, an unsupported hash, or `auth-int` alone.
    package init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"],
            let (algorithm, isSession) = DigestAlgorithm.parse(parameters["algorithm"])
        else { return nil }
        // Some servers write an empty `qop` for none.
        let qualities = parameters["qop"]?.lowercasedWords ?? []
        if !qualities.isEmpty, !qualities.contains("auth") { return nil }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        self.isSession = isSession
        hasQuality = !qualities.isEmpty
        opaque = parameters["opaque"]
        algorithmText = parameters["algorithm"]
        hashesUser = parameters["userhash"]?.asciiLowercased == "true"
        isStale = parameters["stale"]?.asciiLowercased == "true"
        domain = parameters["domain"].map { $0.split(separator: " ").map(String.init) } ?? []
    }
}

/// A hash of HTTP's digest authentication (RFC 7616 section 6.1), weakest first.
package enum DigestAlgorithm: Sendable, Comparable {
    case md5, sha256

    /// Parses `algorithm`, MD5 if missing; `nil` for an unsupported one.
    static func parse(_ text: String?) -> (algorithm: DigestAlgorithm, isSession: Bool)? {
        switch text?.asciiLowercased {
        case nil, "md5": (.md5, false)
        case "md5-sess": (.md5, true)
        case "sha-256": (.sha256, false)
        case "sha-256-sess": (.sha256, true)
        default: nil
        }
    }

    /// The hash of texts joined by colons, in lowercase hexadecimal.
    func hash(_ parts: String...) -> String {
        let bytes = parts.joined(separator: ":").utf8
        let digest = self == .md5 ? MD5.hash(bytes) : SHA256.digest(bytes)
        return Hexadecimal.encode(digest)
    }
}

/// Responses to a Digest challenge, with a counter (RFC 7616 section 3.4).
///
/// The client nonce is constant for a session: the counter makes responses unique, and the key of a `-sess` algorithm
/// is made from the first nonces.
package struct DigestSession: Sendable {
    package private(set) var challenge: DigestChallenge
    private let clientNonce: String
    private var nonce: String
    private var count: UInt32 = 0

    /// - Parameter clientNonce: An unguessable text without quotes and backslashes.
    package init(_ challenge: DigestChallenge, clientNonce: String) {
        self.challenge = challenge
        self.clientNonce = clientNonce
        nonce = challenge.nonce
    }

    /// Reads `Authentication-Info` or `Proxy-Authentication-Info`: a new nonce in it is used from now on, counted from 1 (RFC 7616 section 3.5).
    package mutating func note(authenticationInfo value: String?) {
        guard let value, let next = Self.nextNonce(in: value), next != nonce else { return }
        nonce = next
        count = 0
    }

    /// The value of `Authorization` or `Proxy-Authorization` for the next request.
    ///
    /// - Parameter target: The request's target: path and query for a server; the URL for a proxy, or what CONNECT names.
    package mutating func answer(
        user: String, password: String, method: HTTPMethod, target: some StringProtocol
    ) -> String {
        count &+= 1
        let counter = Hexadecimal.encode(count.bigEndianBytes)
        let key = key(user: user, password: password)
        let question = challenge.algorithm.hash(method.rawValue, String(target))
        let response =
            challenge.hasQuality
            ? challenge.algorithm.hash(key, nonce, counter, clientNonce, "auth", question)
            : challenge.algorithm.hash(key, nonce, question)
        return text(user: user, target: String(target), counter: counter, response: response)
    }

    private func key(user: String, password: String) -> String {
        let key = challenge.algorithm.hash(user, challenge.realm, password)
        return challenge.isSession ? challenge.algorithm.hash(key, challenge.nonce, clientNonce) : key
    }

    private func text(user: String, target: String, counter: String, response: String) -> String {
        var parts = [
            userPart(user), "realm=\(Self.quoted(challenge.realm))", "nonce=\(Self.quoted(nonce))",
            "uri=\(Self.quoted(target))", "response=\"\(response)\"",
        ]
        if let algorithm = challenge.algorithmText { parts.append("algorithm=\(algorithm)") }
        if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
        if challenge.hasQuality { parts += ["qop=auth", "nc=\(counter)"] }
        if challenge.hasQuality || challenge.isSession { parts.append("cnonce=\"\(clientNonce)\"") }
        if challenge.hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    private func userPart(_ user: String) -> String {
        if challenge.hashesUser { return "username=\"\(challenge.algorithm.hash(user, challenge.realm))\"" }
        guard user.utf8.allSatisfy({ $0 < 0x80 }) else {
            return "username*=UTF-8''\(PercentEncoding.encode(user, allowing: .unreserved))"
        }
        return "username=\(Self.quoted(user))"
    }

    private static func quoted(_ text: String) -> String {
        // Scalars: a quote with a combining mark is one character, but not for a parser.
        "\"" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
    }

    /// The field has parameters like those of a challenge, but no scheme.
    private static func nextNonce(in value: String) -> String? {
        AuthenticationChallenge.parse(["info \(value)"]).first?.parameters["nextnonce"]
    }
}
