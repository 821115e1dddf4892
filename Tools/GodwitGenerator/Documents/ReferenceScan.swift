/// Looks through a tree for what refers to other files (`$ref`), and for what can be referred to (`$anchor`).
enum ReferenceScan {
    /// Keys whose values are data: a `$ref` in there is part of the data.
    private static let data: Set<String> = ["value", "default", "const", "enum", "example"]
    /// Keys of objects whose keys are names, so that a property called `value` isn't data.
    private static let maps: Set<String> = [
        "properties", "patternProperties", "$defs", "definitions", "schemas", "dependentSchemas", "parameters",
        "responses", "headers", "requestBodies", "pathItems", "examples",
    ]

    /// The files that a tree refers to, each with the place of its first reference, without its own.
    static func files(in root: DocumentNode) -> [FileReference] {
        var (files, seen): ([FileReference], Set<String>) = ([], [root.place.file])
        visit(root) { node in
            guard let reference = node["$ref"]?.string, !reference.hasPrefix("#") else { return }
            let path = reference.prefix { $0 != "#" }
            let name = DocumentAddress.resolve(String(path), from: node.place.file)
            if seen.insert(name).inserted { files.append(FileReference(name: name, place: node.place)) }
        }
        return files.reversed()
    }

    /// The references of a file to parts of schemas in it, each once.
    static func parts(in root: DocumentNode) -> [(text: String, file: String)] {
        var (result, seen): ([(text: String, file: String)], Set<String>) = ([], [])
        visit(root) { node in
            guard let text = node["$ref"]?.string, text.hasPrefix("#/components/schemas/"),
                text.utf8.count(where: { $0 == UInt8(ascii: "/") }) > 3, seen.insert(text).inserted
            else { return }
            result.append((text, node.place.file))
        }
        return result
    }

    /// The values with an `$anchor`, by its name.
    static func anchors(in root: DocumentNode) -> [String: DocumentNode] {
        var result: [String: DocumentNode] = [:]
        visit(root) { node in
            for key in ["$anchor", "$dynamicAnchor"] {
                if let name = node[key]?.string, result[name] == nil { result[name] = node }
            }
        }
        return result
    }

    /// Whether a value is nothing but a reference.
    static func isReference(_ node: DocumentNode) -> Bool { node.members.count == 1 && node["$ref"]?.string != nil }

    /// Calls a closure with each object that isn't part of data.
    private static func visit(_ root: DocumentNode, _ body: (DocumentNode) -> Void) {
        var pending: [(node: DocumentNode, hasNames: Bool)] = [(root, false)]
        while let (node, hasNames) = pending.popLast() {
            switch node.value {
            case .array(let elements): pending += elements.reversed().map { ($0, false) }
            case .object(let members):
                // A text isn't what a name stands for: it refers to all of them.
                if !hasNames || node["$ref"]?.string != nil { body(node) }
                for member in members.reversed()
                where hasNames || !data.contains(member.key) || member.key == "example" && isReference(member.value) {
                    pending.append((member.value, !hasNames && maps.contains(member.key)))
                }
            case .null, .bool, .number, .string: break
            }
        }
    }
}
