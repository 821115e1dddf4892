/// The planned types by name.
struct ModelIndex: Sendable, Hashable {
    private let models: [TypeName: ModelPlan]

    init(_ models: [ModelPlan]) {
        self.models = Dictionary(models.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Without a copy of the types.
    init(_ models: [TypeName: ModelPlan]) {
        self.models = models
    }

    subscript(name: TypeName) -> ModelPlan? { models[name] }

    /// The type behind aliases and boxes, which have no shape of their own.
    func resolved(_ type: SwiftType) -> SwiftType {
        var type = type
        // As many aliases as there are models may follow each other. More is a circle.
        for _ in 0...models.count {
            switch type {
            case .indirect(let wrapped): type = wrapped
            case .model(let name):
                guard case .alias(let target) = models[name]?.kind else { return type }
                type = target
            default: return type
            }
        }
        return .json
    }

    /// The struct that a type is, aliases resolved; `nil` for other types.
    func structure(_ type: SwiftType) -> StructurePlan? {
        guard case .model(let name) = resolved(type), case .structure(let plan) = models[name]?.kind else { return nil }
        return plan
    }

    /// The type of a path of properties, with an expression that reads it: `page?.cursor`.
    ///
    /// - Returns: `nil` if a property doesn't exist.
    func member(_ path: [String], of type: SwiftType, in base: String) -> (expression: String, type: SwiftType)? {
        var (expression, type, isOptional) = (base, type, false)
        for part in path {
            // The planner marks optional ones.
            let name = part.hasSuffix("?") ? String(part.dropLast()) : part
            guard let property = structure(type.unwrapped)?.properties.first(where: { $0.name == name }) else {
                return nil
            }
            expression += (type.isOptional ? "?." : ".") + SwiftLiteral.identifier(name)
            isOptional = isOptional || type.isOptional
            type = property.type
        }
        return (expression, isOptional && !type.isOptional ? .optional(type) : type)
    }
}
