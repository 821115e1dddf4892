import Synchronization

/// A server's explanation of an error, for logs and people: without secrets, in one line.
struct ServerText {
    /// Maximum characters in a log.
    private static let longestLine = 200
    /// Maximum characters for people. Longer text wasn't written for a banner.
    private static let longestMessage = 300

    /// Maximum characters that are examined.
    private static let longestText = 1000

    /// The start of the text, in one line.
    let line: String
    private let isForPeople: Bool

    /// `nil` if the text is blank.
    ///
    /// - Parameter secrets: What the request sent and some servers repeat, the longest first.
    init?(_ words: String, hiding secrets: [String]) {
        // Some servers send a page of trace: only its start is examined.
        let secretLength = secrets.first?.count ?? 0
        let start = words.prefix(Self.longestText + secretLength)
        let isCut = start.endIndex < words.endIndex
        let beginning = String(start)
        var text = RedactedText.references(beginning)
        for secret in secrets { text = text.replacing(secret, with: Redaction.mark) }
        // A secret at the cut wouldn't be found.
        if isCut { text = String(text.dropLast(secretLength)) }
        line =
            text.split {
                $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
            .joined(separator: " ").trimmingBlanks
        guard !line.isEmpty else { return nil }
        // A redaction mark in the original text isn't markup.
        let plain = beginning.replacing(Redaction.mark, with: "")
        isForPeople = Self.hasProse(line) && !Self.hasInternals(plain)
    }

    /// The start, for a log.
    var shortLine: String {
        line.count > Self.longestLine ? line.prefix(Self.longestLine) + "…" : line
    }

    /// The text if it is a sentence for people: not a code such as `invalid_grant`, markup, a stack trace or a bare
    /// reason phrase.
    var message: String? {
        guard isForPeople, line.count <= Self.longestMessage, line.contains(where: Self.isProse) else { return nil }
        return Self.isReasonPhrase(line) ? nil : line
    }

    /// The text if it is a message about one field, which may be one plain word such as `required`.
    var fieldMessage: String? {
        let isWord = line.allSatisfy(\.isLetter) && line.dropFirst().allSatisfy { !$0.isUppercase }
        return message ?? (isWord ? line : nil)
    }

    /// Words are separated by spaces, except in scripts that don't use them.
    private static func isProse(_ character: Character) -> Bool {
        character.isWhitespace || (character.isLetter && !character.isASCII)
    }

    private static func hasProse(_ line: String) -> Bool {
        line.contains(where: \.isLetter) && !"{[<".contains(line.first ?? "{")
    }

    private static let internals = [
        "traceback", "stack trace", "stacktrace", "sqlstate", "panic:", "goroutine ", "exception:", "::", "=>",
        "\n\tat ", "\n  at ", "\n    at ", "nil pointer", "null pointer", "undefined method", "is not a function",
        "of undefined", "duplicate key value", "violates unique constraint", "syntax error at",
    ]

    /// Whether the text has markup, a class name that ends in `Exception`, or a trace.
    private static func hasInternals(_ words: String) -> Bool {
        if holdsMarkup(words) { return true }
        let plain = words.asciiLowercased
        if internals.contains(where: { plain.contains($0) }) { return true }
        return words.split { !$0.isLetter }.contains { word in
            ["Exception", "Error"].contains { word.hasSuffix($0) && word.count > $0.count }
        }
    }

    private static func holdsMarkup(_ words: String) -> Bool {
        zip(words, words.dropFirst()).contains { $0 == "<" && ($1.isLetter || $1 == "/" || $1 == "!") }
    }

    /// Whether the text only repeats the status: `Bad Request`, `404 page not found`.
    private static func isReasonPhrase(_ line: String) -> Bool {
        let words = line.asciiLowercased.split { !$0.isLetter }.map(String.init)
        return reasonPhrases.contains(
            words.filter { $0 != "page" && $0 != "http" && $0 != "error" }.joined(separator: " "))
    }

    private static let reasonPhrases: Set = [
        "bad request", "unauthorized", "payment required", "forbidden", "not found", "method not allowed",
        "not acceptable", "proxy authentication required", "request timeout", "conflict", "gone", "length required",
        "precondition failed", "payload too large", "content too large", "request entity too large", "uri too long",
        "unsupported media type", "range not satisfiable", "expectation failed", "misdirected request",
        "unprocessable entity", "unprocessable content", "locked", "failed dependency", "too early", "upgrade required",
        "precondition required", "too many requests", "request header fields too large",
        "unavailable for legal reasons", "validation failed", "validation", "no message available",
    ]
}

extension NetworkError {
    /// Redacts the request's secrets in the server's text, before the request itself is redacted.
    mutating func hideSecretsInWords() {
        let secrets = sentSecrets
        let shown = { (words: String?) in words.flatMap { ServerText($0, hiding: secrets)?.line } }
        if var said = problem {
            said.detail = shown(said.detail)
            said.title = shown(said.title)
            said.fields = said.fields.map { field in
                FieldError(field: field.field, messages: field.messages.compactMap(shown))
            }
            if case .validationFailed = kind { kind = .validationFailed(said.fields) }
            problem = said
        }
        if let reason = underlying as? any LibraryError { underlying = reason.quoting(shown) }
    }
}

/// The secrets of a request, as some servers repeat them. Computed on first use: this parses the request's body.
final class SentSecrets: Sendable {
    private let request: HTTPRequest?
    private let known = Mutex<[String]?>(nil)

    init(_ request: HTTPRequest?) {
        self.request = request
    }

    /// The secrets in header fields, query, form and JSON, the longest first.
    var values: [String] {
        if let known = known.withLock(\.self) { return known }
        let found = find()
        known.withLock { $0 = found }
        return found
    }

    /// Shorter values occur in ordinary words.
    private static let shortestSecret = 6

    private func find() -> [String] {
        guard let request else { return [] }
        var values = request.fields.filter { $0.name.isSensitive }.map(\.value)
        values = values.flatMap { [$0] + $0.split { $0 == " " || $0 == ";" || $0 == "," }.map(String.init) }
        if let query = request.url.query { values += Self.formSecrets(query) }
        if case .bytes(let body)? = request.body?.storage, body.count <= NetworkError.bodyLimit {
            let json = JSONValue(parsing: body)
            values +=
                json.map { Self.secrets(in: $0, isSecret: false) }
                ?? Self.formSecrets(String(decoding: body, as: UTF8.self))
        }
        return Array(values.filter { $0.count >= Self.shortestSecret }.sorted { $0.count > $1.count }.prefix(100))
    }

    private static func formSecrets(_ text: String) -> [String] {
        text.split(separator: "&").flatMap { item -> [String] in
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return [] }
            let spaced = String(parts[1].map { $0 == "+" ? " " : $0 })
            let value = PercentEncoding.decode(spaced) ?? spaced
            if SecretName.isSecretQueryItem(parts[0]) { return [String(parts[1]), value] }
            // Such as the variables of a GraphQL query.
            guard RedactedText.holdsSecretJSON(value) else { return [] }
            return JSONValue(parsing: Data(value.utf8)).map { secrets(in: $0, isSecret: false) } ?? []
        }
    }

    private static func secrets(in json: JSONValue, isSecret: Bool) -> [String] {
        switch json {
        case .string(let text): isSecret ? [text] : []
        case .array(let elements): elements.flatMap { secrets(in: $0, isSecret: isSecret) }
        case .object(let members):
            members.flatMap { secrets(in: $1, isSecret: isSecret || SecretName.isSecret($0)) }
        default: []
        }
    }
}
