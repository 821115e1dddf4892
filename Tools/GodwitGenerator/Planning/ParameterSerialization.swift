extension ParameterPlan.Serialization {
    /// How a parameter of a type is written (OpenAPI 3.1 section 4.8.12.4); `nil` if it can't be.
    init?(of parameter: Parameter, _ type: SwiftType, _ models: ModelIndex) {
        if let mediaType = parameter.mediaType, !mediaType.hasPrefix("text/") || mediaType == "text/json" {
            self = .json
            return
        }
        switch type {
        case .optional(let wrapped): self.init(of: parameter, wrapped, models)
        case .patch, .indirect: return nil
        default:
            let hasItems = [.query, .cookie].contains(parameter.location)
            self = hasItems ? .items(parameter, type, models) : .single(parameter, type)
        }
    }

    /// A parameter in the path or a field: always one text.
    private static func single(_ parameter: Parameter, _ type: SwiftType) -> Self {
        if type.isText { return .text }
        if case .array(let element) = type, element.isText, parameter.style == .simple || !parameter.explodes {
            return .joined(separator: ",")
        }
        let isLabel = parameter.style == .label && parameter.explodes
        return .flat(separator: isLabel ? "." : ",", explodes: parameter.explodes)
    }

    /// A parameter in the query or a cookie: one text, or several with names.
    private static func items(_ parameter: Parameter, _ type: SwiftType, _ models: ModelIndex) -> Self {
        if type.isText || type == .builtin("URL") { return .text }
        if parameter.style == .deepObject { return members(of: type, models, .isText).map(Self.deepObject) ?? .deep }
        if case .array(let element) = type {
            if parameter.explodes { return element.isText ? .repeated : .members }
            let separator = parameter.style.separator
            return element.isText ? .joined(separator: separator) : .flat(separator: separator, explodes: false)
        }
        guard parameter.explodes else { return .flat(separator: parameter.style.separator, explodes: false) }
        return members(of: type, models, .isTextOrTexts).map(Self.exploded) ?? .members
    }

    private enum Condition { case isText, isTextOrTexts }

    /// The properties of a struct that are written one by one; `nil` if one of them needs more than that.
    private static func members(
        of type: SwiftType, _ models: ModelIndex, _ condition: Condition
    ) -> [ParameterPlan.Member]? {
        guard let plan = models.structure(type), plan.additional == nil,
            plan.properties.allSatisfy({ property in
                let type = property.type.unwrapped
                return condition == .isText ? type.isText : type.isTextOrTexts
            })
        else { return nil }
        return plan.properties.map { ParameterPlan.Member(key: $0.key, property: $0.name) }
    }
}

extension Parameter.Style {
    /// What stands between the elements of one text.
    var separator: String {
        switch self {
        case .spaceDelimited: " "
        case .pipeDelimited: "|"
        default: ","
        }
    }
}
