extension ExampleCheck {
    /// The first member of an example that its type doesn't decode, in words; `nil` if all of them fit.
    func problem(in node: DocumentNode, _ type: SwiftType) -> String? {
        guard !fits(node, type) else { return nil }
        return problem(in: node, type, at: "", depth: 0)
    }

    private func problem(in node: DocumentNode, _ type: SwiftType, at path: String, depth: Int) -> String {
        guard depth < JSONText.depthLimit else { return mismatch(node, type, at: path) }
        switch models.resolved(type) {
        case .optional(let wrapped), .patch(let wrapped), .indirect(let wrapped):
            return problem(in: node, wrapped, at: path, depth: depth + 1)
        case .array(let element):
            guard let index = node.elements.firstIndex(where: { !fits($0, element) }) else { break }
            return problem(in: node.elements[index], element, at: "\(path)[\(index)]", depth: depth + 1)
        case .dictionary(let value):
            guard let member = node.members.first(where: { !fits($0.value, value) }) else { break }
            return problem(in: member.value, value, at: Self.joined(path, member.key), depth: depth + 1)
        case .model(let name):
            guard case .structure(let plan) = models[name]?.kind, node.isObject else { break }
            return problem(in: node, plan, at: path, depth: depth) ?? mismatch(node, type, at: path)
        case .builtin, .open: break
        }
        return mismatch(node, type, at: path)
    }

    private func problem(in node: DocumentNode, _ plan: StructurePlan, at path: String, depth: Int) -> String? {
        for property in plan.properties {
            let place = Self.joined(path, property.key)
            guard let value = node[property.key] else {
                if !property.type.isOptional, property.isAlwaysInJSON { return "`\(place)` is missing" }
                continue
            }
            if !fits(value, property.type) { return problem(in: value, property.type, at: place, depth: depth + 1) }
            if let constant = property.constantNode, constant.value != value.value {
                return "`\(place)` is \(value.json), not \(constant.json)"
            }
        }
        return nil
    }

    private static func joined(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private func mismatch(_ node: DocumentNode, _ type: SwiftType, at path: String) -> String {
        let type = type.unwrapped.text
        if type == "Date", let text = node.string, DateText.isDateTime(text, digits: 9) {
            return (path.isEmpty ? "it" : "`\(path)`") + " has more digits than dates are sent with"
        }
        let text = (path.isEmpty ? "it is" : "`\(path)` is") + " \(node.kindName), not `\(type)`"
        let isNumber = ["Int", "Int64", "UInt64", "Double"].contains(type) && node.string.flatMap { Double($0) } != nil
        let name = SwiftLiteral.identifier(
            SwiftName.member(path.split(separator: ".").last.map(String.init) ?? "value"))
        return isNumber
            ? text + "; if the API sends this number as text, declare it as `@NumberOrString var \(name): \(type)`"
            : text
    }
}
