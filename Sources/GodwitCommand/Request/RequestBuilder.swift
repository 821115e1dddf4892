import Godwit

/// Makes what is sent, and the client that sends it, out of the command line.
struct RequestBuilder {
    let arguments: RequestArguments
    let input: any InputSource
    let clock: any Clock<Duration>
    let diagnostics: Diagnostics

    init(arguments: RequestArguments, of command: Command) {
        self.arguments = arguments
        input = command.input
        clock = command.clock
        diagnostics = command.diagnostics
    }

    /// What the command line asks for, as an endpoint whose base is the URL itself.
    func endpoint() throws(CommandFailure) -> Endpoint<Data> {
        let content = try ContentBuilder(arguments: arguments, input: input).build()
        var endpoint = Endpoint<Data>(
            method: arguments.method ?? (content == nil ? .get : .post), path: "", query: query,
            accept: accept(for: content)
        ) { data, _, _ throws(NetworkError) in data }
        endpoint.body = content
        try addFields(to: &endpoint.fields)
        return endpoint
    }

    /// The names of default fields that are not to be sent.
    func removals() throws(CommandFailure) -> [HTTPField.Name] {
        var names: [HTTPField.Name] = []
        for case .removal(let text) in arguments.items { names.append(try Self.name(text)) }
        return names
    }

    /// A client that does for a request what the options say.
    ///
    /// - Parameter jar: What cookies are kept in; see ``cookieJar()``.
    func client(
        over transport: any HTTPTransport, recording exchanges: [any Middleware], without removals: [HTTPField.Name],
        signingIn login: StoredLogin? = nil, jar: CookieJar?
    ) throws(NetworkError) -> APIClient {
        let cache = try arguments.cache.map { path throws(NetworkError) in
            try CacheSetting.disk(URL(filePath: path, directoryHint: .isDirectory), diagnostics: diagnostics)
        }
        return APIClient(baseURL: arguments.url, transport: transport) { configuration in
            configuration.userAgent = removals.contains(.userAgent) ? nil : "godwit/\(Command.version)"
            configuration.requestIDs = .off
            configuration.timeouts = arguments.timeouts
            configuration.redirects = arguments.redirects
            configuration.authentication = login.map { .credential($0.credential) }
            configuration.retry.maximumAttempts = 1 + arguments.retries
            configuration.cookies = jar.map(CookieSetting.jar) ?? .memory
            configuration.cache = cache ?? .off
            configuration.clock = clock
            // Who types http means it.
            if let url = try? HTTPURL(arguments.url), url.scheme == .http { configuration.plaintextHosts = [url.host] }
            configuration.attemptMiddleware = exchanges
        }
    }

    /// The jar that the options name.
    func cookieJar() throws(NetworkError) -> CookieJar? {
        try arguments.cookieJar.map { path throws(NetworkError) in
            try CookieJar(
                file: CookieFile(URL(fileURLWithPath: path)), suffixes: PublicSuffixList(), diagnostics: diagnostics)
        }
    }

    private var query: QueryItems {
        var query = QueryItems()
        for case .query(let name, let value) in arguments.items { query.append(name, value) }
        return query
    }

    private func accept(for content: RequestBody?) -> String {
        content?.contentType == MediaType.json.essence ? "application/json, */*;q=0.5" : "*/*"
    }

    private func addFields(to fields: inout HTTPFields) throws(CommandFailure) {
        for case .field(let text, let value) in arguments.items {
            let name = try Self.name(text)
            guard let field = HTTPField(name: name, value: value) else {
                throw .usage(UsageError("the value of \(name) holds a line break"))
            }
            fields.append(field)
        }
    }

    private static func name(_ text: String) throws(CommandFailure) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { throw .usage(UsageError("\"\(text)\" is no field name")) }
        return name
    }
}

extension CookieJar {
    /// Writes the file at the end of a command. A failure is the jar's diagnostic, and no failure of the exchange.
    func saveAtEnd() {
        try? save()
    }
}
