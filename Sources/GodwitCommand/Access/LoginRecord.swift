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

/// Where a client's secret comes from: a file, else the environment, and never the command line, which others can see.
struct ClientSecret: Sendable, Hashable {
    /// The variable that may hold it.
    static let variable = "GODWIT_CLIENT_SECRET"

    var file: String?
    var placement = OAuthClient.SecretPlacement.header

    /// The client with its secret, if there is one.
    func client(id: String, _ environment: [String: String]) throws(CommandFailure) -> OAuthClient {
        OAuthClient(id: id, secret: try value(environment), secretIn: placement)
    }

    private func value(_ environment: [String: String]) throws(CommandFailure) -> String? {
        guard let file else { return environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 } }
        // An editor ends the last line.
        let text = try SmallFile.text(file)
        let secret = text.split(whereSeparator: \.isNewline).first.map(String.init)
        guard let secret else { throw .file("\(file) holds no secret") }
        return secret
    }
}
