import Godwit
import GodwitPatterns
import GodwitSupport

/// What a check demands of a value.
enum CheckPredicate: Sendable, Hashable {
    enum Comparison: String, Sendable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case contains, startsWith, endsWith, includes
    }

    enum Kind: String, Sendable, CaseIterable {
        case isEmpty, isInteger, isFloat, isNumber, isBoolean, isString, isCollection, isList, isObject, isDate,
            isIsoDate
        case isUuid, isIpv4, isIpv6
    }

    case exists
    case kind(Kind)
    case compare(Comparison, Operand)
    case matches(PatternSource)

    /// The value on the right of a comparison.
    enum Operand: Sendable, Hashable {
        case value(CheckValue)
        case text(Template)
        /// `{{name}}` without quotes: the variable with its type.
        case expression(Template.Expression)
        /// The bytes of a file.
        case file(Template)
    }

    /// Whether the predicate is about a list, and so about all that a JSONPath finds.
    var takesList: Bool {
        switch self {
        case .kind(.isEmpty), .kind(.isList), .kind(.isCollection), .compare(.includes, _): true
        default: false
        }
    }

    /// The templates in the predicate.
    var templates: [Template] {
        switch self {
        case .exists, .kind: return []
        case .matches(let source): return source.templates
        case .compare(_, let operand):
            switch operand {
            case .value: return []
            case .text(let template), .file(let template): return [template]
            case .expression(let expression):
                return [Template(parts: [.expression(expression)], offset: expression.offset)]
            }
        }
    }
}

extension CheckPredicate {
    /// What an evaluation needs in addition to the value.
    struct Context {
        let variables: Variables
        let readFile: (String) throws(CheckFault) -> Data
    }

    /// The demand on a value, and whether the value meets it.
    struct Outcome {
        let holds: Bool
        /// What was demanded: `== 42`.
        let expectation: String
        /// The value on the right, for a diff.
        var expected: CheckValue?
    }

    /// Throws if the value is missing or of a kind that the predicate can't test.
    func evaluate(_ value: CheckValue?, _ context: Context) throws(CheckFault) -> Outcome {
        guard let value else {
            return Outcome(holds: false, expectation: try description(context))
        }
        switch self {
        case .exists: return Outcome(holds: true, expectation: "exists")
        case .kind(let kind): return Outcome(holds: try kind.holds(value), expectation: kind.rawValue)
        case .matches(let source):
            guard let text = value.string else { throw Self.fault("matches", "a string", value) }
            return Outcome(
                holds: try source.matches(text, context.variables), expectation: try description(context))
        case .compare(let comparison, let operand):
            let expected = try operand.value(context)
            return Outcome(
                holds: try comparison.holds(value, expected),
                expectation: "\(comparison.rawValue) \(expected.description)", expected: expected)
        }
    }

    private func description(_ context: Context) throws(CheckFault) -> String {
        switch self {
        case .exists: return "exists"
        case .kind(let kind): return kind.rawValue
        case .compare(let comparison, let operand):
            return "\(comparison.rawValue) \(try operand.value(context).description)"
        case .matches(.pattern(let pattern)): return "matches /\(CheckValue.shortened(pattern.source))/"
        case .matches(.template(let template)):
            return "matches /\(CheckValue.shortened(try template.text(context.variables)))/"
        }
    }

    fileprivate static func fault(_ name: String, _ need: String, _ value: CheckValue) -> CheckFault {
        CheckFault("\(name) needs \(need), and the value is \(value.kind): \(value.description)")
    }
}

extension CheckPredicate.Operand {
    func value(_ context: CheckPredicate.Context) throws(CheckFault) -> CheckValue {
        switch self {
        case .value(let value): value
        case .text(let template): .text(try template.text(context.variables))
        case .expression(let expression): try context.variables.value(of: expression)
        case .file(let path): .bytes(try context.readFile(try path.text(context.variables)))
        }
    }
}

extension CheckPredicate.Comparison {
    fileprivate func holds(_ value: CheckValue, _ expected: CheckValue) throws(CheckFault) -> Bool {
        switch self {
        case .equal: return Self.areEqual(value, expected)
        case .notEqual: return !Self.areEqual(value, expected)
        case .less, .greaterOrEqual:
            guard let isLess = value.isLess(than: expected) else { throw noOrder(value, expected) }
            return self == .less ? isLess : !isLess
        case .greater, .lessOrEqual:
            guard let isGreater = expected.isLess(than: value) else { throw noOrder(value, expected) }
            return self == .greater ? isGreater : !isGreater
        case .includes:
            guard case .json(.array(let elements)) = value else {
                throw CheckPredicate.fault("includes", "a list", value)
            }
            return elements.contains { CheckValue.json($0) == expected }
        case .contains, .startsWith, .endsWith: return try holdsWithin(value, expected)
        }
    }

    /// Bytes equal a text if they are its UTF-8.
    private static func areEqual(_ value: CheckValue, _ expected: CheckValue) -> Bool {
        switch (value, expected) {
        case (.bytes(let data), .json(.text(let text))), (.json(.text(let text)), .bytes(let data)):
            data == Data(text.description.utf8)
        default: value == expected
        }
    }

    private func noOrder(_ value: CheckValue, _ expected: CheckValue) -> CheckFault {
        let hint = value.string == nil ? "" : " (convert it with toInt, toFloat or toDate)"
        return CheckFault(
            "\(rawValue) can't compare \(value.kind) with \(expected.kind): the value is \(value.description)\(hint)")
    }

    private func holdsWithin(_ value: CheckValue, _ expected: CheckValue) throws(CheckFault) -> Bool {
        if case .json(.array(let elements)) = value, self == .contains {
            return elements.contains { CheckValue.json($0) == expected }
        }
        guard let whole = value.data, let part = expected.data else {
            let kind = value.data == nil ? value : expected
            throw CheckPredicate.fault(rawValue, "strings or bytes", kind)
        }
        return switch self {
        case .startsWith: whole.starts(with: part)
        case .endsWith: whole.suffix(part.count).elementsEqual(part) && whole.count >= part.count
        default: TextSearch(Array(part)).positions(in: Array(whole), limit: 1).first != nil
        }
    }
}

extension CheckValue {
    /// The bytes of a string or of bytes.
    fileprivate var data: Data? {
        switch self {
        case .json(.text(let text)): Data(text.description.utf8)
        case .bytes(let data): data
        default: nil
        }
    }
}

extension CheckPredicate.Kind {
    fileprivate func holds(_ value: CheckValue) throws(CheckFault) -> Bool {
        switch (self, value) {
        case (.isEmpty, .json(.array(let elements))): return elements.isEmpty
        case (.isEmpty, .json(.object(let members))): return members.isEmpty
        case (.isEmpty, .json(.text(let text))): return text.description.isEmpty
        case (.isEmpty, .bytes(let data)): return data.isEmpty
        case (.isEmpty, _): throw CheckPredicate.fault("isEmpty", "a list, an object, a string or bytes", value)
        case (.isInteger, .json(.number(let number))): return number.isInteger
        case (.isFloat, .json(.number(let number))): return !number.isInteger
        case (.isNumber, .json(.number)), (.isBoolean, .json(.bool)), (.isString, .json(.text)),
            (.isList, .json(.array)), (.isObject, .json(.object)), (.isCollection, .json(.array)),
            (.isCollection, .json(.object)), (.isDate, .date):
            return true
        case (.isIsoDate, _), (.isUuid, _), (.isIpv4, _), (.isIpv6, _):
            guard let text = value.string else { throw CheckPredicate.fault(rawValue, "a string", value) }
            return try holds(text)
        default: return false
        }
    }

    private func holds(_ text: String) throws(CheckFault) -> Bool {
        switch self {
        case .isIsoDate: return try DateFormat("%+").date(from: text) != nil
        case .isUuid: return UUID(uuidString: text) != nil
        case .isIpv4:
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4
                && parts.allSatisfy { part in
                    part.utf8.count < 4 && part.unicodeScalars.allSatisfy(\.isDigit) && UInt8(part) != nil
                }
        default:
            let isPlain = text.unicodeScalars.allSatisfy { $0.hexValue != nil || $0 == ":" || $0 == "." }
            return isPlain && text.contains(":") && (try? HTTPURL("http://[\(text)]/")) != nil
        }
    }
}
