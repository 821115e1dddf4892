import Godwit
import GodwitPatterns
import GodwitSupport

/// A path into a JSON value: a subset of JSONPath (RFC 9535).
struct JSONPath: Sendable, Hashable {
    indirect enum Selector: Sendable, Hashable {
        case name(String)
        case index(Int)
        case slice(start: Int?, end: Int?)
        case wildcard
        case union([Selector])
        case filter(Filter)
    }

    struct Segment: Sendable, Hashable {
        let selector: Selector
        /// Whether the selector applies to all descendants too: `..name`.
        var isDescendant = false
    }

    indirect enum Filter: Sendable, Hashable {
        case exists(Operand)
        case compare(Operand, Comparison, Operand)
        case not(Filter)
        case all([Filter])
        case any([Filter])
    }

    enum Operand: Sendable, Hashable {
        /// A path that starts at `@`.
        case path([Segment])
        case value(ExactJSON)
    }

    enum Comparison: String, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
    }

    /// The path visits too many values.
    struct TooMuchWork: Error {}

    private static let visitLimit = 2_000_000

    let segments: [Segment]

    /// Returns what the path finds: the value itself if it finds one, a list if it finds several, and otherwise `nil`.
    ///
    /// This is Hurl's rule. With it, a filter that finds one value needs no `nth 0`.
    ///
    /// - Parameter asList: Whether a list is wanted, as by `count`. Then a path that may find several values always gives
    ///   one (RFC 9535 section 2.1.2).
    func find(in root: ExactJSON, asList: Bool) throws(TooMuchWork) -> ExactJSON? {
        var visits = 0
        let found = try Self.find(segments, in: root, &visits)
        return found.count > 1 || asList && !isSingular ? .array(found) : found.first
    }

    /// Whether the path finds at most one value.
    private var isSingular: Bool {
        segments.allSatisfy { segment in
            switch segment.selector {
            case .name, .index: !segment.isDescendant
            case .slice, .wildcard, .union, .filter: false
            }
        }
    }

    private static func find(
        _ segments: [Segment], in root: ExactJSON, _ visits: inout Int
    ) throws(TooMuchWork) -> [ExactJSON] {
        var values = [root]
        for segment in segments {
            var found: [ExactJSON] = []
            for value in values {
                if segment.isDescendant {
                    try descend(segment.selector, in: value, into: &found, &visits)
                } else {
                    try select(segment.selector, in: value, into: &found, &visits)
                }
            }
            values = found
        }
        return values
    }

    // JSON is at most 512 values deep, and so is this recursion.
    private static func descend(
        _ selector: Selector, in value: ExactJSON, into found: inout [ExactJSON], _ visits: inout Int
    ) throws(TooMuchWork) {
        try select(selector, in: value, into: &found, &visits)
        for child in value.children { try descend(selector, in: child, into: &found, &visits) }
    }

    private static func select(
        _ selector: Selector, in value: ExactJSON, into found: inout [ExactJSON], _ visits: inout Int
    ) throws(TooMuchWork) {
        visits += 1
        if visits > visitLimit { throw TooMuchWork() }
        switch selector {
        case .name(let name): if let member = value[name] { found.append(member) }
        case .index(let index): if let element = value.element(at: index) { found.append(element) }
        case .slice(let start, let end):
            let elements = value.slice(start, end)
            visits += elements.count
            found += elements
        case .wildcard:
            let children = value.children
            visits += children.count
            found += children
        case .union(let selectors):
            for selector in selectors { try select(selector, in: value, into: &found, &visits) }
        case .filter(let filter):
            for child in value.children where try matches(filter, child, &visits) { found.append(child) }
        }
    }

    private static func matches(
        _ filter: Filter, _ value: ExactJSON, _ visits: inout Int
    ) throws(TooMuchWork) -> Bool {
        visits += 1
        if visits > visitLimit { throw TooMuchWork() }
        switch filter {
        case .exists(let operand): return try !values(of: operand, in: value, &visits).isEmpty
        case .not(let inner): return try !matches(inner, value, &visits)
        case .all(let filters):
            for filter in filters where try !matches(filter, value, &visits) { return false }
            return true
        case .any(let filters):
            for filter in filters where try matches(filter, value, &visits) { return true }
            return false
        case .compare(let left, let comparison, let right):
            let first = try values(of: left, in: value, &visits).first
            let second = try values(of: right, in: value, &visits).first
            return compare(first, comparison, second)
        }
    }

    private static func values(
        of operand: Operand, in value: ExactJSON, _ visits: inout Int
    ) throws(TooMuchWork) -> [ExactJSON] {
        switch operand {
        case .value(let value): [value]
        case .path(let segments): try find(segments, in: value, &visits)
        }
    }

    private static func compare(_ left: ExactJSON?, _ comparison: Comparison, _ right: ExactJSON?) -> Bool {
        guard let left, let right else {
            // RFC 9535 section 2.3.5.2.2: nothing equals nothing.
            let areEqual = left == nil && right == nil
            return comparison == .notEqual ? !areEqual : areEqual && comparison != .less && comparison != .greater
        }
        let isLess = CheckValue.json(left).isLess(than: .json(right)) ?? false
        let isGreater = CheckValue.json(right).isLess(than: .json(left)) ?? false
        return switch comparison {
        case .equal: left == right
        case .notEqual: left != right
        case .less: isLess
        case .greater: isGreater
        case .lessOrEqual: isLess || left == right
        case .greaterOrEqual: isGreater || left == right
        }
    }
}

extension ExactJSON {
    /// The elements of an array, or the values of an object in the order of their names.
    fileprivate var children: [ExactJSON] {
        switch self {
        case .array(let elements): elements
        case .object(let members): members.sorted { $0.key < $1.key }.map(\.value)
        default: []
        }
    }

    /// The element at an index, counted from the end if it is negative.
    func element(at index: Int) -> ExactJSON? {
        guard case .array(let elements) = self else { return nil }
        let place = index < 0 ? index + elements.count : index
        return elements.indices.contains(place) ? elements[place] : nil
    }

    fileprivate func slice(_ start: Int?, _ end: Int?) -> ArraySlice<ExactJSON> {
        guard case .array(let elements) = self else { return [] }
        let lower = Self.bound(start ?? 0, elements.count)
        let upper = Self.bound(end ?? elements.count, elements.count)
        return lower < upper ? elements[lower..<upper] : []
    }

    private static func bound(_ index: Int, _ count: Int) -> Int {
        min(max(index < 0 ? index + count : index, 0), count)
    }
}
