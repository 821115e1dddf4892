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

    /// - Parameter programScopes: The scopes of a program that signed itself in; `nil` if a person did.
    init(_ oauth: OAuth2, _ secret: ClientSecret, programScopes: [String]?) {
        tokenURL = oauth.server.tokenURL.absoluteString
        clientID = oauth.client.id
        isSecretInForm = secret.placement == .form
        self.programScopes = programScopes
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
