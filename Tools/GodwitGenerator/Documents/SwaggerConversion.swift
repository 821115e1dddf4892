import GodwitWire

/// Makes OpenAPI 3.0 of Swagger 2.0, so that one reader is enough. Each part keeps its place.
struct SwaggerConversion {
    private typealias Member = DocumentNode.Member

    private let file: String
    private let root: DocumentNode
    /// The whole documents of Swagger 2.0, by their names.
    private let documents: [String: DocumentNode]

    /// All files with those of Swagger 2.0 converted, and with references into them.
    static func converted(
        _ files: [String: Result<DocumentNode, GenerationError>]
    ) -> [String: Result<DocumentNode, GenerationError>] {
        let documents = files.compactMapValues { file in
            (try? file.get()).flatMap { $0["swagger"]?.text?.hasPrefix("2") == true ? $0 : nil }
        }
        if documents.isEmpty { return files }
        var converted = files
        for (name, file) in files {
            converted[name] = file.map { node in
                let conversion = SwaggerConversion(file: name, root: node, documents: documents)
                return documents[name] == nil ? conversion.referring(node) : conversion.document
            }
        }
        return converted
    }

    // MARK: The document

    private var document: DocumentNode {
        let kept = ["info", "tags", "security", "externalDocs"]
        var members = root.members.filter { kept.contains($0.key) || $0.key.hasPrefix("x-") }
        members.insert(Member(key: "openapi", value: text("3.0.3", at: root["swagger"] ?? root)), at: 0)
        if !servers.isEmpty { members.append(Member(key: "servers", value: list(servers, at: root["host"] ?? root))) }
        if let paths = root["paths"] {
            members.append(Member(key: "paths", value: mapped(paths) { $0.hasPrefix("/") ? pathItem($1) : $1 }))
        }
        members.append(Member(key: "components", value: components))
        return object(members, at: root)
    }

    /// The first is for `https` if there is one. Without a host, a path.
    private var servers: [DocumentNode] {
        let base = root["basePath"]?.text.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? ""
        let place = root["host"] ?? root["basePath"] ?? root
        func server(_ url: String) -> DocumentNode {
            object([Member(key: "url", value: text(url, at: place))], at: place)
        }
        guard let host = root["host"]?.text else { return base.isEmpty ? [] : [server(base)] }
        let schemes = (root["schemes"]?.elements.compactMap(\.text) ?? []).filter { ["https", "http"].contains($0) }
        return (schemes.isEmpty ? ["https"] : schemes.sorted(by: >)).map { server("\($0)://\(host)\(base)") }
    }

    private var components: DocumentNode {
        let parameters = root["parameters"]?.members ?? []
        let own = parameters.filter { !["body", "formData"].contains($0.value["in"]?.text) }
        let bodies = parameters.filter { $0.value["in"]?.text == "body" }
        let groups: [(String, [Member], (DocumentNode) -> DocumentNode)] = [
            ("schemas", root["definitions"]?.members ?? [], schema),
            ("responses", root["responses"]?.members ?? [], { response($0, produced: root["produces"]) }),
            ("parameters", own, parameter), ("requestBodies", bodies, { body($0, consumed: root["consumes"]) }),
            ("securitySchemes", root["securityDefinitions"]?.members ?? [], securityScheme),
        ]
        return object(
            groups.filter { !$0.1.isEmpty }.map { name, members, convert in
                Member(
                    key: name, value: object(members.map { Member(key: $0.key, value: convert($0.value)) }, at: root))
            }, at: root)
    }

    private func securityScheme(_ node: DocumentNode) -> DocumentNode {
        switch node["type"]?.text {
        case "basic": return replaced(node, ["type": text("http", at: node), "scheme": text("basic", at: node)])
        case "oauth2":
            let names = ["application": "clientCredentials", "accessCode": "authorizationCode"]
            let flow = node["flow"]?.text ?? ""
            let keys = ["authorizationUrl", "tokenUrl", "scopes", "flow"]
            let parts = node.members.filter { keys.dropLast().contains($0.key) }
            let flows = object([Member(key: names[flow] ?? flow, value: object(parts, at: node))], at: node)
            return replaced(without(keys, node), ["flows": flows])
        default: return node
        }
    }

    // MARK: Operations

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch"]

    private func pathItem(_ item: DocumentNode) -> DocumentNode {
        let shared = item["parameters"]?.elements ?? []
        return mapped(item) { key, value in
            switch key {
            case "$ref": text(reference(value.text ?? ""), at: value)
            case "parameters": list(shared.filter { !isBody($0) }.map(parameter), at: value)
            case _ where Self.methods.contains(key): operation(value, shared: shared)
            default: value
            }
        }
    }

    private func operation(_ node: DocumentNode, shared: [DocumentNode]) -> DocumentNode {
        let own = node["parameters"]?.elements ?? []
        var parts: [String: DocumentNode] = [:]
        if !own.isEmpty { parts["parameters"] = list(own.filter { !isBody($0) }.map(parameter), at: node) }
        let names = Set(own.map(identity))
        let all = own + shared.filter { !names.contains(identity($0)) }
        parts["requestBody"] = requestBody(all.filter(isBody), consumed: node["consumes"] ?? root["consumes"])
        let produced = node["produces"] ?? root["produces"]
        parts["responses"] = node["responses"].map { responses in
            mapped(responses) { $0.hasPrefix("x-") ? $1 : response($1, produced: produced) }
        }
        return replaced(without(["consumes", "produces", "schemes", "parameters"], node), parts)
    }

    private func identity(_ parameter: DocumentNode) -> [String?] {
        let node = resolved(parameter)
        return [node["in"]?.text, node["name"]?.text]
    }

    private func isBody(_ parameter: DocumentNode) -> Bool {
        ["body", "formData"].contains(resolved(parameter)["in"]?.text)
    }

    /// The body of an operation: one parameter for all of it, or one for each field of a form.
    private func requestBody(_ parameters: [DocumentNode], consumed: DocumentNode?) -> DocumentNode? {
        let nodes = parameters.map(resolved)
        if let index = nodes.firstIndex(where: { $0["in"]?.text == "body" }) {
            return body(nodes[index], consumed: consumed)
        }
        guard let first = nodes.first else { return nil }
        let types = consumed?.elements.compactMap(\.text) ?? []
        let hasFiles = nodes.contains { $0["type"]?.text == "file" }
        let isMultipart = hasFiles || types.contains("multipart/form-data")
        let required = nodes.filter { $0["required"]?.bool == true }.compactMap { $0["name"] }
        let fields = nodes.compactMap { node in
            node["name"]?.text.map { Member(key: $0, value: valueSchema(of: node, keeping: ["description"])) }
        }
        let encodings = nodes.compactMap { node in
            style(of: node).flatMap { style in
                node["name"]?.text.map { Member(key: $0, value: object(style, at: node)) }
            }
        }
        let schema = object(
            [
                Member(key: "type", value: text("object", at: first)),
                Member(key: "required", value: list(required, at: first)),
                Member(key: "properties", value: object(fields, at: first)),
            ], at: first)
        var media = [Member(key: "schema", value: schema)]
        if !encodings.isEmpty { media.append(Member(key: "encoding", value: object(encodings, at: first))) }
        let type = isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded"
        let content = object([Member(key: type, value: object(media, at: first))], at: first)
        return object(
            [
                Member(key: "content", value: content),
                Member(key: "required", value: DocumentNode(value: .bool(!required.isEmpty), place: first.place)),
            ], at: first)
    }

    private func body(_ node: DocumentNode, consumed: DocumentNode?) -> DocumentNode {
        let media = node["schema"].map { [Member(key: "schema", value: schema($0))] } ?? []
        let kept = node.members.filter { ["description", "required"].contains($0.key) || $0.key.hasPrefix("x-") }
        let content = content(types(of: node["schema"] ?? node, consumed), media, at: node)
        return object(kept + [Member(key: "content", value: content)], at: node)
    }

    private func response(_ node: DocumentNode, produced: DocumentNode?) -> DocumentNode {
        if node["$ref"] != nil { return referring(node) }
        var parts: [String: DocumentNode] = [:]
        parts["headers"] = node["headers"].map { headers in
            mapped(headers) { _, header in
                let kept = header.members.filter { $0.key == "description" || $0.key.hasPrefix("x-") }
                return object(kept + [Member(key: "schema", value: valueSchema(of: header))], at: header)
            }
        }
        if let body = node["schema"] {
            let examples = node["examples"]
            let media = [Member(key: "schema", value: schema(body))]
            parts["content"] = mapped(content(types(of: body, produced), media, at: body)) {
                guard let example = examples?[$0] else { return $1 }
                return replaced($1, ["example": example])
            }
        }
        return replaced(without(["schema", "examples"], node), parts)
    }

    /// The media types of a body. A file isn't JSON, whatever the document produces otherwise.
    private func types(of body: DocumentNode, _ known: DocumentNode?) -> [String] {
        let names = known?.elements.compactMap(\.text) ?? []
        guard body["type"]?.text == "file" else { return names.isEmpty ? ["application/json"] : names }
        let others = names.filter { $0 != "*/*" && MediaType($0)?.isJSON != true }
        return others.isEmpty ? ["application/octet-stream"] : others
    }

    /// The same parts for each media type.
    private func content(_ types: [String], _ parts: [Member], at node: DocumentNode) -> DocumentNode {
        object(types.map { Member(key: $0, value: object(parts, at: node)) }, at: node)
    }

    // MARK: Parameters

    private static let ofParameters = ["name", "in", "description", "required", "allowEmptyValue"]

    private func parameter(_ node: DocumentNode) -> DocumentNode {
        if node["$ref"] != nil { return referring(node) }
        var members = node.members.filter { Self.ofParameters.contains($0.key) || $0.key.hasPrefix("x-") }
        members.append(Member(key: "schema", value: valueSchema(of: node)))
        return object(members + (style(of: node) ?? []), at: node)
    }

    /// The schema of a value whose keywords stand next to its name.
    private func valueSchema(of node: DocumentNode, keeping kept: [String] = []) -> DocumentNode {
        let others = Self.ofParameters.filter { !kept.contains($0) } + ["collectionFormat"]
        return schema(without(others, node))
    }

    /// How the elements of a list are written; `nil` for other values, and where there is one way only.
    private func style(of node: DocumentNode) -> [Member]? {
        guard node["type"]?.text == "array", ["query", "formData"].contains(node["in"]?.text) else { return nil }
        let format = node["collectionFormat"]?.text ?? "csv"
        let styles = ["csv": "form", "multi": "form", "ssv": "spaceDelimited", "pipes": "pipeDelimited"]
        return [
            Member(key: "style", value: text(styles[format] ?? format, at: node)),
            Member(key: "explode", value: DocumentNode(value: .bool(format == "multi"), place: node.place)),
        ]
    }

    // MARK: Schemas

    private func schema(_ node: DocumentNode) -> DocumentNode {
        let converted = mapped(node) { key, value in
            switch key {
            case "$ref": return text(reference(value.text ?? ""), at: value)
            case "type" where value.text == "file": return text("string", at: value)
            case "discriminator" where value.string != nil:
                return object([Member(key: "propertyName", value: value)], at: value)
            case "properties": return mapped(value) { schema($1) }
            case "items", "additionalProperties", "not": return schema(value)
            case "allOf", "anyOf", "oneOf": return list(value.elements.map(schema), at: value)
            default: return value
            }
        }
        var parts: [String: DocumentNode] = [:]
        if node["type"]?.text == "file" { parts["format"] = text("binary", at: node) }
        parts["nullable"] = node["x-nullable"]
        return replaced(without(["x-nullable"], converted), parts)
    }

    // MARK: References

    /// The same value with other references: for what has no other words of Swagger, or of which the kind isn't known.
    private func referring(_ node: DocumentNode) -> DocumentNode {
        switch node.value {
        case .array(let elements): return list(elements.map(referring), at: node)
        case .object:
            return mapped(node) { key, value in
                key == "$ref" ? value.string.map { text(reference($0), at: value) } ?? value : referring(value)
            }
        default: return node
        }
    }

    /// A part of a document of Swagger 2.0: its file as it was written, the document, `definitions`, and the rest of the pointer.
    private func target(
        of reference: String
    ) -> (file: Substring, document: DocumentNode, group: String, name: String)? {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let document = documents[DocumentAddress.resolve(String(parts[0]), from: file)] else {
            return nil
        }
        let tokens = parts[1].split(separator: "/", maxSplits: 1).map(String.init)
        return tokens.count == 2 ? (parts[0], document, tokens[0], tokens[1]) : nil
    }

    /// Where the target of a reference is after the conversion.
    private func reference(_ text: String) -> String {
        guard let target = target(of: text) else { return text }
        let isBody = target.document["parameters"]?[target.name]?["in"]?.text == "body"
        let places = [
            "definitions": "schemas", "responses": "responses", "parameters": isBody ? "requestBodies" : "parameters",
        ]
        return places[target.group].map { "\(target.file)#/components/\($0)/\(target.name)" } ?? text
    }

    /// The parameter that a node is or refers to.
    private func resolved(_ parameter: DocumentNode) -> DocumentNode {
        guard let target = parameter["$ref"]?.text.flatMap(target), target.group == "parameters" else {
            return parameter
        }
        return target.document["parameters"]?[target.name] ?? parameter
    }

    // MARK: Nodes

    private func text(_ text: String, at node: DocumentNode) -> DocumentNode {
        DocumentNode(value: .string(text), place: node.place)
    }

    private func list(_ elements: [DocumentNode], at node: DocumentNode) -> DocumentNode {
        DocumentNode(value: .array(elements), place: node.place)
    }

    private func object(_ members: [Member], at node: DocumentNode) -> DocumentNode {
        DocumentNode(value: .object(members), place: node.place)
    }

    /// Other values for the members of an object; any other node as it is.
    private func mapped(_ node: DocumentNode, _ change: (String, DocumentNode) -> DocumentNode) -> DocumentNode {
        guard node.isObject else { return node }
        return object(node.members.map { Member(key: $0.key, value: change($0.key, $0.value)) }, at: node)
    }

    private func without(_ keys: [String], _ node: DocumentNode) -> DocumentNode {
        guard node.isObject else { return node }
        return object(node.members.filter { !keys.contains($0.key) }, at: node)
    }

    /// The object with these members, in place of its own with the same names.
    private func replaced(_ node: DocumentNode, _ parts: [String: DocumentNode]) -> DocumentNode {
        guard node.isObject, !parts.isEmpty else { return node }
        let rest = without(Array(parts.keys), node).members
        return object(rest + parts.sorted { $0.key < $1.key }.map { Member(key: $0.key, value: $0.value) }, at: node)
    }
}
