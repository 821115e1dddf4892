import Godwit

/// The arguments of a command that sends a request.
struct RequestArguments: Sendable {
    /// How body items are encoded.
    enum BodyStyle: Sendable {
        case json, form, multipart
    }

    /// The destination of the response body.
    enum Destination: Sendable, Hashable {
        case output
        case file(String)
        /// A file with the name of the URL's last path segment.
        case remoteName
    }

    var method: HTTPMethod?
    var url = ""
    var items: [RequestItem] = []

    var style: BodyStyle?
    var json: TextSource?
    var data: [TextSource] = []

    var timeouts = Timeouts()
    var redirects = RedirectPolicy.follow
    var retries = 0
    /// The path of the cookie file.
    var cookieJar: String?
    /// Files with cookies to send, which are not written.
    var cookieFiles: [String] = []
    /// The path of the file of hosts that demand HTTPS.
    var hsts: String?
    /// The name of the session that is read and written.
    var session: String?
    var login = LoginChoice()
    /// The path of the cache folder.
    var cache: String?
    var access = ServerAccess()
    var tokenFile: String?
    var clientSecret = ClientSecret()

    var destination = Destination.output
    var existingFile = FileDestination.ExistingFile.kept
    var layout = JSONStyle.automatic
    var archive: String?
    var includesHead = false
    /// 1 shows heads, 2 also the bodies of requests.
    var verbosity = 0
    var color = ColorChoice.auto
    /// The text of `-w`, which is printed after the body.
    var report: WriteOut?
    var printing = Printing.nothing
    var showsSecrets = false
    var runs = Repetition()
    var ignoresInput = false
    var ignoresConfig = false
    var sendsDataInQuery = false
    /// Whether the server names the file of the body.
    var takesServerName = false
    var isQuiet = false
    var showsTiming = false
    var reportsAsJSON = false
    var dropsErrorBody = false
    /// Whether that was said by `-f`.
    var usesShortFail = false
    var checks = CheckArguments()
    var wantsHelp = false

    /// What `paginate` follows and prints.
    var pages = PageArguments()
    /// What `graphql` sends.
    var graphQL = GraphQLArguments()
    var lastEventID = ""
    var reconnects = true

    /// The URLs of `--url`, and the file of `-T`: `godwit curl` alone has these options.
    var curlAddresses: [String] = []
    var uploadedFile: String?

    /// What is printed instead of sending the request.
    enum Printing: Sendable {
        case nothing, request, curl
    }

    /// Whether `-c -` prints the cookies.
    var printsCookies: Bool { cookieJar == "-" }

    var isVerbose: Bool { verbosity > 0 }

    /// Whether options or items make the body.
    var hasBody: Bool {
        json != nil || !data.isEmpty && !sendsDataInQuery || items.contains(where: \.isBody)
    }

    init() {}

    /// - Parameter config: The user's defaults for the host of the URL.
    init(
        parsing line: ArraySlice<String>, verb: RequestVerb, config: ConfigFile = .none
    ) throws(UsageError) {
        try read(line, verb)
        guard !wantsHelp, !ignoresConfig else { return }
        let defaults = config.options(for: url)
        guard !defaults.isEmpty else { return }
        // Defaults come first, so that the command line overrides them.
        self = try Self.defaults(defaults, verb, for: self)
        try read(line, verb)
    }

    /// The arguments of the config file, without the header fields that the command line has too.
    private static func defaults(
        _ words: ArraySlice<String>, _ verb: RequestVerb, for own: RequestArguments
    ) throws(UsageError) -> RequestArguments {
        var arguments = RequestArguments()
        var parser = OptionParser(options(of: verb))
        do throws(UsageError) {
            let rest = try parser.parse(words, into: &arguments)
            if let word = rest.first { throw UsageError("\"\(word)\" is not an option") }
        } catch {
            throw UsageError("in the config file: \(error.reason); --no-config ignores it")
        }
        var names = Set(own.items.compactMap(\.fieldName))
        if own.login.user != nil || own.login.bearer != nil { names.insert("authorization") }
        arguments.items.removeAll { $0.fieldName.map(names.contains) ?? false }
        return arguments
    }

    /// Reads the words of a curl command: redirects are followed only with `-L`, and a URL without a scheme is http.
    init(curl words: ArraySlice<String>) throws(UsageError) {
        redirects = .block
        existingFile = .replaced
        var parser = OptionParser(Self.options(of: .request) + [Self.curlOptions])
        let addresses = try parser.parse(words, into: &self) + curlAddresses
        if wantsHelp { return }
        guard let address = addresses.first else { throw UsageError("the URL is missing") }
        guard addresses.count == 1 else { throw UsageError("more than one URL given; run one curl command for each") }
        url = Self.completed(address, scheme: "http://")
        try Self.checkAddress(url)
        if let file = uploadedFile { try upload(file) }
        try finish()
    }

    /// `-T FILE`: the file is the body of a PUT. A URL that ends with a slash gets the name of the file, as by curl.
    private mutating func upload(_ file: String) throws(UsageError) {
        guard !hasBody else { throw UsageError("-T can't be combined with another body") }
        method = method ?? .put
        items.append(try RequestItem("@\(file)"))
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        if url.hasSuffix("/"), file != "-" { url += name.percentEncodedForForm }
    }

    private mutating func read(_ line: ArraySlice<String>, _ verb: RequestVerb) throws(UsageError) {
        method = verb.method
        if line.contains(where: { $0.hasPrefix("--raw=") }) { throw Self.valueOfRaw }
        var parser = OptionParser(Self.options(of: verb))
        var words = try parser.parse(line, into: &self)[...]
        if wantsHelp { return }
        if verb == .request { try takeMethod(from: &words) }
        try Self.checkRaw(line, words)
        guard let address = words.popFirst() else { throw UsageError("the URL is missing") }
        if verb == .graphql { try takeGraphQLAddress(address) } else { url = Self.completed(address) }
        try Self.checkAddress(url)
        if verb == .graphql { try takeDocument(from: &words) }
        for word in words { items.append(try RequestItem(word)) }
        if verb == .graphql { try checkVariables() }
        try finish()
    }

    private static let valueOfRaw = UsageError(
        "--raw prints the body unchanged and takes no value; to send a text, use -d TEXT")

    /// HTTPie's `--raw TEXT` sends a text, which must not be taken for a URL or an item.
    ///
    /// - Parameter words: The URL and the items.
    private static func checkRaw(_ line: ArraySlice<String>, _ words: ArraySlice<String>) throws(UsageError) {
        guard let place = line.firstIndex(of: "--raw"), let word = line[(place + 1)...].first else { return }
        let isText =
            if word == words.first {
                !isAddress(word) && words.dropFirst().first.map(isAddress) ?? false
            } else {
                words.contains(word) && !isItem(word)
            }
        if isText { throw valueOfRaw }
    }

    private static func isItem(_ word: String) -> Bool {
        switch try? RequestItem(word) {
        case nil: false
        case .field(let name, _)?: HTTPField.Name(name) != nil
        case .some: true
        }
    }

    /// Checks what was read, and moves what belongs to the connection there.
    private mutating func finish() throws(UsageError) {
        if method == .head { includesHead = true }
        try check()
        try checkQuery()
        try takeHostField()
        if access.proxy == nil, access.proxyExceptions.contains("*") { access.proxy = "none" }
        if access.proxy == nil, !access.proxyExceptions.isEmpty {
            throw UsageError("--noproxy needs --proxy; for the proxies of the environment, set no_proxy")
        }
        try nameSecuredHost(of: [url])
    }

    /// A password in a URL would end up in logs and other servers' `Referer` fields.
    static func checkAddress(_ url: String) throws(UsageError) {
        if handshake(of: url) != nil { throw UsageError("for a WebSocket, use godwit ws URL") }
        guard let start = url.firstRange(of: "://")?.upperBound else { return }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard authority.contains("@") else { return }
        throw UsageError("a URL can't contain a user and password: use -u USER:PASSWORD, or -n with a ~/.netrc file")
    }

    /// `page=2` is a body, which few servers read from a GET.
    private func checkQuery() throws(UsageError) {
        guard style == nil, let method, method == .get || method == .head else { return }
        for case .member(let name, let value) in items {
            guard case .text(let text) = value else { continue }
            throw UsageError(
                "\"\(name)=\(text)\" would be a JSON body, which \(method) has not: write \(name)==\(text) for the query, "
                    + "or send a body with --json")
        }
    }

    /// The transport writes `Host`, so its value is a setting of the connection.
    private mutating func takeHostField() throws(UsageError) {
        guard let index = items.lastIndex(where: \.isHost), case .field(_, let value) = items[index] else { return }
        items.removeAll(where: \.isHost)
        guard let url = try? HTTPURL(url) else { return }
        access.hostFields["\(url.host):\(url.port)"] = value
    }

    /// Sets the host that pins and certificate apply to. With plain http they would have no effect, which is an error.
    mutating func nameSecuredHost(of urls: [String]) throws(UsageError) {
        if access.key != nil, access.certificate == nil { throw UsageError("--key needs --cert") }
        guard !access.pins.isEmpty || access.certificate != nil else { return }
        for text in urls {
            guard let url = try? HTTPURL(text) else { continue }
            guard url.scheme == .https else { throw UsageError("--pin and --cert need an https URL") }
            if let host = access.host, host != url.host {
                throw UsageError("--pin and --cert apply to one host; the URLs name several")
            }
            access.host = url.host
        }
    }

    /// The first of several words is a method if it is in capitals, or a known method.
    private mutating func takeMethod(from words: inout ArraySlice<String>) throws(UsageError) {
        guard words.count > 1, let word = words.first, word.allSatisfy({ $0.isASCII && $0.isLetter }) else { return }
        let isKnown = RequestVerb(rawValue: word.lowercased())?.method != nil || word.lowercased() == "options"
        guard isKnown || word == word.uppercased() else { return }
        if !Self.usualMethods.contains(word.uppercased()) {
            let hint = Suggestion.text(for: word, among: Self.usualMethods)
            if !hint.isEmpty { throw UsageError("unknown method \(word)\(hint); to send it, use -X \(word)") }
        }
        method = HTTPMethod(word.uppercased())
        words.removeFirst()
    }

    private static let usualMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]

    /// Adds a missing scheme: https, or http for a loopback host. `:8080/a` is short for localhost. `http:/host` and
    /// `http:///host` are `http://host`, as for curl and browsers.
    ///
    /// - Parameter scheme: What is added; `nil` chooses by the host.
    static func completed(_ address: String, scheme: String? = nil) -> String {
        for name in ["http", "https"] where address.lowercased().hasPrefix("\(name):/") {
            return "\(name)://\(address.dropFirst(name.count + 1).drop { $0 == "/" })"
        }
        if address.contains("://") { return address }
        if let scheme { return scheme + address }
        if address.hasPrefix(":") {
            let hasPort = address.dropFirst().first?.isNumber == true
            return "http://localhost\(hasPort ? address : String(address.dropFirst()))"
        }
        return (isLoopback(address) ? "http://" : "https://") + address
    }

    /// The http or https form of a URL with ws or wss, which the handshake uses; `nil` for other URLs.
    static func handshake(of address: String) -> String? {
        for (scheme, http) in [("ws://", "http://"), ("wss://", "https://")]
        where address.lowercased().hasPrefix(scheme) {
            return http + address.dropFirst(scheme.count)
        }
        return nil
    }

    /// Whether a word is a URL rather than the name of a command: it has a dot, colon or slash, or is `localhost`.
    static func isAddress(_ word: String) -> Bool {
        word.contains { ".:/".contains($0) } || word == "localhost"
    }

    private static func isLoopback(_ address: String) -> Bool {
        let authority = address.prefix { !"/?#".contains($0) }
        if authority.hasPrefix("[::1]") { return true }
        let host = authority.prefix { $0 != ":" }.lowercased()
        return host == "localhost" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    private func check() throws(UsageError) {
        let bodies = [json != nil, !data.isEmpty && !sendsDataInQuery, items.contains(where: \.isBody)].count { $0 }
        if bodies > 1 { throw UsageError("the body is given in more than one way: items, --json, --data") }
        if json != nil || !data.isEmpty && !sendsDataInQuery, style != nil {
            throw UsageError("--form and --multipart apply to items, not to --json or --data")
        }
        if reportsAsJSON, includesHead, method != .head {
            throw UsageError("--json-output already contains the head; remove --include")
        }
        if usesShortFail, style == nil, items.contains(where: \.isBody) {
            throw UsageError("-f is curl's --fail and HTTPie's --form; with items, write one of these")
        }
        if session != nil, cookieJar != nil {
            throw UsageError("--session keeps its own cookies; remove --cookie-jar")
        }
        if printing != .nothing, runs.repeats {
            throw UsageError("--repeat and --watch send, which --offline does not")
        }
    }
}
