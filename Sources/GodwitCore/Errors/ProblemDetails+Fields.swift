extension ProblemDetails {
    /// Finds what is wrong with which field, in the shapes that servers use.
    ///
    /// - `{"errors": {"title": ["is too short"]}}`, and a text or objects with a `message` in place of the texts
    /// - `{"errors": [{"field": "title", "message": "is too short"}]}`; the field is also called name, path, param, pointer,
    ///   loc, property, source or target
    /// - `fields`, `violations`, `issues`, `invalid-params` and the like in place of `errors`
    /// - `{"detail": [{"loc": ["body", "title"], "msg": "is too short"}]}` (FastAPI)
    /// - `{"title": ["is too short"]}` and nothing else (Rails, Django)
    struct Fields {
        private(set) var found: [NetworkError.FieldError] = []

        private static let containers = [
            "errors", "fields", "fielderrors", "validationerrors", "invalidparams", "violations", "fieldviolations",
            "issues", "detail", "details", "message",
        ]
        /// Names that stand for the whole, if all that there is are texts in arrays.
        private static let wholes: Set = ["errors", "error", "detail", "details", "message", "messages"]
        /// The most fields of one body, and how deep they may be nested.
        private static let limit = 100
        private static let deepest = 4

        init(_ members: NamedMembers, _ all: [String: JSONTree]) {
            for name in Self.containers where found.isEmpty {
                if let json = members[name] { add(json) }
            }
            // JSend: {"status": "fail", "data": {"title": "is required"}}
            if found.isEmpty, members["status"]?.line == "fail", let data = members["data"] { add(data) }
            for case .object(let plain)? in [.object(all), members["error"]] where found.isEmpty {
                if plain.allSatisfy({ $1.isTexts && !Self.wholes.contains($0) }) { add(.object(plain)) }
            }
        }

        private mutating func add(_ json: JSONTree) {
            switch json {
            case .object(let members):
                // OData: {"message": {"lang": "en", "value": "The name is taken"}}
                if members["lang"] != nil, members["value"] != nil { return }
                let isWhole = members.count == 1 && members.allSatisfy { Self.wholes.contains($0) && $1.line != nil }
                if !isWhole { add(members, below: "", depth: 1) }
            case .array(let elements):
                for element in elements.prefix(Self.limit) { add(element: element) }
            default: break
            }
        }

        private mutating func add(_ members: [String: JSONTree], below path: String, depth: Int) {
            for (name, json) in members.sorted(by: { $0.key < $1.key }) where found.count < Self.limit {
                let place = name == "_errors" ? path : path.isEmpty ? name : "\(path).\(name)"
                let messages = json.messages
                if !messages.isEmpty, !place.isEmpty {
                    found.append(.init(field: place, messages: messages))
                } else if case .object(let nested) = json, depth < Self.deepest {
                    add(nested, below: place, depth: depth + 1)
                }
            }
        }

        private mutating func add(element: JSONTree) {
            guard let members = NamedMembers(element) else { return }
            if let name = FieldName.of(element) {
                let messages = FieldName.messages.lazy.compactMap { members[$0]?.messages }.first { !$0.isEmpty }
                if let messages { found.append(.init(field: name, messages: messages)) }
            } else if case .array(let nested)? = members["fieldviolations"] {
                // Google: {"details": [{"@type": …, "fieldViolations": […]}]}
                for element in nested.prefix(Self.limit) where FieldName.of(element) != nil { add(element: element) }
            }
        }
    }
}

/// How elements of a list of errors name the field.
enum FieldName {
    fileprivate static let messages = [
        "message", "messages", "defaultmessage", "detail", "msg", "description", "reason", "error", "title", "code",
    ]
    private static let names = [
        "field", "name", "path", "propertypath", "param", "pointer", "loc", "property", "source", "target",
    ]
    /// The part of the request that a path begins with (FastAPI).
    private static let parts: Set = ["body", "query", "path", "header", "cookie"]

    /// The field that an element speaks of; `nil` if it names none.
    static func of(_ element: JSONTree) -> String? {
        guard let members = NamedMembers(element) else { return nil }
        // GraphQL's `path` is one in the answer, not in what was sent.
        if members["locations"] != nil || members["extensions"] != nil { return nil }
        return names.lazy.compactMap { members[$0].flatMap(path) }.first
    }

    /// A name, a list of steps (`["body", "title"]`), a JSON pointer, or an object with one.
    private static func path(_ json: JSONTree) -> String? {
        switch json {
        case .array(let steps):
            let names = steps.compactMap(\.scalar)
            let isPart = names.count > 1 && names.first.map(parts.contains) == true
            return names.isEmpty ? nil : names.dropFirst(isPart ? 1 : 0).joined(separator: ".")
        case .object(let members):
            return (members["pointer"]?.line ?? members["parameter"]?.line).map(pointed)
        default:
            return json.scalar.map(pointed)
        }
    }

    /// `#/profile/color` and `/data/attributes/title` as `profile.color` and `title` (RFC 6901, JSON:API).
    private static func pointed(_ text: String) -> String {
        guard text.hasPrefix("/") || text.hasPrefix("#/") else { return text }
        var steps = text.split(separator: "/").drop { $0 == "#" }
        if steps.count > 2, steps.starts(with: ["data", "attributes"]) { steps = steps.dropFirst(2) }
        let names = steps.map { $0.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/") }
        let path = names.map { $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~") }
            .joined(separator: ".")
        return path.isEmpty ? text : path
    }
}

extension JSONTree {
    /// Texts in an array, at least one.
    fileprivate var isTexts: Bool {
        guard case .array(let elements) = self, !elements.isEmpty else { return false }
        return elements.allSatisfy { $0.line != nil }
    }

    /// A text, a list of texts, or the messages in a list of objects.
    fileprivate var messages: [String] {
        switch self {
        case .string: line.map { [$0] } ?? []
        case .array(let elements): elements.flatMap(\.messages)
        case .object(let members):
            (members["message"] ?? members["detail"] ?? members["msg"] ?? members["_errors"])?.messages ?? []
        default: []
        }
    }
}
