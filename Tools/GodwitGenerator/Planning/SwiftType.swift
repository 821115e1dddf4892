/// A type as generated code writes it.
indirect enum SwiftType: Sendable, Hashable {
    /// A type of Swift, Foundation or Godwit: `String`, `Int`, `Date`, `JSONValue`, `Day`.
    case builtin(String)
    /// A generated type.
    case model(TypeName)
    /// `Open<Status>`, of a generated enum.
    case open(TypeName)
    case array(SwiftType)
    /// With `String` keys.
    case dictionary(SwiftType)
    case optional(SwiftType)
    /// `Patch<Value>`, in the body of a partial update.
    case patch(SwiftType)
    /// `Indirect<Value>`: a generated box, for a type that contains itself.
    case indirect(SwiftType)

    static let string = SwiftType.builtin("String")
    static let integer = SwiftType.builtin("Int")
    static let json = SwiftType.builtin("JSONValue")
    static let data = SwiftType.builtin("Data")

    /// The type in Swift's words.
    var text: String { text(in: nil) }

    /// The type in Swift's words, inside of another type: nested types need only their own names there.
    func text(in owner: TypeName?) -> String {
        switch self {
        case .builtin(let name): name
        case .model(let name): name.text(in: owner)
        case .open(let name): "Open<\(name.text(in: owner))>"
        case .array(let element): "[\(element.text(in: owner))]"
        case .dictionary(let value): "[String: \(value.text(in: owner))]"
        case .optional(let wrapped): "\(wrapped.text(in: owner))?"
        case .patch(let value): "Patch<\(value.text(in: owner))>"
        case .indirect(let value): "Indirect<\(value.text(in: owner))>"
        }
    }

    /// The generated types in it.
    var models: [TypeName] {
        switch self {
        case .builtin: []
        case .model(let name), .open(let name): [name]
        case .array(let type), .dictionary(let type), .optional(let type), .patch(let type), .indirect(let type):
            type.models
        }
    }

    /// The type without `?`.
    var unwrapped: SwiftType {
        if case .optional(let wrapped) = self { wrapped } else { self }
    }

    var isOptional: Bool { self != unwrapped }
}

/// The name of a generated type: `Article`, or `Article.Author` for one that is nested.
struct TypeName: Sendable, Hashable {
    var components: [String]

    init(_ components: [String]) {
        self.components = components
    }

    init(_ name: String) {
        components = [name]
    }

    var text: String { components.joined(separator: ".") }
    /// The name without those around it.
    var last: String { components.last ?? "" }
    /// The type around it; `nil` at the top level.
    var parent: TypeName? { components.count > 1 ? TypeName(components.dropLast()) : nil }

    init(_ components: ArraySlice<String>) {
        self.components = Array(components)
    }

    /// The name as it is written inside of another type.
    func text(in owner: TypeName?) -> String {
        guard let owner, components.count > owner.components.count, components.starts(with: owner.components) else {
            return text
        }
        return components.dropFirst(owner.components.count).joined(separator: ".")
    }

    func nested(_ name: String) -> TypeName { TypeName(components + [name]) }
}

extension TypeName: Comparable {
    static func < (left: TypeName, right: TypeName) -> Bool {
        left.components.lexicographicallyPrecedes(right.components)
    }
}
