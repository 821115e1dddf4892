import Godwit
import GodwitOAuth

/// Signs in and saves the token.
struct LoginCommand {
    let arguments: LoginArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        let client = try arguments.secret.client(id: arguments.clientID, command.environment)
        let transport = try command.transport(for: arguments.access)
        try await CommandFailure.run { () async throws(CommandFailure) in
            let oauth = try await CommandFailure.network { () async throws(NetworkError) in
                OAuth2(try await server(over: transport), client: client, over: transport)
            }
            try await save(try await signIn(oauth).token, of: oauth)
        } finally: {
            await transport.shutdown(.cancelling)
        }
        return .success
    }

    private func server(over transport: any HTTPTransport) async throws(NetworkError) -> OAuthServer {
        if let issuer = arguments.issuer { return try await OAuthServer.discover(issuer: issuer, over: transport) }
        return OAuthServer(
            tokenURL: try Self.url(arguments.tokenURL ?? ""),
            authorizationURL: try arguments.authorizationURL.map(Self.url),
            deviceAuthorizationURL: try arguments.deviceURL.map(Self.url))
    }

    private static func url(_ text: String) throws(NetworkError) -> HTTPURL {
        try HTTPRequest(url: text).url
    }

    private func signIn(_ oauth: OAuth2) async throws(CommandFailure) -> OAuthTokenResponse {
        switch arguments.flow {
        case .browser: try await signInByBrowser(oauth)
        case .device: try await signInByDevice(oauth)
        case .clientCredentials:
            try await CommandFailure.network { () async throws(NetworkError) in
                try await oauth.clientCredentials(scopes: arguments.scopes)
            }
        }
    }

    private func signInByBrowser(_ oauth: OAuth2) async throws(CommandFailure) -> OAuthTokenResponse {
        let (redirect, request) = try CommandFailure.network { () throws(NetworkError) in
            let redirect = try LoopbackRedirect()
            let page = redirect.url.absoluteString
            return (redirect, try oauth.authorizationRequest(redirect: page, scopes: arguments.scopes))
        }
        try await command.print("Open this page to sign in:\n\(request.url)\n")
        if arguments.opensBrowser, !Browser.open(request.url) {
            await command.report("could not start a browser; open the page yourself")
        }
        return try await CommandFailure.network { () async throws(NetworkError) in
            try await oauth.token(for: redirect.code(for: request, timeout: arguments.timeout))
        }
    }

    private func signInByDevice(_ oauth: OAuth2) async throws(CommandFailure) -> OAuthTokenResponse {
        let device = try await CommandFailure.network { () async throws(NetworkError) in
            try await oauth.deviceAuthorization(scopes: arguments.scopes)
        }
        let page = TerminalText.escaped(device.verificationURL)
        try await command.print(
            "Open this page on any device, and enter \(TerminalText.escaped(device.userCode)):\n\(page)\n")
        return try await CommandFailure.network { () async throws(NetworkError) in
            try await oauth.token(for: device)
        }
    }

    private func save(_ token: AccessToken, of oauth: OAuth2) async throws(CommandFailure) {
        let scopes = arguments.flow == .clientCredentials ? arguments.scopes : nil
        let record = LoginRecord(oauth, arguments.secret, programScopes: scopes)
        try await record.write(with: token, at: arguments.store)
        try await command.print(
            "Signed in. Use the token with: --token-file \(TerminalText.escaped(arguments.store))\n")
    }
}
