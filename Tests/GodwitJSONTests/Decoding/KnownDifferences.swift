import GodwitJSON

/// A difference from Foundation's decoder that is intended: its reason, and how to recognize it.
struct KnownDifference: Sendable {
    let reason: String
    let explains: @Sendable (Difference) -> Bool

    static let all = [
        notJSON, zeroWithExponent, inexactInteger, pathOfBadScalar, pathOfBadDate, orderOfMembers, unreadFloat,
        duplicateMember, pathAfterDictionary,
    ]

    /// Foundation takes `[1,]`, and reads strings and numbers only when a type asks for them. Ours reports text that isn't
    /// JSON wherever it is, before any type sees it.
    private static let notJSON = KnownDifference(
        reason: "RFC 8259: text that isn't JSON is refused before decoding starts"
    ) {
        !StrictValidator.accepts($0.comparison.document)
            && $0.model.failure == DecodingFailure(kind: "dataCorrupted", path: "")
    }

    /// Foundation takes the exponent of a zero for a digit of an underflow.
    private static let zeroWithExponent = KnownDifference(reason: "RFC 8259: 0e1 is zero") {
        $0.disappears(ifNumbersBecome: "0") { $0.isZero && $0.hasExponent }
    }

    /// Foundation reads `1e-400` and `1.0000000000000000001` as integers 0 and 1, drops the fraction of
    /// `9007199254740993.5`, and refuses `9223372036854775807.0` and `1e20`, which Int and Int128 hold.
    private static let inexactInteger = KnownDifference(reason: "A number decodes to an integer if it is one") {
        $0.disappears(ifNumbersBecome: "0.5") { $0.isFractional && !$0.isExactDouble }
    }

    /// Dictionaries decode their members in the order of `allKeys`: by hash in Foundation, as written in ours. If two
    /// members are bad, the errors are about different ones.
    private static let orderOfMembers = KnownDifference(reason: "Members of dictionaries are decoded as written") {
        guard $0.targetDescription.contains("Dictionary") || $0.targetDescription == "Article" else { return false }
        guard let foundation = $0.foundation.failure, let model = $0.model.failure else {
            return $0.foundation.withoutErrors == $0.model.withoutErrors
        }
        return foundation.path != model.path
    }

    /// Foundation's error for a date that isn't ISO 8601 has the path of the object around it.
    private static let pathOfBadDate = KnownDifference(reason: "The path of a bad date has the date's key") {
        guard let foundation = $0.foundation.failure, let model = $0.model.failure, model.kind == foundation.kind else {
            return false
        }
        let isAround = foundation.path.isEmpty || model.path.hasPrefix(foundation.path + "/")
        return $0.comparison.strategies.dates == .iso8601 && model.kind == "dataCorrupted" && isAround
    }

    /// Foundation compares the texts of infinity and NaN before it looks whether the string is Unicode.
    private static let unreadFloat = KnownDifference(
        reason: "A string that isn't Unicode is corrupted data for numbers too"
    ) {
        var validator = StrictValidator($0.comparison.document)
        return $0.comparison.strategies.convertsFloats && validator.isDocument() && validator.hasUnreadableValue
            && $0.model.failure?.kind == "dataCorrupted"
            && $0.foundation.failure?.kind.hasPrefix("typeMismatch") == true
    }

    /// With key strategies, Foundation decodes both values of a duplicate key of a dictionary, and throws for either.
    private static let duplicateMember = KnownDifference(reason: "Only the first value of a duplicate key is decoded") {
        $0.comparison.strategies.keys != .useDefaultKeys && $0.foundation.failure != nil
            && (try? JSONDocument(parsing: Data($0.comparison.document)))?.root.hasDuplicateKey == true
    }

    /// An object that was decoded as a dictionary before, whose keys aren't converted, has those keys in later paths too.
    private static let pathAfterDictionary = KnownDifference(
        reason: "Keys in paths stay as the first type of an object has them"
    ) {
        guard let foundation = $0.foundation.failure, let model = $0.model.failure, model.kind == foundation.kind else {
            return false
        }
        return $0.comparison.strategies.keys != .useDefaultKeys && $0.targetDescription.contains("ictionary")
            && foundation.path.split(separator: "/").count == model.path.split(separator: "/").count
    }

    /// Foundation reads numbers and strings late, and its errors about them lose the path.
    private static let pathOfBadScalar = KnownDifference(reason: "The path of a bad scalar is in the error") {
        $0.foundation.failure == DecodingFailure(kind: "dataCorrupted", path: "")
            && $0.model.failure?.kind == "dataCorrupted"
    }
}

extension DecodingFailure {
    init(kind: String, path: String) {
        self.kind = kind
        self.path = path
    }
}

extension DecodingOutcome {
    /// The transcript without the errors that steps have caught.
    fileprivate var withoutErrors: String? {
        guard case .value(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self).replacing(#/<[a-zA-Z]+(\(.*?\) at .*?)?>/#, with: "<>")
    }
}

extension JSONElement {
    fileprivate var hasDuplicateKey: Bool {
        Set(members.map(\.key)).count < members.reduce(0) { count, _ in count + 1 }
            || members.contains { $0.value.hasDuplicateKey } || elements.contains { $0.hasDuplicateKey }
    }
}

extension Difference {
    /// Whether both decoders agree on the document with another number instead of those that match.
    fileprivate func disappears(ifNumbersBecome text: String, _ matches: (NumberToken) -> Bool) -> Bool {
        var document = comparison.document
        let tokens = NumberToken.all(in: document).filter(matches)
        for token in tokens.reversed() { document.replaceSubrange(token.range, with: text.utf8) }
        let other = DecodingComparison(document: document, target: comparison.target, strategies: comparison.strategies)
        return !tokens.isEmpty && other.difference() == nil
    }
}

/// What looks like a number in a document, also in strings.
private struct NumberToken {
    let range: Range<Int>
    let text: String

    static func all(in document: [UInt8]) -> [NumberToken] {
        let parts = Set("0123456789+-.eE".utf8)
        var tokens: [NumberToken] = []
        var start = 0
        while let first = document[start...].firstIndex(where: { $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2D }) {
            let end = document[first...].firstIndex { !parts.contains($0) } ?? document.endIndex
            tokens.append(NumberToken(range: first..<end, text: String(decoding: document[first..<end], as: UTF8.self)))
            start = end
        }
        return tokens
    }

    var hasExponent: Bool { text.contains { $0 == "e" || $0 == "E" } }
    var isFractional: Bool { hasExponent || text.contains(".") }
    var isZero: Bool { !text.prefix { $0 != "e" && $0 != "E" }.contains { $0 >= "1" && $0 <= "9" } }

    /// Whether a double between 2^-53 and 2^53 has the same value: at most 15 digits, and few zeros around them.
    var isExactDouble: Bool {
        guard let value = Double(text) else { return false }
        let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
        return digits.count <= 15 && (isZero || value.magnitude > 1e-12 && value.magnitude < 1e15)
    }
}
