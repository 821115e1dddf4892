import Godwit

/// Builds the request that the command line describes, and the client that sends it.
struct RequestBuilder {
    let arguments: RequestArguments
    let command: Command
    /// Whether a piped standard input is the body, unless it is empty.
    var takesPipedInput = false
    /// What the session keeps.
    var session: SessionFile?

    init(arguments: RequestArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
    }

    /// Returns the request as an endpoint whose base is the URL itself.
    func endpoint() async throws(CommandFailure) -> Endpoint<Data> {
        try await endpoint { data, _, _ throws(NetworkError) in data }
    }

    /// Returns the request as an endpoint with a response type of the command.
    func endpoint<Value>(
        decode: @escaping Endpoint<Value>.Decode
    ) async throws(CommandFailure) -> Endpoint<Value> {
        let (body, left) = try await bodyInTime()
        var endpoint = Endpoint<Value>(
            method: arguments.method ?? (body == nil ? .get : .post), path: "", query: query, accept: accept(for: body),
            decode: decode)
        endpoint.body = body
        try addFields(to: &endpoint.fields)
        guard let left else { return endpoint }
        return endpoint.options { $0.timeouts.call = left }
    }

    /// The body, and what reading it left of `-m`; `nil` if there is no such limit, or nothing to read.
    private func bodyInTime() async throws(CommandFailure) -> (RequestBody?, left: Duration?) {
        guard let limit = arguments.timeouts.call, arguments.hasBody || takesPipedInput else {
            return (try await body(), nil)
        }
        return try await TimeLimit.run(within: limit, on: command.clock) { () async throws(CommandFailure) in
            try await body()
        }
    }

    private func body() async throws(CommandFailure) -> RequestBody? {
        if takesPipedInput, let piped = try await PipedInput(command: command).body(of: arguments) { return piped }
        return try await BodyBuilder(arguments: arguments, input: command.input).build()
    }

    /// Returns the header fields of the items and the login.
    func fields() throws(CommandFailure) -> HTTPFields {
        var fields = HTTPFields()
        try addFields(to: &fields)
        return fields
    }

    /// The names of default fields that must not be sent.
    func removals() throws(CommandFailure) -> [HTTPField.Name] {
        var names: [HTTPField.Name] = []
        for case .removal(let text) in arguments.items { names.append(try Self.name(text)) }
        return names
    }

    /// Makes a client with its own transport and login.
    ///
    /// - Parameters:
    ///   - observation: What is recorded of the requests; `nil` for nothing.
    ///   - change: Makes another transport of the platform's.
    func open(
        _ observation: Observation? = nil, over change: (any HTTPTransport) -> any HTTPTransport = { $0 }
    ) throws(CommandFailure) -> OpenClient {
        let login = try command.login(arguments)
        let transport = change(try command.transport(for: arguments.access))
        let client = try client(over: transport, observation, signingIn: login, jar: try cookieJar())
        return OpenClient(client: client, transport: transport, login: login, builder: self)
    }

    /// Makes a client that follows the options.
    func client(
        over transport: any HTTPTransport, _ observation: Observation? = nil,
        signingIn login: StoredLogin? = nil, jar: CookieJar? = nil
    ) throws(CommandFailure) -> APIClient {
        let removals = try removals()
        let digest = try digest()
        let hsts = try hstsStore()
        let cache = try CommandFailure.network { () throws(NetworkError) in
            try arguments.cache.map { path throws(NetworkError) in
                try CacheSetting.disk(
                    URL(filePath: path, directoryHint: .isDirectory), diagnostics: command.diagnostics)
            }
        }
        return APIClient(baseURL: arguments.url, transport: transport) { configuration in
            configuration.userAgent = removals.contains(.userAgent) ? nil : "godwit/\(Command.version)"
            configuration.requestIDs = .off
            configuration.timeouts = arguments.timeouts
            configuration.redirects = arguments.redirects
            if let digest { configuration.challenges = Challenges { $0.failureCount == 0 ? digest : nil } }
            configuration.authentication = login.map { .credential($0.credential) }
            configuration.retry.maximumAttempts = 1 + arguments.retries
            configuration.cookies = .jar(jar ?? CookieJar(suffixes: PublicSuffixList()))
            configuration.cache = cache ?? .off
            if let hsts { configuration.hsts = .store(hsts) }
            configuration.clock = command.clock
            configuration.plaintextHosts = arguments.access.plaintextHosts
            // A user who types http allows it for this host. This machine needs no permission, and through a proxy it is
            // another one.
            if let url = try? HTTPURL(arguments.url), url.scheme == .http, !url.origin.isLoopback {
                configuration.plaintextHosts.insert(url.host)
            }
            configuration.attemptMiddleware = observation.map { [$0.log] } ?? []
            configuration.recorder = observation?.recorder
        }
    }

    /// Reads the cookies that the options name; `nil` if they name none.
    func cookieJar() throws(CommandFailure) -> CookieJar? {
        let path = session?.cookies ?? (arguments.printsCookies ? nil : arguments.cookieJar)
        if path == nil, !arguments.printsCookies, arguments.cookieFiles.isEmpty { return nil }
        let jar = try CommandFailure.network { () throws(NetworkError) in
            guard let path else { return CookieJar(suffixes: PublicSuffixList()) }
            return try CookieJar(
                file: CookieFile(URL(fileURLWithPath: path), keepsSessionCookies: true), suffixes: PublicSuffixList(),
                diagnostics: command.diagnostics)
        }
        for path in arguments.cookieFiles { try CookieLines.add(path, to: jar) }
        return jar
    }

    /// Saves the cookies in the file of `-c`, or prints them in curl's format. A failure to print is ignored, as the exchange
    /// succeeded.
    func keep(_ jar: CookieJar?) async {
        guard let jar else { return }
        guard arguments.printsCookies else { return jar.saveAtEnd() }
        try? await command.print(CookieLines.file(of: jar.cookies))
    }

    /// Reads the hosts that demand HTTPS; `nil` if no option names a file.
    private func hstsStore() throws(CommandFailure) -> HSTSStore? {
        guard let path = arguments.hsts else { return nil }
        return try CommandFailure.network { () throws(NetworkError) in
            try HSTSStore(file: URL(fileURLWithPath: path), diagnostics: command.diagnostics)
        }
    }

    /// The value of `Authorization` that the options make; `nil` without one.
    func authorization() throws(CommandFailure) -> String? {
        guard case .field(let value) = try login() else { return nil }
        return value
    }

    private func digest() throws(CommandFailure) -> PasswordCredential? {
        guard case .digest(let credential) = try login() else { return nil }
        return credential
    }

    private func login() throws(CommandFailure) -> LoginChoice.Resolved {
        try arguments.login.resolved(for: try? HTTPURL(arguments.url), command.environment)
    }

    var query: QueryItems {
        var query = QueryItems()
        for case .query(let name, let value) in arguments.items { query.append(name, value) }
        return query
    }

    private func accept(for body: RequestBody?) -> String {
        body?.contentType == MediaType.json.essence ? "application/json, */*;q=0.5" : "*/*"
    }

    private func addFields(to fields: inout HTTPFields) throws(CommandFailure) {
        for case .field(let text, let value) in arguments.items {
            let name = try Self.name(text)
            guard let field = HTTPField(name: name, value: value) else {
                throw .usage(UsageError("the value of \(name) contains a line break"))
            }
            fields.append(field)
        }
        guard !fields.contains(.authorization), let value = try authorization() else { return }
        guard let field = HTTPField(name: .authorization, value: value) else {
            throw .usage(UsageError("the password or token contains a line break"))
        }
        fields.append(field)
    }

    private static func name(_ text: String) throws(CommandFailure) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            throw .usage(UsageError("\"\(text)\" is not a header field name"))
        }
        return name
    }
}

/// A client with what must be closed after its last request.
struct OpenClient {
    let client: APIClient
    let transport: any HTTPTransport
    let login: StoredLogin?
    let builder: RequestBuilder

    /// Waits until the stale responses of a cache that were used are validated: the next command should find them fresh.
    func finishValidations(_ arguments: RequestArguments) async {
        if arguments.cache != nil { await client.shutdown(.finishing) }
    }

    func end() async {
        await transport.shutdown(.cancelling)
        await login?.end()
        await builder.keep(client.cookieJar)
        client.hstsStore?.saveAtEnd()
    }
}

/// What commands keep in a file.
protocol KeptInFile {
    func save() throws(NetworkError)
}

extension KeptInFile {
    /// Writes the file at the end of a command. A failure is reported as a diagnostic; the exchange still succeeds.
    func saveAtEnd() {
        try? save()
    }
}

extension HSTSStore: KeptInFile {}
extension CookieJar: KeptInFile {}
