import Godwit
import GodwitTesting
import Synchronization

/// The signed-in sessions and their tokens.
nonisolated final class Accounts: Sendable {
    /// A token response (RFC 6749, section 5.1).
    struct Tokens: Encodable {
        let accessToken: String
        let refreshToken: String
        let expiresIn: Int
        let tokenType = "Bearer"
    }

    private struct Session {
        let user: Int
        let access: String
        let refresh: String
        var expiry: ContinuousClock.Instant
    }

    /// Maximum sessions; the oldest ones end.
    private static let sessionLimit = 1000
    private static let password = "tides"

    private let access: ContentAPIServer.Access
    private let lifetime: Duration
    private let sessions = Mutex<[Session]>([])

    init(_ options: ContentAPIServer.Options) {
        access = options.access
        lifetime = options.accessTokenLifetime
    }

    func signIn(_ name: String, password: String, users: [User]) throws(Problem) -> Tokens {
        guard let user = users.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw Problem.invalid(["name": ["is unknown"]])
        }
        guard password == Self.password else { throw Problem.invalid(["password": ["is wrong"]]) }
        return open(for: user.id)
    }

    /// Replaces the session's tokens. Each refresh token is valid once.
    func refresh(_ token: String) throws(Problem) -> Tokens {
        let session = sessions.withLock { sessions in
            sessions.firstIndex { $0.refresh == token }.map { sessions.remove(at: $0) }
        }
        guard let session else { throw Problem.refusedRefresh }
        return open(for: session.user)
    }

    func signOut(_ request: MockRequest) {
        guard let token = Self.token(of: request) else { return }
        sessions.withLock { $0.removeAll { $0.access == token } }
    }

    func expireAll() {
        sessions.withLock { sessions in
            for index in sessions.indices { sessions[index].expiry = .now }
        }
    }

    func revokeAll() {
        sessions.withLock { $0 = [] }
    }

    /// The user of a request's token; `nil` without a valid token.
    func user(of request: MockRequest) -> Int? {
        guard let token = Self.token(of: request) else { return nil }
        return sessions.withLock { $0.first { $0.access == token && $0.expiry > .now }?.user }
    }

    /// Why a request is refused; `nil` if it is allowed.
    func refusal(of request: MockRequest) -> Problem? {
        if request.path.hasPrefix("/v1/auth/") || user(of: request) != nil { return nil }
        if Self.token(of: request) != nil { return .expiredToken }
        if case .signedIn = access { return .notSignedIn }
        return request.path == "/v1/me" ? .notSignedIn : nil
    }

    private func open(for user: Int) -> Tokens {
        let session = Session(
            user: user, access: Self.random(), refresh: Self.random(), expiry: .now.advanced(by: lifetime))
        sessions.withLock { sessions in
            if sessions.count >= Self.sessionLimit { sessions.removeFirst() }
            sessions.append(session)
        }
        return Tokens(
            accessToken: session.access, refreshToken: session.refresh,
            expiresIn: max(1, Int(lifetime.components.seconds)))
    }

    private static func token(of request: MockRequest) -> String? {
        guard let field = request.fields[.authorization], field.hasPrefix("Bearer ") else { return nil }
        return String(field.dropFirst(7))
    }

    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(generator.next() | 1 << 63, radix: 36) }.joined()
    }
}

nonisolated extension Problem {
    fileprivate static let notSignedIn = Problem(
        status: 401, title: "Not signed in", detail: "This request needs an access token.")
    fileprivate static let expiredToken = Problem(
        status: 401, title: "Token expired", detail: "The access token has expired or was revoked.")
    fileprivate static let refusedRefresh = Problem(
        status: 401, title: "invalid_grant", detail: "The refresh token was used or revoked.", error: "invalid_grant")
}
