import Godwit
import GodwitOAuth

/// The arguments of `login`.
struct LoginArguments: CommandArguments {
    /// The OAuth 2 grant to use.
    enum Flow: Sendable, Hashable {
        case browser, device, clientCredentials
    }

    static let usage = "login --client-id ID --store FILE (--issuer URL | --token-url URL …)"
    static let summary = "Sign in to an OAuth 2 server and save the token for --token-file"

    var issuer: String?
    var authorizationURL: String?
    var tokenURL: String?
    var deviceURL: String?
    var clientID = ""
    var scopes: [String] = []
    var flow = Flow.browser
    var secret = ClientSecret()
    var store = ""
    var opensBrowser = false
    var timeout = Duration.seconds(300)
    var access = ServerAccess()
    var wantsHelp = false

    mutating func take(_ words: [String]) throws(UsageError) {
        if let word = words.first { throw UsageError("unexpected argument \"\(TerminalText.escaped(word))\"") }
        if clientID.isEmpty { throw UsageError("--client-id is missing") }
        if store.isEmpty { throw UsageError("--store is missing: the file for the token") }
        guard issuer == nil else {
            let isTwofold = [authorizationURL, tokenURL, deviceURL].contains { $0 != nil }
            if isTwofold { throw UsageError("--issuer discovers the URLs; don't pass them too") }
            return
        }
        if tokenURL == nil { throw UsageError("--issuer or --token-url is missing") }
        if flow == .browser, authorizationURL == nil { throw UsageError("--authorization-url is missing") }
        if flow == .device, deviceURL == nil { throw UsageError("--device-url is missing") }
    }

    static let options = [server, flows, output]

    private static let server = OptionGroup<Self>(
        title: "Server",
        options: [
            .value("--issuer", of: "URL", help: "Discover the endpoints of this server") { $0.issuer = $1 },
            .value("--authorization-url", of: "URL", help: "The page where a person signs in") {
                $0.authorizationURL = $1
            },
            .value("--token-url", of: "URL", help: "The token endpoint") { $0.tokenURL = $1 },
            .value("--device-url", of: "URL", help: "The device authorization endpoint") { $0.deviceURL = $1 },
            .value("--client-id", of: "ID", help: "The ID of the registered client") { $0.clientID = $1 },
            .value(
                "--client-secret-file", of: "FILE",
                help: "Contains the client secret. Default: \(ClientSecret.variable), or no secret"
            ) { $0.secret.file = $1 },
            .flag("--secret-in-form", help: "Send the secret in the form instead of with HTTP Basic") {
                $0.secret.placement = .form
            },
            ServerAccess.proxyOption.lifted(to: \.access), ServerAccess.authoritiesOption.lifted(to: \.access),
        ])

    private static let flows = OptionGroup<Self>(
        title: "Sign-in",
        options: [
            .value("--scope", of: "SCOPE", help: "A scope to request. Can be repeated") {
                $0.scopes += $1.split(separator: " ").map(String.init)
            },
            .flag("--device", help: "Show a code to enter on another device") { $0.flow = .device },
            .flag("--client-credentials", help: "Sign in the program itself with its secret") {
                $0.flow = .clientCredentials
            },
            .flag("--open", help: "Also open the page in the browser") { $0.opensBrowser = true },
            .seconds("-m", "--timeout", help: "The time limit for signing in. Default: 300") { $0.timeout = $1 },
        ])

    private static let output = OptionGroup<Self>(
        title: "Output",
        options: [
            .value("--store", of: "FILE", help: "Save the token in this file, readable only by its owner") {
                $0.store = $1
            },
            helpOption,
        ])
}
