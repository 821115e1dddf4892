import Godwit
import GodwitOAuth

/// The token that `godwit login` saved. An expired token is refreshed and saved again.
struct StoredLogin {
    let credential: Credential
    private let tokens: TokenRefresher
    private let transport: any HTTPTransport

    /// Throws `.file` if no token is saved.
    init(at path: String, _ arguments: RequestArguments, of command: Command) throws(CommandFailure) {
        let file = URL(filePath: path)
        // A failed read is an error of the command, so it must not be reported as a diagnostic too.
        try Self.check(FileTokenStore(at: file, diagnostics: Diagnostics()), path)
        let store = FileTokenStore(at: file, diagnostics: command.diagnostics)
        var access = arguments.access
        // The socket belongs to the API's server, not to the authorization server.
        access.unixSocketPath = nil
        let transport = try command.transport(for: access)
        let tokens = try Self.refresher(store, path, arguments.clientSecret, over: transport, command.environment)
        credential = .tokens(tokens)
        self.tokens = tokens
        self.transport = transport
    }

    /// Refreshes the saved token if it has expired.
    func renew() async throws(CommandFailure) {
        _ = try await CommandFailure.network { () async throws(NetworkError) in try await tokens.token() }
    }

    func end() async {
        await transport.shutdown(.cancelling)
    }

    private static func check(_ store: FileTokenStore, _ path: String) throws(CommandFailure) {
        do throws(TokenStoreError) {
            guard try store.load() == nil else { return }
        } catch {
            throw .file(error.description)
        }
        throw .file("\(path) contains no token; sign in with: godwit login --store \(path)")
    }

    private static func refresher(
        _ store: FileTokenStore, _ path: String, _ secret: ClientSecret, over transport: any HTTPTransport,
        _ environment: EnvironmentVariables
    ) throws(CommandFailure) -> TokenRefresher {
        // A record that can't be used is an error before anything is sent.
        _ = try oauth(path, secret, over: transport, environment)
        return TokenRefresher(store: store) { old in
            // Read under the lock of the token: another command may have signed in at another server meanwhile.
            guard let (oauth, scopes) = try oauth(path, secret, over: transport, environment) else {
                throw NetworkError(.unauthorized, phase: .middleware)
            }
            guard let scopes else { return try await oauth.refresh(old).token }
            return try await oauth.clientCredentials(scopes: scopes).token
        }
    }

    /// The server of the saved token, and the scopes of a program that signed in itself; `nil` if no record names a server.
    private static func oauth(
        _ path: String, _ secret: ClientSecret, over transport: any HTTPTransport, _ environment: EnvironmentVariables
    ) throws(CommandFailure) -> (OAuth2, programScopes: [String]?)? {
        guard let record = try LoginRecord(forTokenAt: path), let url = try? HTTPURL(record.tokenURL) else {
            return nil
        }
        var secret = secret
        if record.isSecretInForm { secret.placement = .form }
        let client = try secret.client(id: record.clientID, environment)
        return (OAuth2(OAuthServer(tokenURL: url), client: client, over: transport), record.programScopes)
    }
}

extension Command {
    /// Returns the login that `--token-file` names; `nil` without that option.
    func login(_ arguments: RequestArguments) throws(CommandFailure) -> StoredLogin? {
        guard let path = arguments.tokenFile else { return nil }
        return try StoredLogin(at: path, arguments, of: self)
    }
}
