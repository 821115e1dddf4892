/// What a server asks for by the Digest scheme (RFC 7616 section 3.3).
package struct DigestChallenge: Sendable, Equatable {
    /// What the server calls the space that it protects.
    package let realm: String
    /// What the answer is made with, and is good for.
    package let nonce: String
    /// What the answer repeats as it is; nil where the server sent none.
    package let opaque: String?
    /// The hash to use.
    package let algorithm: DigestAlgorithm
    /// The algorithm as the server spelled it, to be sent back; nil where it did not.
    let algorithmText: String?
    /// Whether the key is made once for a session.
    let isSession: Bool
    /// Whether it takes `qop=auth`; else it speaks RFC 2069, without counters.
    let hasQuality: Bool
    /// Whether the user's name is sent hashed.
    let hashesUser: Bool
    /// Whether the credentials were right and only the nonce was old.
    package let isStale: Bool
    /// The URIs that take the same credentials; empty for all of the server's.
    package let domain: [String]

    /// Nil for another scheme, and for what we cannot answer: a hash we do not have, or `auth-int` alone.
    package init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"],
            let (algorithm, isSession) = DigestAlgorithm.parse(parameters["algorithm"])
        else { return nil }
        let qualities = parameters["qop"].map(Self.words)
        if let qualities, !qualities.contains("auth") { return nil }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        self.isSession = isSession
        hasQuality = qualities != nil
        opaque = parameters["opaque"]
        algorithmText = parameters["algorithm"]
        hashesUser = parameters["userhash"]?.asciiLowercased == "true"
        isStale = parameters["stale"]?.asciiLowercased == "true"
        domain = parameters["domain"].map { $0.split(separator: " ").map(String.init) } ?? []
    }

    private static func words(_ text: String) -> [String] {
        text.asciiLowercased.split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }
}
