/// Writes the models: a file for each type, with the enums that are nested in it.
struct ModelWriter {
    private let plan: ClientPlan
    private let options: GeneratorOptions
    private var children: [TypeName: [ModelPlan]] = [:]

    init(_ plan: ClientPlan, _ options: GeneratorOptions) {
        self.plan = plan
        self.options = options
        for model in plan.models {
            if let parent = model.name.parent { children[parent, default: []].append(model) }
        }
    }

    /// The files, without the folder: `Article.swift`, `Article+Author.swift`.
    var files: [GeneratedFile] {
        plan.models.filter { $0.name.parent == nil || !$0.isEnumeration }.map { model in
            GeneratedFile(path: model.name.components.joined(separator: "+") + ".swift", text: text(of: model))
        }
    }

    private func text(of model: ModelPlan) -> String {
        var text = SourceText()
        let enums = (children[model.name] ?? []).filter(\.isEnumeration)
        if ([model] + enums).contains(where: \.usesGodwit) {
            text.line(options.importLine("Godwit"))
            text.line()
        }
        guard let parent = model.name.parent else {
            write(model, to: &text)
            return text.text
        }
        text.block("extension \(parent.text)") { write(model, to: &$0) }
        return text.text
    }

    private func write(_ model: ModelPlan, to text: inout SourceText) {
        text.doc(model.summary)
        if model.isDeprecated { text.docDeprecation(after: model.summary) }
        switch model.kind {
        case .structure(let structure): StructureWriter(model, structure, self).write(to: &text)
        case .enumeration(let enumeration): write(enumeration, named: model.name, to: &text)
        case .union(let union): UnionWriter(model.name, union, self).write(to: &text)
        case .alias(let type): text.line("\(prefix)typealias \(model.name.last) = \(type.text)")
        }
    }

    var index: ModelIndex { plan.index }

    /// `public ` or nothing.
    var prefix: String { options.accessPrefix }

    /// The raw value of a coding key: what the client's conversion of keys makes of the key in JSON.
    func rawKey(_ key: String) -> String { plan.keys == .snakeCase ? SwiftName.member(key) : key }

    /// The enums that are nested in a type.
    func writeEnums(in name: TypeName, to text: inout SourceText) {
        for model in children[name] ?? [] where model.isEnumeration {
            text.space()
            write(model, to: &text)
        }
    }

    private func write(_ enumeration: EnumerationPlan, named name: TypeName, to text: inout SourceText) {
        let base = enumeration.base == .string ? "String" : "Int"
        let head = "nonisolated \(prefix)enum \(name.last)"
        text.declaration(head, [base, "Codable", "Sendable", "Hashable", "CaseIterable"]) { text in
            for item in enumeration.cases {
                text.doc(item.summary)
                let raw = base == "Int" ? item.rawValue : SwiftLiteral.string(item.rawValue)
                let isImplied = base == "String" && item.name == item.rawValue
                text.line("case " + SwiftLiteral.identifier(item.name) + (isImplied ? "" : " = \(raw)"))
            }
        }
    }
}

extension ModelPlan {
    var isEnumeration: Bool {
        if case .enumeration = kind { true } else { false }
    }

    /// Whether it is a struct that reads its members from JSON itself. Members whose keys aren't known need Codable's
    /// containers; what is only sent isn't read.
    var isReadable: Bool {
        guard case .structure(let plan) = kind, direction != .request else { return false }
        return plan.additional == nil && !plan.properties.isEmpty
    }

    /// Whether the declaration has types of Foundation or Godwit.
    fileprivate var usesGodwit: Bool {
        switch kind {
        case .enumeration: false
        case .union: true
        case .alias(let type): type.isFromGodwit
        case .structure(let plan):
            isReadable || plan.properties.contains { $0.type.isFromGodwit } || plan.additional?.isFromGodwit == true
        }
    }
}

extension SwiftType {
    /// Whether the type, or one in it, is declared by Foundation or Godwit.
    var isFromGodwit: Bool {
        switch self {
        case .builtin(let name):
            !["String", "Int", "Int64", "UInt64", "Bool", "Double", "Day", "MultipartFile"].contains(name)
        case .model: false
        case .open, .patch: true
        case .array(let type), .dictionary(let type), .optional(let type), .indirect(let type): type.isFromGodwit
        }
    }
}
