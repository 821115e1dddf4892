/// Writes what makes the type of error bodies an error: the client throws it as the underlying error.
struct FailureWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package

    /// The reader of error bodies for the configuration; `nil` if the client's own are enough.
    var reader: String? { name.map { ".type(\($0.text).self)" } }

    var files: [GeneratedFile] {
        guard let name else { return [] }
        var text = SourceText()
        // `LocalizedError` is Foundation's.
        if message != nil {
            text.line(options.importLine("Godwit"))
            text.line()
        }
        text.docLine("Thrown by calls as the underlying error of a `NetworkError`.")
        guard let message else {
            text.line("nonisolated extension \(name.text): Swift.Error {}")
            return [file(name, text)]
        }
        text.block("nonisolated extension \(name.text): Swift.Error, LocalizedError") { text in
            text.docLine("The words of the server.")
            text.line("\(options.accessPrefix)var errorDescription: String? { \(message) }")
        }
        return [file(name, text)]
    }

    private func file(_ name: TypeName, _ text: SourceText) -> GeneratedFile {
        let stem = name.components.joined(separator: ".")
        return GeneratedFile(path: layout.source("Models/\(stem)+Error.swift", in: plan), text: text.text)
    }

    /// The type that is extended; `nil` if there is none, or if it isn't a struct or an enum.
    private var name: TypeName? {
        guard let failure = plan.failure, !failure.isProblem else { return nil }
        let index = plan.index
        guard case .model(let name) = index.resolved(failure.type) else { return nil }
        switch index[name]?.kind {
        case .structure, .union: return name
        case .enumeration, .alias, nil: return nil
        }
    }

    private var message: String? {
        guard let failure = plan.failure, let name, failure.message != ["errorDescription"],
            let member = plan.index.member(failure.message, of: .model(name), in: ""),
            !failure.message.isEmpty, member.type.unwrapped == .string
        else { return nil }
        return String(member.expression.dropFirst())
    }
}
