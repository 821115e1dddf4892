import Godwit
import GodwitOAuth
import GodwitSupport

/// How a stored token was obtained, which tells how to refresh it. Saved in a separate file next to the token.
///
/// It has no secrets, but names the server that gets the refresh token, so no other user may write it.
struct LoginRecord: Codable, Equatable {
    let tokenURL: String
    let clientID: String
    let isSecretInForm: Bool
    /// The scopes to request again, if the program signed in itself.
    let programScopes: [String]?

    /// The path of the record for a token's file.
    static func path(for store: String) -> String { "\(store).client" }

    /// Reads the record for a token; `nil` without one.
    init?(forTokenAt store: String) throws(CommandFailure) {
        let path = Self.path(for: store)
        guard let data = try SecretFile(path).read() else { return nil }
        guard let record = try? JSONDecoder().decode(Self.self, from: data) else {
            throw .file("\(path) was not written by godwit login; sign in again")
        }
        self = record
    }

    /// - Parameter programScopes: The scopes of a program that signed in itself; `nil` if a person signed in.
    init(_ oauth: OAuth2, _ secret: ClientSecret, programScopes: [String]?) {
        tokenURL = oauth.server.tokenURL.absoluteString
        clientID = oauth.client.id
        isSecretInForm = secret.placement == .form
        self.programScopes = programScopes
    }

    /// Writes the record and its token while no other command uses either.
    ///
    /// At no time does the file of a token lie next to the record of another server, which would get its refresh token.
    func write(with token: AccessToken, at store: String) async throws(CommandFailure) {
        let file = FileTokenStore(at: URL(filePath: store), diagnostics: Diagnostics())
        let lock = try await lock(of: file)
        defer { withExtendedLifetime(lock) {} }
        if (try? LoginRecord(forTokenAt: store)) != self {
            try CommandFailure.tokens { () throws(TokenStoreError) in try file.clear() }
            try write(forTokenAt: store)
        }
        try CommandFailure.tokens { () throws(TokenStoreError) in try file.save(token) }
    }

    /// Waits for a command that refreshes the token.
    private func lock(of file: FileTokenStore) async throws(CommandFailure) -> HeldLock? {
        guard let path = file.lockFile?.path else { return nil }
        do throws(FileLock.Fault) {
            return try await FileLock.wait(patience: .seconds(60), clock: ContinuousClock()) {
                () throws(FileLock.Fault) in try FileLock(at: path).take()
            }
        } catch {
            throw .file(error.text(for: String(path.dropLast(".lock".count)), lock: path))
        }
    }

    private func write(forTokenAt store: String) throws(CommandFailure) {
        let path = Self.path(for: store)
        guard let data = try? JSONEncoder().encode(self) else { throw .file("cannot write \(path)") }
        try SecretFile(path).replace(with: data)
    }
}

/// The source of a client secret: a file or the environment, and never the command line, which other users can read.
struct ClientSecret: Sendable, Hashable {
    /// The environment variable for the secret.
    static let variable = "GODWIT_CLIENT_SECRET"

    var file: String?
    var placement = OAuthClient.SecretPlacement.header

    /// The client with its secret, if there is one.
    func client(id: String, _ environment: EnvironmentVariables) throws(CommandFailure) -> OAuthClient {
        OAuthClient(id: id, secret: try value(environment), secretIn: placement)
    }

    private func value(_ environment: EnvironmentVariables) throws(CommandFailure) -> String? {
        guard let file else { return environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 } }
        // Editors add a line break at the end.
        let text = try SmallFile.unforgeableText(file)
        let secret = text.split(whereSeparator: \.isNewline).first.map(String.init)
        guard let secret else { throw .file("\(file) contains no secret") }
        return secret
    }
}
