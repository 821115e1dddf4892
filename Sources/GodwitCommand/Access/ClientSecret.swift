import Godwit

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
