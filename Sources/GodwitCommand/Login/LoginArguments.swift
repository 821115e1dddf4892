import Godwit

/// What the command line of `login` says.
struct LoginArguments: Sendable {
    /// How a token is got.
    enum Flow: Sendable, Hashable {
        case browser, device, clientCredentials
    }

    static let usage = "--client-id ID --store FILE (--issuer URL | --token-url URL …)"
    static let summary = "signs in at an OAuth 2 server, and keeps the token in a file for --token-file"

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

    init(parsing line: ArraySlice<String>) throws(UsageError) {
        var parser = OptionParser(Self.options)
        let words = try parser.parse(line, into: &self)
        if wantsHelp { return }
        if let word = words.first { throw UsageError("\"\(TerminalText.safe(word))\" is no option of login") }
        try check()
    }

    private func check() throws(UsageError) {
        if clientID.isEmpty { throw UsageError("--client-id is missing") }
        if store.isEmpty { throw UsageError("--store is missing: the file for the token") }
        guard issuer == nil else {
            let isTwofold = [authorizationURL, tokenURL, deviceURL].contains { $0 != nil }
            if isTwofold { throw UsageError("--issuer finds the URLs itself; leave the others out") }
            return
        }
        if tokenURL == nil { throw UsageError("--issuer or --token-url is missing") }
        if flow == .browser, authorizationURL == nil { throw UsageError("--authorization-url is missing") }
        if flow == .device, deviceURL == nil { throw UsageError("--device-url is missing") }
    }
}

extension LoginArguments {
    /// The options of `login`, as `--help` shows them.
    static let options = [server, way, keeping]

    private static let server = OptionGroup<Self>(
        title: "Server",
        options: [
            .value("--issuer", of: "URL", help: "asks the server for its endpoints") { $0.issuer = $1 },
            .value("--authorization-url", of: "URL", help: "the page where a person signs in") {
                $0.authorizationURL = $1
            },
            .value("--token-url", of: "URL", help: "where tokens come from") { $0.tokenURL = $1 },
            .value("--device-url", of: "URL", help: "where device codes come from") { $0.deviceURL = $1 },
            .value("--client-id", of: "ID", help: "what the program is registered as") { $0.clientID = $1 },
            .value(
                "--client-secret-file", of: "FILE",
                help: "holds the client's secret, which else comes from \(ClientSecret.variable) or is none"
            ) { $0.secret.file = $1 },
            .flag("--secret-in-form", help: "sends the secret in the form instead of by HTTP Basic") {
                $0.secret.placement = .form
            },
            .value("-x", "--proxy", of: "URL", help: "http, https, socks5 or socks5h; none for no proxy at all") {
                $0.access.proxy = $1
            },
            .value("--cacert", of: "FILE", help: "trusts the authorities in this PEM file, beside the system's") {
                $0.access.authorities = $1
            },
        ])

    private static let way = OptionGroup<Self>(
        title: "Way",
        options: [
            .value("--scope", of: "SCOPE", help: "what the token shall be good for; may be given several times") {
                $0.scopes += $1.split(separator: " ").map(String.init)
            },
            .flag("--device", help: "shows a code to enter on another device") { $0.flow = .device },
            .flag("--client-credentials", help: "signs the program itself in, by its secret") {
                $0.flow = .clientCredentials
            },
            .flag("--open", help: "opens the page in the browser, beside printing it") { $0.opensBrowser = true },
            .value("-m", "--timeout", of: "SECONDS", help: "how long the person may take; 300 by default") {
                arguments, text throws(UsageError) in
                guard let value = Double(text), value.isFinite, value > 0, value < 1e6 else {
                    throw UsageError("--timeout needs a number of seconds above 0")
                }
                arguments.timeout = .seconds(value)
            },
        ])

    private static let keeping = OptionGroup<Self>(
        title: "Keeping",
        options: [
            .value("--store", of: "FILE", help: "keeps the token, readable by its owner alone") { $0.store = $1 },
            .flag("-h", "--help", help: "shows this") { $0.wantsHelp = true },
        ])
}
