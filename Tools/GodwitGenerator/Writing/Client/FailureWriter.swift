/// Writes what makes the types of error bodies errors: the client throws one as the underlying error.
struct FailureWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package

    /// The readers of error bodies for the configuration; none if the client's own are enough.
    var readers: [String] {
        plan.failures.map { failure in
            let statuses = Self.statuses(failure.statuses)
            return ".type(\(failure.type.text).self\(statuses.map { ", for: \($0)" } ?? ""))"
        }
    }

    /// `[401, 403]`, `400..<500`, or both as one set; `nil` for any status.
    private static func statuses(_ texts: [String]) -> String? {
        let codes = texts.compactMap(Int.init).sorted()
        let ranges = texts.filter { Int($0) == nil }.sorted().compactMap(\.first?.wholeNumberValue).map { digit in
            "\(digit)00..<\(digit + 1)00"
        }
        let list = "[\(codes.map(String.init).joined(separator: ", "))]"
        if ranges.isEmpty { return codes.isEmpty ? nil : list }
        if codes.isEmpty, ranges.count == 1 { return ranges[0] }
        return (codes.isEmpty ? "Set<Int>()" : "Set(\(list))") + ranges.map { ".union(\($0))" }.joined()
    }

    var files: [GeneratedFile] {
        plan.failures.map(\.type).once.compactMap { type in plan.failures.first { $0.type == type }.map(file) }
    }

    private func file(_ failure: FailurePlan) -> GeneratedFile {
        var text = SourceText()
        let message = message(of: failure)
        // `LocalizedError` is Foundation's.
        if message != nil {
            text.line(options.importLine("Godwit"))
            text.line()
        }
        text.docLine("Thrown by calls as the underlying error of a `NetworkError`.")
        if let message {
            text.block("nonisolated extension \(failure.type.text): Swift.Error, LocalizedError") { text in
                text.docLine("The words of the server.")
                text.line("\(options.accessPrefix)var errorDescription: String? { \(message) }")
            }
        } else {
            text.line("nonisolated extension \(failure.type.text): Swift.Error {}")
        }
        let stem = failure.type.components.joined(separator: ".")
        return GeneratedFile(path: layout.source("Models/\(stem)+Error.swift", in: plan), text: text.text)
    }

    private func message(of failure: FailurePlan) -> String? {
        guard !failure.message.isEmpty, failure.message != ["errorDescription"],
            let member = plan.index.member(failure.message, of: .model(failure.type), in: ""),
            member.type.unwrapped == .string
        else { return nil }
        return String(member.expression.dropFirst())
    }
}
