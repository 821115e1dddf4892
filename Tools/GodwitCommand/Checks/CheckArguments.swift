import Godwit
import GodwitPatterns
import GodwitSupport

/// The values of `--expect` and `--capture`.
struct CheckArguments: Sendable {
    struct Expectation: Sendable {
        let text: String
        let check: Check
    }

    var expectations: [Expectation] = []
    var captures: [Capture] = []

    var isEmpty: Bool { expectations.isEmpty && captures.isEmpty }

    /// Whether an expectation tests the status. The status itself is then no reason to fail.
    var testsStatus: Bool { expectations.contains { $0.check.query == .status } }

    static let options: [Option<Self>] = [
        .value("--expect", of: "CHECK", help: "Exit with 10 unless the response passes: 'status == 200', '.id == 42'") {
            arguments, text throws(UsageError) in
            do throws(SyntaxFault) {
                arguments.expectations.append(Expectation(text: text, check: try CheckParser.check(argument: text)))
            } catch {
                throw Self.fault("--expect", text, error)
            }
        },
        .value("--capture", of: "NAME=QUERY", help: "Print NAME=VALUE instead of the body: 'token=.token'") {
            arguments, text throws(UsageError) in
            do throws(SyntaxFault) {
                arguments.captures.append(try CheckParser.capture(argument: text))
            } catch {
                throw Self.fault("--capture", text, error)
            }
        },
    ]

    private static func fault(_ option: String, _ text: String, _ fault: SyntaxFault) -> UsageError {
        UsageError("\(option) '\(text)': column \(fault.offset + 1): \(fault.message)")
    }
}

extension CheckArguments {
    /// The texts for standard error, one for each failed expectation.
    func failures(in response: CheckedResponse) -> [String] {
        let context = CheckPredicate.Context(variables: Variables()) { path throws(CheckFault) in
            throw CheckFault("file,\(path); isn't supported on the command line")
        }
        return expectations.compactMap { expectation in
            expectation.check.failure(in: response, context).map { failure in
                let isPlain = failure.expected != nil
                let head = "expectation failed: \(expectation.text)" + (isPlain ? "" : ": \(failure.message)")
                return ([head] + failure.details.map { "  \($0)" }).joined(separator: "\n")
            }
        }
    }

    /// The captured values as lines for a shell, or as one JSON object.
    func captured(from response: CheckedResponse, asJSON: Bool) -> Result<String, CheckFailure> {
        var members: [OrderedJSON.Member] = []
        var lines = ""
        for capture in captures {
            let value: CheckValue
            switch capture.value(in: response, Variables()) {
            case .success(let found): value = found
            case .failure(let failure): return .failure(failure)
            }
            members.append(.init(name: OrderedJSON.quoted(capture.name), value: value.jsonText))
            lines += "\(capture.name)=\(ShellWords.quoted(value.templateText))\n"
        }
        return .success(asJSON ? OrderedJSON.object(members).text(.compact) + "\n" : lines)
    }
}

extension CheckValue {
    var jsonText: OrderedJSON {
        if case .json(let value) = self { OrderedJSON(value) } else { .string(templateText) }
    }
}
