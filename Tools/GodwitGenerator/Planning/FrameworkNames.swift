/// Better names for schemas that a framework named.
///
/// FastAPI calls a model `Plan-Input` and `Plan-Output` if its members differ by direction, and a body of several
/// parameters `Body_quote_quote_post`.
enum FrameworkNames {
    /// The better names, by the name of the schema.
    static func names(for description: APIDescription) -> [String: String] {
        let all = Set(description.schemas.map(\.name))
        let folded = Set(all.map { SwiftName.type($0).lowercased() })
        func isFree(_ name: String) -> Bool { !folded.contains(SwiftName.type(name).lowercased()) }
        var names: [String: String] = [:]
        for name in all where name.hasSuffix("-Output") {
            let base = String(name.dropLast("-Output".count))
            guard all.contains(base + "-Input"), isFree(base), isFree(base + "Draft") else { continue }
            names[name] = base
            names[base + "-Input"] = base + "Draft"
        }
        for operation in description.operations {
            guard let id = operation.id, all.contains("Body_" + id) else { continue }
            let request = SwiftName.type(OperationPlanner.name(of: operation)) + "Request"
            if isFree(request) { names["Body_" + id] = request }
        }
        return names
    }

    /// A schema's name without its direction, as the name of a case.
    static func word(for schema: String) -> String {
        for ending in ["-Input", "-Output"] where schema.hasSuffix(ending) {
            return String(schema.dropLast(ending.count))
        }
        return schema
    }
}
