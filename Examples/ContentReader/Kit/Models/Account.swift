public import Godwit

/// A name and a password.
nonisolated public struct Login: Codable, Sendable {
    public var name = ""
    public var password = ""

    public init(name: String = "", password: String = "") {
        (self.name, self.password) = (name, password)
    }
}

/// The tokens of a sign-in (RFC 6749, section 5.1).
nonisolated public struct TokenPair: Decodable, Sendable {
    let accessToken: String
    let refreshToken: String
    let expiresIn: Double

    /// The token to store.
    public var token: AccessToken {
        AccessToken(access: accessToken, refresh: refreshToken, expiry: Date().addingTimeInterval(expiresIn))
    }
}

/// The server's confirmation of an upload.
nonisolated public struct Receipt: Decodable, Sendable, Hashable {
    public let bytes: Int64
}
