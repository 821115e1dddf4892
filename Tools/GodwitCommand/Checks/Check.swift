import Godwit

/// A query with its filters and a predicate: one line of `[Asserts]`, or one `--expect`.
struct Check: Sendable, Hashable {
    let query: CheckQuery
    let filters: [CheckFilter]
    let isNegated: Bool
    let predicate: CheckPredicate
    /// The position in the file or argument.
    let offset: Int

    /// The templates in the check.
    var templates: [Template] { query.templates + filters.flatMap(\.templates) + predicate.templates }

    /// Returns why the check fails; `nil` if it holds.
    func failure(in response: CheckedResponse, _ context: CheckPredicate.Context) -> CheckFailure? {
        do throws(CheckFault) {
            let value = try CheckedValue.find(
                query, filters, in: response, context.variables, asList: predicate.takesList)
            return try failure(of: value, context)
        } catch {
            return CheckFailure(offset: offset, message: error.message)
        }
    }

    private func failure(
        of value: CheckValue?, _ context: CheckPredicate.Context
    ) throws(CheckFault) -> CheckFailure? {
        let outcome = try predicate.evaluate(value, context)
        // A missing value fails all demands but "not exists".
        let isMissing = value == nil && predicate != .exists
        guard isMissing || outcome.holds == isNegated else { return nil }
        var failure = CheckFailure(offset: offset, message: "the check failed")
        failure.expected = (isNegated ? "not " : "") + outcome.expectation
        failure.actual = value?.description ?? "nothing"
        if let value, let expected = outcome.expected, !isNegated, case .compare(.equal, _) = predicate {
            failure.differences = ValueDiff.lines(expected: expected, actual: value)
        }
        return failure
    }
}

/// A value of a response that later requests can use: one line of `[Captures]`, or one `--capture`.
struct Capture: Sendable, Hashable {
    let name: String
    let query: CheckQuery
    let filters: [CheckFilter]
    /// Whether the value is hidden in output.
    var isSecret = false
    let offset: Int

    var templates: [Template] { query.templates + filters.flatMap(\.templates) }

    func value(in response: CheckedResponse, _ variables: Variables) -> Result<CheckValue, CheckFailure> {
        do throws(CheckFault) {
            if let value = try CheckedValue.find(query, filters, in: response, variables) { return .success(value) }
            return .failure(CheckFailure(offset: offset, message: "the capture \(name) finds nothing"))
        } catch {
            return .failure(CheckFailure(offset: offset, message: "the capture \(name) failed: \(error.message)"))
        }
    }
}

/// What a query and its filters find.
enum CheckedValue {
    /// - Parameter asList: Whether all that a JSONPath finds is wanted.
    static func find(
        _ query: CheckQuery, _ filters: [CheckFilter], in response: CheckedResponse, _ variables: Variables,
        asList: Bool = false
    ) throws(CheckFault) -> CheckValue? {
        let value = try query.find(in: response, variables, asList: filters.first?.takesList ?? asList)
        return try CheckFilter.apply(filters, to: value, variables, asList: asList)
    }
}

/// Why a check failed.
struct CheckFailure: Error, Sendable, Hashable {
    /// The position in the file or argument.
    var offset: Int
    var message: String
    var expected: String?
    var actual: String?
    var differences: [String] = []

    init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    /// What was expected and found, or the differences, one line each.
    var details: [String] {
        if !differences.isEmpty {
            return ["differences (- expected, + found, ~ changed):"] + differences.map { "  \($0)" }
        }
        return [expected.map { "expected: \($0)" }, actual.map { "found:    \($0)" }].compactMap(\.self)
    }
}
