/// Explains a `DecodingError`: where, what was expected, and what was found.
///
/// Parses the body again, only on this path: the decoder's error has neither the keys as sent nor the value found.
struct DecodingDiagnosis {
    private static let snippetLimit = 256
    private static let valueLimit = 64

    private let error: any Error
    private let data: Data
    private let document: Result<JSONDocument, JSONSyntaxError>
    private let keys: JSONKeys

    init(of error: any Error, in data: Data, keys: JSONKeys) {
        self.error = error
        self.data = data
        self.keys = keys
        document = Result { () throws(JSONSyntaxError) in try JSONDocument(parsing: data) }
    }

    private var root: JSONElement? { try? document.get().root }

    /// Where and why the body doesn't match, without secrets.
    var failure: NetworkError.DecodingFailure {
        if data.isEmpty { return .emptyBody }
        guard let error = error as? DecodingError else { return failure(at: [], expected: nil, otherwise: "\(error)") }
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return failure(at: context.codingPath, expected: Self.name(of: type), otherwise: context.debugDescription)
        case .keyNotFound(let key, let context):
            if let failure = misspelled(key, at: context.codingPath) { return failure }
            let hint = context.debugDescription.firstRange(of: "; there is `")
            return failure(
                at: context.codingPath + [key], expected: "a value", otherwise: context.debugDescription,
                hint: hint.map { String(context.debugDescription[$0.lowerBound...]) } ?? "")
        case .dataCorrupted(let context):
            return corrupted(context)
        @unknown default:
            return failure(at: [], expected: nil, otherwise: "\(error)")
        }
    }

    /// The failure for a key that the body has in another spelling; `nil` if it doesn't.
    private func misspelled(_ key: any CodingKey, at codingPath: [any CodingKey]) -> NetworkError.DecodingFailure? {
        let (path, value) = JSONPlace(codingPath).resolved(in: root, keys: keys)
        guard let value, let spelling = MisspelledKey(key.stringValue, in: value, keys)
        else { return nil }
        var sent = path
        sent.steps.append(.key(spelling.sent))
        return .init(path: sent.description, reason: spelling.advice, snippet: snippet, position: value.position)
    }

    private func corrupted(_ context: DecodingError.Context) -> NetworkError.DecodingFailure {
        let words = context.debugDescription
        if words.hasPrefix("expected ") {
            // The decoder's words can contain the value, which may be a secret.
            let expected = words.dropFirst(9)
            let end = expected.firstRange(of: ", found ")?.lowerBound ?? expected.endIndex
            return failure(at: context.codingPath, expected: String(expected[..<end]), otherwise: words)
        }
        // A custom decoder's error for an invalid body can be the same as for a number that doesn't fit its type.
        let isWhole = context.codingPath.isEmpty
        switch document {
        case .failure(let error) where isWhole:
            return .init(
                path: "", reason: "the body is not valid JSON: \(error.expectation)", snippet: snippet,
                position: (error.line, error.column))
        case .success where isWhole && context.underlyingError == nil && !words.hasPrefix("the number "):
            return failure(at: [], expected: nil, otherwise: "a number does not fit its type")
        default: return failure(at: context.codingPath, expected: nil, otherwise: words)
        }
    }

    private func failure(
        at codingPath: [any CodingKey], expected: String?, otherwise: String, hint: String = ""
    ) -> NetworkError.DecodingFailure {
        let (path, value) = JSONPlace(codingPath).resolved(in: root, keys: keys)
        let isSecret = path.isSecret
        let reason =
            if let expected {
                "expected \(expected), found \(Self.found(value, isSecret: isSecret))\(hint)"
            } else if isSecret {
                "the value is not valid"
            } else {
                otherwise
            }
        return .init(path: path.description, reason: reason, snippet: snippet, position: value?.position)
    }

    private var snippet: String {
        RedactedText.json(data, limit: Self.snippetLimit)
    }

    private static func found(_ value: JSONElement?, isSecret: Bool) -> String {
        guard let value else { return "nothing" }
        switch value.kind {
        case .null: return "null"
        case .array: return "an array"
        case .object: return "an object"
        case .string where isSecret: return "a string"
        case .number where isSecret: return "a number"
        case .boolean, .number: return shortened(String(decoding: value.source.prefix(valueLimit * 4), as: UTF8.self))
        case .string: return "\"\(shortened(value.string ?? ""))\""
        }
    }

    private static func shortened(_ text: String) -> String {
        text.count > valueLimit ? text.prefix(valueLimit) + "…" : text
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: return "a string"
        case is Bool.Type: return "true or false"
        case is any BinaryInteger.Type: return "an integer"
        case is Double.Type, is Float.Type, is Decimal.Type: return "a number"
        case is Date.Type: return "a date"
        default: break
        }
        let name = "\(type)"
        if name.hasPrefix("Dictionary<") { return "an object" }
        if name.hasPrefix("Array<") { return "an array" }
        return name
    }
}

extension NetworkError.DecodingFailure {
    /// The body is empty, but a value was expected.
    static let emptyBody = Self(path: "", reason: "empty body")
}

/// A missing key, and the key in the body that differs only in case, `_` and `-`.
private struct MisspelledKey {
    /// The key in the body.
    let sent: String
    /// What is wrong, and how to fix it.
    let advice: String

    init?(_ key: String, in object: JSONElement, _ keys: JSONKeys) {
        let plain = Self.plain(key)
        let candidates = object.members.map(\.key).filter { Self.plain($0) == plain }.sorted()
        guard let sent = candidates.contains(key) ? key : candidates.first else { return nil }
        self.sent = sent
        let asked = "the type asks for the key `\(key)`, the body has `\(sent)`"
        switch keys {
        case .snakeCase:
            let read = SnakeCase.camel(sent)
            // It was decoded under this key, so another key replaced it.
            guard read != key else { return nil }
            let write =
                key.contains("_") || key.contains("-")
                ? "write `case \(read)` without a value"
                : "name the property `\(read)`, or write `case \(key) = \"\(read)\"`"
            advice = "\(asked), which .snakeCase reads as `\(read)` before coding keys are compared; \(write)"
        case .custom(_, let spelling):
            let read = spelling(sent)
            guard read != key else { return nil }
            advice = "\(asked), which your key spelling reads as `\(read)`; write `case \(key) = \"\(read)\"`"
        case .asWritten:
            let isSnake = SnakeCase.camel(sent) == key
            advice =
                "\(asked); write `case \(key) = \"\(sent)\"` in CodingKeys"
                + (isSnake ? ", or set JSONCoding(keys: .snakeCase)" : "")
        }
    }

    private static func plain(_ key: String) -> String {
        key.filter { $0 != "_" && $0 != "-" }.lowercased()
    }
}
