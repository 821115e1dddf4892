/// The types of errors that a document writes in place: those of the same shape are one type.
struct ErrorShapes: Sendable {
    /// The name of what several operations have.
    private let commonName: String
    /// How many operations have an error of this shape.
    private var counts: [Schema: Int] = [:]
    private var types: [Schema: SwiftType] = [:]

    init(of operations: [Operation], named name: String) {
        commonName = name
        for operation in operations {
            let shapes = operation.failures.compactMap(\.errorBody).compactMap(Self.shape)
            for shape in Set(shapes) { counts[shape, default: 0] += 1 }
        }
    }

    /// `nil` for what isn't an object that is written in place.
    private static func shape(of schema: Schema) -> Schema? {
        if case .object = schema.kind { schema.withoutWords } else { nil }
    }

    /// - Parameter name: The name of an error that only one operation has.
    mutating func type(of schema: Schema, _ name: String, _ planner: inout TypePlanner) -> SwiftType {
        let shape = Self.shape(of: schema)
        if let known = shape.flatMap({ types[$0] }) { return known }
        let isCommon = shape.map { counts[$0, default: 0] > 1 } ?? false
        let type = planner.type(of: schema, .whole, at: .init(parent: nil, name: isCommon ? commonName : name))
        if let shape { types[shape] = type }
        return type
    }
}
