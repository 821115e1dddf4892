/// What a server says about an error, as logs and people may see it: without secrets, in one line.
struct ServerWords {
    /// The most characters that a log shows.
    private static let longestLine = 200
    /// The most characters that a person is shown. What is longer was not written for a banner.
    private static let longestMessage = 300

    /// The most that is looked at.
    private static let longestText = 1000

    /// The beginning, in one line.
    let line: String
    private let isForPeople: Bool

    /// `nil` if nothing is left of the words.
    ///
    /// - Parameter secrets: What the request sent and some servers repeat, the longest first.
    init?(_ words: String, hiding secrets: [String]) {
        // Some servers send a page of trace: the rest is not looked at.
        let secretLength = secrets.first?.count ?? 0
        let start = words.prefix(Self.longestText + secretLength)
        let isCut = start.endIndex < words.endIndex
        let beginning = String(start)
        var text = RedactedText.references(beginning)
        for secret in secrets {
            text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: Redaction.mark)
        }
        // A secret that was cut in two is not found.
        if isCut { text = String(text.dropLast(secretLength)) }
        line =
            text.split {
                $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
            .joined(separator: " ").trimmingBlanks
        guard !line.isEmpty else { return nil }
        // What was left out before is no markup.
        let plain = beginning.split(separator: Redaction.mark, omittingEmptySubsequences: false).joined()
        isForPeople = Self.hasProse(line) && !Self.hasInternals(plain)
    }

    /// The beginning, for a log.
    var shortLine: String {
        line.count > Self.longestLine ? line.prefix(Self.longestLine) + "…" : line
    }

    /// The words, if they read as a sentence for people: no code such as `invalid_grant`, no markup, no stack trace, no
    /// bare reason phrase.
    var message: String? {
        guard isForPeople, line.count <= Self.longestMessage, line.contains(where: Self.isProse) else { return nil }
        return Self.isReasonPhrase(line) ? nil : line
    }

    /// The words, if they are a message about one field, which may be one plain word such as `required`.
    var fieldMessage: String? {
        let isWord = line.allSatisfy(\.isLetter) && line.dropFirst().allSatisfy { !$0.isUppercase }
        return message ?? (isWord ? line : nil)
    }

    /// Words are kept apart by spaces, but for scripts that need none.
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

    /// Markup, the name of a class that ends in `Exception`, a trace: what was not written for people.
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

    /// Says no more than the status: `Bad Request`, `404 page not found`.
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
    /// Leaves out of the server's words what the request sent as a secret, before the request itself is concealed.
    mutating func hideSecretsInWords() {
        let secrets = sentSecrets
        let shown = { (words: String?) in words.flatMap { ServerWords($0, hiding: secrets)?.line } }
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

    /// Shorter values are found in ordinary words.
    private static let shortestSecret = 6

    /// What the request sent that must not be shown, as some servers repeat it: of header fields, query, form and JSON.
    var sentSecrets: [String] {
        guard let request else { return [] }
        var values = request.fields.filter { $0.name.isSensitive }.map(\.value)
        values = values.flatMap { [$0] + $0.split { $0 == " " || $0 == ";" || $0 == "," }.map(String.init) }
        if let query = request.url.query { values += Self.formSecrets(query) }
        if case .bytes(let body)? = request.body?.storage, body.count <= Self.bodyLimit {
            let json = JSONTree(parsing: body)
            values +=
                json.map { Self.secrets(in: $0, isSecret: false) }
                ?? Self.formSecrets(String(decoding: body, as: UTF8.self))
        }
        return Array(values.filter { $0.count >= Self.shortestSecret }.sorted { $0.count > $1.count }.prefix(100))
    }

    private static func formSecrets(_ text: String) -> [String] {
        text.split(separator: "&").flatMap { item -> [String] in
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, SecretName.isSecretQueryItem(parts[0]) else { return [] }
            let spaced = String(parts[1].map { $0 == "+" ? " " : $0 })
            return [String(parts[1]), PercentEncoding.decode(spaced) ?? spaced]
        }
    }

    private static func secrets(in json: JSONTree, isSecret: Bool) -> [String] {
        switch json {
        case .string(let text): isSecret ? [text] : []
        case .array(let elements): elements.flatMap { secrets(in: $0, isSecret: isSecret) }
        case .object(let members):
            members.flatMap { secrets(in: $1, isSecret: isSecret || SecretName.isSecret($0)) }
        default: []
        }
    }
}
