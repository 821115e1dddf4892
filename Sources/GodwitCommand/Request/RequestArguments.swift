import Godwit

/// What the command line of a request says.
struct RequestArguments: Sendable {
    /// How the content's items are written.
    enum ContentStyle: Sendable {
        case json, form, multipart
    }

    /// Where the response body goes.
    enum Destination: Sendable, Hashable {
        case output
        case file(String)
        /// A file named as the URL's last segment.
        case remoteName
    }

    var method: HTTPMethod?
    var url = ""
    var items: [RequestItem] = []

    var style: ContentStyle?
    var json: TextSource?
    var data: [TextSource] = []

    var timeouts = Timeouts()
    var redirects = RedirectPolicy.follow
    /// How often a failed attempt is repeated.
    var retries = 0
    /// The file that cookies are read from and written to.
    var cookieJar: String?
    /// The folder that responses are kept in.
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
    var wantsHelp = false

    /// The event that a stream of events goes on behind.
    var lastEventID = ""
    var reconnects = true

    /// What an empty command line says.
    init() {}

    init(parsing line: ArraySlice<String>, verb: RequestVerb) throws(UsageError) {
        method = verb.method
        var parser = OptionParser(Self.options(of: verb))
        var words = try parser.parse(line, into: &self)[...]
        if wantsHelp { return }
        if verb == .request { takeMethod(from: &words) }
        guard let address = words.popFirst() else { throw UsageError("a URL is missing") }
        url = Self.completed(address)
        for word in words { items.append(try RequestItem(word)) }
        if method == .head { includesHead = true }
        try check()
        try nameSecuredHost(of: [url])
    }

    /// Pins and certificate are for the host of the URLs. With plain http they would do nothing.
    mutating func nameSecuredHost(of urls: [String]) throws(UsageError) {
        if access.key != nil, access.certificate == nil { throw UsageError("--key goes with --cert") }
        guard !access.pins.isEmpty || access.certificate != nil else { return }
        for text in urls {
            guard let url = try? HTTPURL(text) else { continue }
            guard url.scheme == .https else { throw UsageError("--pin and --cert need an https URL") }
            if let host = access.host, host != url.host {
                throw UsageError("--pin and --cert are for one host, but there are URLs of several")
            }
            access.host = url.host
        }
    }

    /// The first of several words is a method where it is written in capitals, or is a known one.
    private mutating func takeMethod(from words: inout ArraySlice<String>) {
        guard words.count > 1, let word = words.first, word.allSatisfy({ $0.isASCII && $0.isLetter }) else { return }
        let isKnown = RequestVerb(rawValue: word.lowercased())?.method != nil || word.lowercased() == "options"
        guard isKnown || word == word.uppercased() else { return }
        method = HTTPMethod(word.uppercased())
        words.removeFirst()
    }

    /// A URL may be written without its scheme: https, but http for this machine; `:8080/a` is at localhost.
    static func completed(_ address: String) -> String {
        if address.contains("://") { return address }
        if address.hasPrefix(":") {
            let hasPort = address.dropFirst().first?.isNumber == true
            return "http://localhost\(hasPort ? address : String(address.dropFirst()))"
        }
        return (namesThisMachine(address) ? "http://" : "https://") + address
    }

    private static func namesThisMachine(_ address: String) -> Bool {
        let authority = address.prefix { !"/?#".contains($0) }
        if authority.hasPrefix("[::1]") { return true }
        let host = authority.prefix { $0 != ":" }.lowercased()
        let isLoopback = host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
        return host == "localhost" || isLoopback
    }

    private func check() throws(UsageError) {
        let contents = [json != nil, !data.isEmpty, items.contains(where: \.isContent)].count { $0 }
        if contents > 1 { throw UsageError("the content is given in more than one way: items, --json, --data") }
        if json != nil || !data.isEmpty, style != nil {
            throw UsageError("--form and --multipart go with items, not with --json or --data")
        }
        if reportsAsJSON, includesHead, method != .head {
            throw UsageError("--json-output holds the head already; leave --include out")
        }
    }
}

extension RequestItem {
    /// Whether the item makes up the content.
    var isContent: Bool {
        switch self {
        case .member, .rawMember, .part, .content: true
        case .query, .field, .removal: false
        }
    }
}

/// A command that sends a request: `request`, one for each common method, and those that stay to listen.
enum RequestVerb: String, CaseIterable {
    case request, get, post, put, patch, delete, head, sse

    var name: String { rawValue }

    /// The command of this name; some have two.
    init?(named name: String) {
        if name == "events" { self = .sse } else { self.init(rawValue: name) }
    }

    /// The method it stands for; nil where the command line names it.
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
        case .request: "sends a request of any method; without one, POST where there is content, else GET"
        case .head: "sends a HEAD request and shows the head of the answer"
        case .sse: "writes the data of server-sent events, and reconnects; also: events"
        default: "sends a \(rawValue.uppercased()) request"
        }
    }
}
