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
    /// The path of the cache folder.
    var cache: String?
    var access = ServerAccess()
    var tokenFile: String?
    var clientSecret = ClientSecret()

    var destination = Destination.output
    var existingFile = FileDestination.ExistingFile.kept
    var layout = JSONLayout.automatic
    var archive: String?
    var includesHead = false
    var isVerbose = false
    var isQuiet = false
    var showsTiming = false
    var reportsAsJSON = false
    var dropsErrorBody = false
    var checks = CheckArguments()
    var wantsHelp = false

    var lastEventID = ""
    var reconnects = true

    init() {}

    init(parsing line: ArraySlice<String>, verb: RequestVerb) throws(UsageError) {
        method = verb.method
        var parser = OptionParser(Self.options(of: verb))
        var words = try parser.parse(line, into: &self)[...]
        if wantsHelp { return }
        if verb == .request { takeMethod(from: &words) }
        guard let address = words.popFirst() else { throw UsageError("the URL is missing") }
        url = Self.completed(address)
        for word in words { items.append(try RequestItem(word)) }
        if method == .head { includesHead = true }
        try check()
        try nameSecuredHost(of: [url])
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
    private mutating func takeMethod(from words: inout ArraySlice<String>) {
        guard words.count > 1, let word = words.first, word.allSatisfy({ $0.isASCII && $0.isLetter }) else { return }
        let isKnown = RequestVerb(rawValue: word.lowercased())?.method != nil || word.lowercased() == "options"
        guard isKnown || word == word.uppercased() else { return }
        method = HTTPMethod(word.uppercased())
        words.removeFirst()
    }

    /// Adds a missing scheme: https, or http for a loopback host. `:8080/a` is short for localhost.
    static func completed(_ address: String) -> String {
        if address.contains("://") { return address }
        if address.hasPrefix(":") {
            let hasPort = address.dropFirst().first?.isNumber == true
            return "http://localhost\(hasPort ? address : String(address.dropFirst()))"
        }
        return (isLoopback(address) ? "http://" : "https://") + address
    }

    private static func isLoopback(_ address: String) -> Bool {
        let authority = address.prefix { !"/?#".contains($0) }
        if authority.hasPrefix("[::1]") { return true }
        let host = authority.prefix { $0 != ":" }.lowercased()
        return host == "localhost" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    private func check() throws(UsageError) {
        let bodies = [json != nil, !data.isEmpty, items.contains(where: \.isBody)].count { $0 }
        if bodies > 1 { throw UsageError("the body is given in more than one way: items, --json, --data") }
        if json != nil || !data.isEmpty, style != nil {
            throw UsageError("--form and --multipart apply to items, not to --json or --data")
        }
        if reportsAsJSON, includesHead, method != .head {
            throw UsageError("--json-output already contains the head; remove --include")
        }
    }
}

/// A command that sends a request: `request`, one for each common method, and `sse`.
enum RequestVerb: String, CaseIterable {
    case request, get, post, put, patch, delete, head, sse

    /// The method of the request; `nil` if the arguments name it.
    var method: HTTPMethod? {
        switch self {
        case .request, .sse: nil
        case .get: .get
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        case .head: .head
        }
    }

    var usage: String {
        self == .request ? "[METHOD] URL [ITEM…]" : "URL [ITEM…]"
    }

    var summary: String {
        switch self {
        case .request: "Send a request. The default method is POST with a body, otherwise GET"
        case .head: "Send a HEAD request and print the response head"
        case .sse: "Print the data of server-sent events, and reconnect. Alias: events"
        default: "Send a \(rawValue.uppercased()) request"
        }
    }
}
