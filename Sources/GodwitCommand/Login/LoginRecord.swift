import Godwit

/// How a stored token was got, and so how it is replaced: a file beside the token's, without any secret.
struct LoginRecord: Codable {
    let tokenURL: String
    let clientID: String
    let isSecretInForm: Bool
    /// The scopes to ask for again, where the program signed itself in.
    let programScopes: [String]?

    /// The record's file for a token's.
    static func path(for store: String) -> String { "\(store).client" }

    /// The record beside a token; nil where there is none.
    init?(besideTokenAt store: String) throws(CommandFailure) {
        let path = Self.path(for: store)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let record = try? JSONDecoder().decode(Self.self, from: try SmallFile.read(path)) else {
            throw .file("\(path) is not what godwit login wrote; sign in again")
        }
        self = record
    }

    init(_ oauth: OAuth2, _ arguments: LoginArguments) {
        tokenURL = oauth.server.tokenURL.absoluteString
        clientID = oauth.client.id
        isSecretInForm = arguments.secret.placement == .form
        programScopes = arguments.flow == .clientCredentials ? arguments.scopes : nil
    }

    func write(besideTokenAt store: String) throws(CommandFailure) {
        let path = Self.path(for: store)
        do {
            try JSONEncoder().encode(self).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .file("\(path) cannot be written")
        }
    }
}
