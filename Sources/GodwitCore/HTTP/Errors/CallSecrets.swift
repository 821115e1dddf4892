import Synchronization

/// The keeper of a call's secrets: whatever applies a secret to a request notes it here, and whatever writes text asks.
///
/// A request has one from the first secret on, which all its copies share; redirects and retries pass it on. Notes are only
/// references: they are read when a text is written.
package final class CallSecrets: Sendable {
    package enum Note: Sendable {
        /// A secret as it is.
        case value(String)
        /// The value of an `Authorization` field.
        case credentials(String)
        /// A request that was sent before, or that was sent in another form.
        case request(HTTPRequest)
    }

    /// More than a call needs. A request that a program sends again and again has one keeper.
    private static let limit = 64

    private let notes = Mutex<[Note]>([])

    fileprivate init() {}

    fileprivate func add(_ note: Note) {
        notes.withLock { notes in
            if case .request = note {} else if notes.contains(where: { $0.isSame(as: note) }) { return }
            if notes.count == Self.limit { notes.removeFirst() }
            notes.append(note)
        }
    }

    fileprivate func add(_ other: CallSecrets) {
        for note in other.all { add(note) }
    }

    /// What is noted so far; `nil` if that includes requests.
    var withoutRequests: CallSecrets? {
        let copy = CallSecrets()
        for note in all {
            if case .request = note { return nil }
            copy.add(note)
        }
        return copy
    }

    fileprivate var all: [Note] { notes.withLock(\.self) }
}

extension CallSecrets.Note {
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.value(let own), .value(let value)), (.credentials(let own), .credentials(let value)): own == value
        default: false
        }
    }
}

extension HTTPRequest {
    /// Hides a value wherever logs, errors, recordings and traces of the request's call would repeat it.
    ///
    /// For a secret whose name doesn't show that it is one; `Authorization`, `Cookie`, `X-Api-Key` and the like are hidden
    /// anyway.
    ///
    /// ```swift
    /// func prepare(_ call: inout Call) {
    ///     call.request.fields["X-Seat"] = "7B"
    ///     call.request.hide("7B")
    ///     call.originBoundFields.insert("X-Seat")      // no redirect takes it to another origin
    /// }
    /// ```
    ///
    /// - Parameter secret: The value as it is sent.
    public mutating func hide(_ secret: String) { note(.value(secret)) }

    /// Notes a secret of the request's call, which may not be in the request itself.
    package mutating func note(_ secret: CallSecrets.Note) {
        let keeper = secrets ?? CallSecrets()
        if secrets == nil { secrets = keeper }
        keeper.add(secret)
    }

    /// Notes a request that this one replaces. Its secrets can come back in the response to this one.
    package mutating func note(former request: HTTPRequest) {
        adoptSecrets(of: request)
        var request = request
        request.secrets = nil
        note(.request(request))
    }

    /// Notes what is known of the secrets of another request of the call.
    mutating func adoptSecrets(of request: HTTPRequest?) {
        guard let others = request?.secrets, others !== secrets else { return }
        if let secrets { secrets.add(others) } else { secrets = others }
    }
}

/// The secrets of a request and its call, to search for. Found on first use: this reads the request's body.
package final class SentSecrets: Sendable {
    private let request: HTTPRequest?
    private let redaction: (fields: Set<HTTPField.Name>, names: Set<String>)
    private let known = Mutex<SecretSearch?>(nil)

    /// - Parameters:
    ///   - fields: More fields whose values are secrets.
    ///   - names: More names of secrets, in lowercase.
    package init(_ request: HTTPRequest?, fields: Set<HTTPField.Name> = [], names: Set<String> = []) {
        self.request = request
        redaction = (fields, names)
    }

    package var search: SecretSearch {
        if let known = known.withLock(\.self) { return known }
        var values = SecretValues(fields: redaction.fields, names: redaction.names)
        if let request {
            for note in request.secrets?.all ?? [] { values.add(note) }
            values.add(request)
        }
        let search = values.all.isEmpty ? .empty : SecretSearch(values.all)
        known.withLock { $0 = search }
        return search
    }
}

/// An iterator that knows the call whose response it reads.
protocol CallReading {
    /// The secrets of the call; `nil` before the response.
    var sent: SentSecrets? { get }
}

/// Collects the secrets in requests.
private struct SecretValues {
    /// How much of a body is read.
    private static let bodyLimit = 256 << 10
    /// The length of the shortest cookie that is a secret, whatever its name.
    private static let shortestCookie = 8
    /// Values that say nothing, and what stands in place of secrets.
    private static let words: Set<String> = ["true", "false", "null", "none", "redacted", SecretScanner.mark]

    let fields: Set<HTTPField.Name>
    let names: Set<String>
    private(set) var all: [String] = []

    init(fields: Set<HTTPField.Name>, names: Set<String>) {
        self.fields = fields
        self.names = names
    }

    mutating func add(_ note: CallSecrets.Note) {
        switch note {
        case .value(let value): add(value)
        case .credentials(let value): add(credentials: value)
        case .request(let request): add(request)
        }
    }

    mutating func add(_ request: HTTPRequest) {
        for field in request.fields { add(field) }
        addValues(inProse: String(request.url.target))
        if let query = request.url.query { addEncodedValues(in: query.utf8) }
        guard case .bytes(let body)? = request.body?.storage else { return }
        addValues(in: body.prefix(Self.bodyLimit))
        addEncodedValues(in: body.prefix(Self.bodyLimit))
    }

    /// Adds the secrets in encoded values of a query or form: JSON, as the variables of GraphQL, or a URL.
    private mutating func addEncodedValues(in form: some Collection<UInt8>) {
        guard form.contains(UInt8(ascii: "%")) else { return }
        for item in form.split(separator: UInt8(ascii: "&")) {
            let value = item.drop { $0 != UInt8(ascii: "=") }.dropFirst().map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
            guard value.contains(UInt8(ascii: "%")),
                let decoded = PercentEncoding.decode(String(decoding: value, as: UTF8.self))
            else { continue }
            addValues(in: decoded.utf8)
        }
    }

    private mutating func add(_ value: String) {
        if !Self.words.contains(value) { all.append(value) }
    }

    private mutating func add(_ field: HTTPField) {
        switch field.name {
        case .authorization, .proxyAuthorization: add(credentials: field.value)
        case .cookie: for pair in field.value.split(separator: ";") { add(cookie: pair) }
        case let name where name.isSensitive || fields.contains(name): add(field.value)
        default: addValues(inProse: field.value)
        }
    }

    /// Short cookies hold settings rather than secrets: `theme=dark`.
    private mutating func add(cookie pair: Substring) {
        let name = pair.prefix { $0 != "=" }
        let value = String(pair.dropFirst(name.count + 1)).trimmingBlanks
        let isLong = value.utf8.count >= Self.shortestCookie
        if isLong || SecretName.isSecret(name) { addFound(value) }
    }

    /// A scheme with a token, a name and password in Base64, or parameters (RFC 9110 section 11.4).
    private mutating func add(credentials text: String) {
        let scheme = text.prefix { $0 != " " }
        let rest = String(text.dropFirst(scheme.count)).trimmingBlanks
        switch scheme.lowercased() {
        case _ where rest.isEmpty: add(text)
        case "basic":
            add(rest)
            guard let pair = Data(base64Encoded: rest).map({ String(decoding: $0, as: UTF8.self) }) else { return }
            addFound(String(pair.drop { $0 != ":" }.dropFirst()))
        case "digest":
            if let challenge = AuthenticationChallenge.parse([text]).first, let hash = challenge.parameters["response"]
            {
                add(hash)
            }
        default:
            let count = all.count
            if rest.contains("=") { addValues(in: rest.utf8, isProse: true) }
            if all.count == count { add(rest) }
        }
    }

    private mutating func addValues(inProse text: String) {
        guard SecretScanner.mayHoldSecret(prose: text, extraNames: names) || text.utf8.contains(UInt8(ascii: "\\"))
        else { return }
        addValues(in: text.utf8, isProse: true)
    }

    private mutating func addValues(in bytes: some Sequence<UInt8>, isProse: Bool = false) {
        for value in SecretScanner.values(in: bytes, extraNames: names, isProse: isProse) { addFound(value) }
    }

    /// Adds a value as a text writes it, and as it is meant.
    private mutating func addFound(_ text: String) {
        if let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let json = JSONValue(parsing: Data(text.utf8))
        {
            return add(texts: json)
        }
        add(text)
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        if let decoded = PercentEncoding.decode(spaced), decoded != text { add(decoded) }
        // Also in a string of JSON in a string of JSON.
        var rest = text
        for _ in 0..<3 where rest.contains("\\") {
            guard case .string(let decoded)? = JSONValue(parsing: Data("\"\(rest)\"".utf8)) else { break }
            add(decoded)
            rest = decoded
        }
    }

    private mutating func add(texts json: JSONValue) {
        switch json {
        case .string(let text): add(text)
        case .integer(let number): add("\(number)")
        case .array(let elements): for element in elements { add(texts: element) }
        case .object(let members): for value in members.values { add(texts: value) }
        case .null, .bool, .number: break
        }
    }
}
