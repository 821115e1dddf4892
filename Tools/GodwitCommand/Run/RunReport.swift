import Godwit
import GodwitSupport

/// The results of a run for other programs.
enum RunReport {
    /// JUnit's XML: a suite for each file, and a test case for each request.
    static func junit(_ results: [FileResult]) -> String {
        let suites = results.map { result in
            let failures = result.entries.count { !$0.failures.isEmpty && $0.error == nil }
            let attributes = [
                ("name", result.source.name), ("tests", "\(result.entries.count)"), ("failures", "\(failures)"),
                ("errors", "\(result.entries.count { $0.error != nil })"),
                ("skipped", "\(result.entries.count(where: \.isSkipped))"), ("time", seconds(result.duration)),
            ]
            let cases = result.entries.map { junit($0, in: result.source) }.joined()
            return "  <testsuite\(text(attributes))>\n\(cases)  </testsuite>\n"
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\(suites.joined())</testsuites>\n"
    }

    private static func junit(_ entry: EntryResult, in source: RequestFileText) -> String {
        let attributes = [
            ("classname", source.name), ("name", "\(entry.number) \(entry.title)"), ("time", seconds(entry.duration)),
        ]
        var children = entry.isSkipped ? "      <skipped/>\n" : ""
        for problem in entry.problems {
            let name = entry.error == nil ? "failure" : "error"
            let location = source.location(of: problem.offset)
            let details = ([location] + RunText.details(of: problem, in: source)).joined(separator: "\n")
            children +=
                "      <\(name)\(text([("message", problem.message)]))>\(MarkupText.escaped(details))</\(name)>\n"
        }
        let head = "    <testcase\(text(attributes))"
        return children.isEmpty ? "\(head)/>\n" : "\(head)>\n\(children)    </testcase>\n"
    }

    private static func text(_ attributes: [(String, String)]) -> String {
        attributes.map { " \($0)=\"\(MarkupText.escaped($1))\"" }.joined()
    }

    private static func seconds(_ duration: Duration) -> String {
        let padded = RunText.milliseconds(duration).padded(to: 4)
        return "\(padded.dropLast(3)).\(padded.suffix(3))"
    }

    static func json(_ results: [FileResult]) -> String {
        let files = results.map { result in
            OrderedJSON.object([
                "file": .string(result.source.name), "passed": .bool(result.hasPassed),
                "milliseconds": .number(RunText.milliseconds(result.duration)),
                "notSent": .number(result.unsentCount),
                "requests": .array(result.entries.map { json($0, in: result.source) }),
            ])
        }
        return OrderedJSON.array(files).text(.pretty) + "\n"
    }

    private static func json(_ entry: EntryResult, in source: RequestFileText) -> OrderedJSON {
        .object([
            "title": .string(entry.title), "line": .number(source.place(of: entry.offset).line),
            "passed": .bool(entry.hasPassed), "skipped": entry.isSkipped ? .bool(true) : nil,
            "status": entry.status.map { .number($0) }, "attempts": .number(entry.attempts),
            "milliseconds": .number(RunText.milliseconds(entry.duration)),
            "failures": .array(entry.problems.map { json($0, in: source) }),
        ])
    }

    private static func json(_ problem: CheckFailure, in source: RequestFileText) -> OrderedJSON {
        let (line, column) = source.place(of: problem.offset)
        return .object([
            "line": .number(line), "column": .number(column), "message": .string(problem.message),
            "expected": problem.expected.map { .string($0) }, "found": problem.actual.map { .string($0) },
            "differences": problem.differences.isEmpty ? nil : .array(problem.differences.map { .string($0) }),
        ])
    }
}
