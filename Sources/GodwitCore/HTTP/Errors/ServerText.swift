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
    /// - Parameter secrets: What the call sent and some servers repeat.
    init?(_ words: String, hiding secrets: SecretSearch) {
        // Some servers send a page of trace: only its start is examined.
        let beginning = String(words.prefix(Self.longestText))
        let text = secrets.redacted(
            RedactedText.references(beginning), isCut: beginning.utf8.count < words.utf8.count)
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
