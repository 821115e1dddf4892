import Godwit
import GodwitPatterns
import GodwitSupport

/// The differences between an expected and an actual value, one line each.
struct ValueDiff {
    private static let limit = 20
    private static let depthLimit = 64

    private(set) var lines: [String] = []
    private var omitted = 0

    /// Returns the lines for two JSON containers or texts of several lines; empty for other values, which are short enough
    /// to be shown whole.
    static func lines(expected: CheckValue, actual: CheckValue) -> [String] {
        var diff = ValueDiff()
        switch (expected, actual) {
        case (.json(.text(let left)), .json(.text(let right))):
            let (left, right) = (left.description, right.description)
            guard left.contains("\n") || right.contains("\n") else { return [] }
            diff.compare(texts: left, right)
        case (.json(let left), .json(let right)):
            guard left.isContainer && right.isContainer else { return [] }
            diff.compare(left, right, at: "$", depth: 0)
        default: return []
        }
        return diff.omitted > 0 ? diff.lines + ["… and \(diff.omitted) more"] : diff.lines
    }

    private mutating func add(_ line: String) {
        if lines.count < Self.limit { lines.append(line) } else { omitted += 1 }
    }

    private mutating func compare(_ expected: ExactJSON, _ actual: ExactJSON, at path: String, depth: Int) {
        if depth < Self.depthLimit {
            switch (expected, actual) {
            case (.object(let left), .object(let right)): return compare(left, right, at: path, depth: depth)
            case (.array(let left), .array(let right)): return compare(left, right, at: path, depth: depth)
            default: break
            }
        }
        guard expected != actual else { return }
        add("~ \(path): expected \(Self.short(expected)), found \(Self.short(actual))")
    }

    private mutating func compare(
        _ expected: [ExactText: ExactJSON], _ actual: [ExactText: ExactJSON], at path: String, depth: Int
    ) {
        for name in Set(expected.keys).union(actual.keys).sorted() {
            let member = path + Self.step(name.description)
            switch (expected[name], actual[name]) {
            case (let left?, let right?): compare(left, right, at: member, depth: depth + 1)
            case (let left?, nil): add("- \(member): \(Self.short(left)) is missing")
            case (nil, let right?): add("+ \(member): \(Self.short(right)) is not expected")
            case (nil, nil): continue
            }
        }
    }

    private mutating func compare(_ expected: [ExactJSON], _ actual: [ExactJSON], at path: String, depth: Int) {
        for index in 0..<max(expected.count, actual.count) {
            let element = "\(path)[\(index)]"
            if index >= actual.count {
                add("- \(element): \(Self.short(expected[index])) is missing")
            } else if index >= expected.count {
                add("+ \(element): \(Self.short(actual[index])) is not expected")
            } else {
                compare(expected[index], actual[index], at: element, depth: depth + 1)
            }
        }
    }

    private mutating func compare(texts expected: String, _ actual: String) {
        // A secret can have several lines too.
        let left = Self.split(Redactor.current?.redacted(expected) ?? expected)
        let right = Self.split(Redactor.current?.redacted(actual) ?? actual)
        for index in 0..<max(left.count, right.count) {
            let wanted = index < left.count ? left[index] : nil
            let found = index < right.count ? right[index] : nil
            guard wanted != found else { continue }
            if let wanted { add("- line \(index + 1): \(CheckValue.shortened(wanted))") }
            if let found { add("+ line \(index + 1): \(CheckValue.shortened(found))") }
        }
    }

    private static func split(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    private static func short(_ value: ExactJSON) -> String { CheckValue.json(value).description }

    private static func step(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.unicodeScalars.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == "_" }
        return isPlain ? ".\(name)" : "['\(name)']"
    }
}

extension ExactJSON {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}
