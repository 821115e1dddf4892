import Godwit
import GodwitSupport

/// A step that changes what a query found.
indirect enum CheckFilter: Sendable, Hashable {
    case count, first, last
    case nth(Int)
    case regex(PatternSource)
    case replace(Template, Template)
    case replaceRegex(PatternSource, Template)
    case split(Template)
    case jsonPath(PathSource)
    case toInt, toFloat, toString, toHex, trim, lowercase, uppercase
    case urlDecode, urlEncode, base64Decode, base64Encode, base64URLDecode, base64URLEncode
    case utf8Decode, utf8Encode, htmlEscape, htmlUnescape
    case decode(Template)
    case urlQueryParameter(Template)
    case toDate(Template)
    case format(Template)
    case daysAfterNow, daysBeforeNow

    /// The filters without arguments, by name.
    static let simple: [String: CheckFilter] = [
        "count": .count, "first": .first, "last": .last, "toInt": .toInt, "toFloat": .toFloat, "toString": .toString,
        "toHex": .toHex, "trim": .trim, "lowercase": .lowercase, "uppercase": .uppercase, "urlDecode": .urlDecode,
        "urlEncode": .urlEncode, "base64Decode": .base64Decode, "base64Encode": .base64Encode,
        "base64UrlSafeDecode": .base64URLDecode, "base64UrlSafeEncode": .base64URLEncode, "utf8Decode": .utf8Decode,
        "utf8Encode": .utf8Encode, "htmlEscape": .htmlEscape, "htmlUnescape": .htmlUnescape,
        "daysAfterNow": .daysAfterNow, "daysBeforeNow": .daysBeforeNow,
    ]

    /// The templates in the filter.
    var templates: [Template] {
        switch self {
        case .replace(let old, let new): [old, new]
        case .regex(let source): source.templates
        case .replaceRegex(let source, let new): source.templates + [new]
        case .jsonPath(let source): source.templates
        case .split(let text), .decode(let text), .urlQueryParameter(let text), .toDate(let text), .format(let text):
            [text]
        default: []
        }
    }

    /// Whether the filter takes a list, and so all that a JSONPath finds.
    var takesList: Bool {
        switch self {
        case .count, .first, .last, .nth: true
        default: false
        }
    }

    /// Applies filters one after the other. `nil` stays `nil`.
    static func apply(
        _ filters: [CheckFilter], to value: CheckValue?, _ variables: Variables, asList: Bool = false
    ) throws(CheckFault) -> CheckValue? {
        var value = value
        for (index, filter) in filters.enumerated() {
            let next = filters.dropFirst(index + 1).first
            value = try filter.apply(to: value, variables, asList: next?.takesList ?? asList)
        }
        return value
    }

    /// - Parameter asList: Whether the next filter takes a list.
    private func apply(
        to value: CheckValue?, _ variables: Variables, asList: Bool
    ) throws(CheckFault) -> CheckValue? {
        guard let value else { return nil }
        switch self {
        case .count: return .integer(try count(of: value))
        case .nth(let index): return try list(value).element(at: index).map(CheckValue.json)
        case .first: return try list(value).element(at: 0).map(CheckValue.json)
        case .last: return try list(value).element(at: -1).map(CheckValue.json)
        case .jsonPath(let source):
            return try source.find(in: try json(value), variables, asList: asList)
        case .regex(let source): return try source.firstGroup(in: try text(value), variables)
        case .replaceRegex(let source, let new):
            return .text(try source.replace(in: try text(value), with: try new.text(variables), variables))
        case .replace, .split: return try split(try text(value), variables)
        case .urlQueryParameter(let name):
            return Self.queryParameter(try name.text(variables), of: try text(value)).map(CheckValue.text)
        case .toInt, .toFloat: return try number(value)
        case .toDate, .format, .daysAfterNow, .daysBeforeNow: return try dateStep(value, variables)
        default: return try codingStep(value, variables)
        }
    }

    private func count(of value: CheckValue) throws(CheckFault) -> Int {
        switch value {
        case .json(.array(let elements)): return elements.count
        case .bytes(let data): return data.count
        default: throw fault("a list or bytes", value)
        }
    }

    private func split(_ text: String, _ variables: Variables) throws(CheckFault) -> CheckValue {
        switch self {
        case .split(let separator):
            let separator = try separator.text(variables)
            guard !separator.isEmpty else { throw CheckFault("the separator of split is empty") }
            return .json(.array(text.pieces(separatedBy: separator).map { .string($0) }))
        case .replace(let old, let new):
            let old = try old.text(variables)
            guard !old.isEmpty else { throw CheckFault("the text that replace looks for is empty") }
            let pieces = text.pieces(separatedBy: old)
            let new = try new.text(variables)
            guard text.utf8.count + pieces.count * new.utf8.count <= Template.limit else {
                throw CheckFault("the replaced text is too large")
            }
            return .text(pieces.joined(separator: new))
        default: return .text(text)
        }
    }

    private func number(_ value: CheckValue) throws(CheckFault) -> CheckValue {
        let parsed: CheckValue
        switch value {
        case .json(.text(let text)): parsed = CheckValue(parsing: text.description.trimmingSpaces)
        default: parsed = value
        }
        guard let number = parsed.number, number.double.isFinite else { throw fault("a number", value) }
        if case .toFloat = self { return .json(.number(number.fractional)) }
        guard let integer = number.truncated else { throw fault("a smaller number", value) }
        if value.string != nil, integer != number { throw CheckFault("\(name) can't convert \(value.description)") }
        return .json(.number(integer))
    }

    func text(_ value: CheckValue) throws(CheckFault) -> String {
        guard let text = value.string else { throw fault("a string", value) }
        return text
    }

    func bytes(_ value: CheckValue) throws(CheckFault) -> Data {
        guard case .bytes(let data) = value else { throw fault("bytes", value) }
        return data
    }

    private func list(_ value: CheckValue) throws(CheckFault) -> ExactJSON {
        guard case .json(.array(let elements)) = value else { throw fault("a list", value) }
        return .array(elements)
    }

    /// The value itself, or the JSON in a string.
    private func json(_ value: CheckValue) throws(CheckFault) -> ExactJSON {
        switch value {
        case .json(.text(let text)): return try CheckQuery.json(Data(text.description.utf8))
        case .json(let json): return json
        case .bytes(let data): return try CheckQuery.json(data)
        case .date: throw fault("JSON", value)
        }
    }

    func fault(_ need: String, _ value: CheckValue) -> CheckFault {
        CheckFault("\(name) needs \(need), not \(value.description)")
    }

    /// The name as written in a file.
    var name: String {
        if let name = Self.simple.first(where: { $0.value == self })?.key { return name }
        return switch self {
        case .nth: "nth"
        case .regex: "regex"
        case .replace: "replace"
        case .replaceRegex: "replaceRegex"
        case .split: "split"
        case .jsonPath: "jsonpath"
        case .decode: "decode"
        case .urlQueryParameter: "urlQueryParam"
        case .toDate: "toDate"
        default: "format"
        }
    }
}

extension StringProtocol {
    /// The parts between occurrences of a separator that isn't empty.
    func pieces(separatedBy separator: String) -> [String] {
        let text = Array(utf8)
        var pieces: [String] = []
        var start = 0
        for position in TextSearch(Array(separator.utf8)).positions(in: text) {
            pieces.append(String(decoding: text[start..<position], as: UTF8.self))
            start = position + separator.utf8.count
        }
        return pieces + [String(decoding: text[start...], as: UTF8.self)]
    }
}

/// A search in time linear in the text (Knuth, Morris and Pratt): a server chooses the text.
struct TextSearch {
    private let pattern: [UInt8]
    /// For each length of a matched prefix, the length of the longest proper prefix that also ends there.
    private var shorter: [Int]

    init(_ pattern: [UInt8]) {
        self.pattern = pattern
        shorter = Array(repeating: 0, count: pattern.count + 1)
        var length = 0
        for index in pattern.indices.dropFirst() {
            while length > 0, pattern[index] != pattern[length] { length = shorter[length] }
            if pattern[index] == pattern[length] { length += 1 }
            shorter[index + 1] = length
        }
    }

    /// Where the pattern occurs, without overlaps. An empty pattern occurs at the start.
    func positions(in text: [UInt8], limit: Int = .max) -> [Int] {
        guard !pattern.isEmpty else { return [0] }
        var positions: [Int] = []
        var length = 0
        for (index, byte) in text.enumerated() where positions.count < limit {
            while length > 0, byte != pattern[length] { length = shorter[length] }
            if byte == pattern[length] { length += 1 }
            guard length == pattern.count else { continue }
            positions.append(index + 1 - length)
            length = 0
        }
        return positions
    }
}
