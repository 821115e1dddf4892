import GodwitWire

extension OpenAPIReader {
    private static let methods: Set<String> = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
    ]

    /// How many parameters an operation has at most.
    static let maximumParameters = 500

    /// The operations of all paths, in document order.
    mutating func operations(in root: DocumentNode, known: Set<String>) -> [Operation] {
        var result: [Operation] = []
        var root = root
        if root["paths"]?["$ref"] != nil, let paths = root["paths"].flatMap({ resolved($0, "`paths`") }) {
            for item in paths.members { schemas.noteFields(of: item.value, .pathItem) }
            root = DocumentNode(value: .object([.init(key: "paths", value: paths)]), place: root.place)
        }
        for member in members(of: root, "paths") where !member.key.hasPrefix("x-") {
            guard isSendable(member), let item = pathItem(member.value) else { continue }
            result += operations(of: item, path: path(member), known: known)
        }
        return result
    }

    /// Whether a request can have the path, which `//` and `..` would make another one on its way.
    private mutating func isSendable(_ member: DocumentNode.Member) -> Bool {
        let path = member.key.prefix { $0 != "?" && $0 != "#" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard segments.dropLast().contains("") || segments.contains(".") || segments.contains("..") else { return true }
        note("the path `\(member.key)` is left out: it has an empty segment, or one of dots", member.value)
        return false
    }

    private mutating func path(_ member: DocumentNode.Member) -> String {
        if member.key.hasPrefix("/") { return member.key }
        note("the path `\(member.key)` has to start with `/`, which is added", member.value)
        return "/" + member.key
    }

    /// A path item; if it is a reference with siblings, both together.
    mutating func pathItem(_ node: DocumentNode) -> DocumentNode? {
        guard node["$ref"] != nil, node.members.count > 1 else { return resolved(node, "a path item", .pathItem) }
        guard let target = resolved(node, "a path item", .pathItem) else { return nil }
        let own = node.members.filter { $0.key != "$ref" }
        let keys = Set(own.map(\.key))
        return DocumentNode(
            value: .object(own + target.members.filter { !keys.contains($0.key) }), place: node.place)
    }

    mutating func operations(
        of item: DocumentNode, path: String, known: Set<String>
    ) -> [Operation] {
        let shared = parameters(of: item)
        let sharedServers = servers(in: item)
        var result: [Operation] = []
        for member in item.members where Self.methods.contains(member.key) {
            guard let operation = operation(member, path: path, shared: shared, known: known) else { continue }
            result.append(operation)
        }
        for member in members(of: item, "additionalOperations") {
            guard let operation = operation(member, path: path, shared: shared, known: known) else { continue }
            result.append(operation)
        }
        for index in result.indices where result[index].servers.isEmpty { result[index].servers = sharedServers }
        return result
    }

    private mutating func operation(
        _ member: DocumentNode.Member, path: String, shared: [Parameter], known: Set<String>
    ) -> Operation? {
        guard let node = resolved(member.value, "the operation", .operation) else { return nil }
        guard Token.isValid(member.key) else {
            note("the operation is left out: `\(member.key)` is not a method", node)
            return nil
        }
        var operation = Operation(method: member.key.uppercased(), path: path, place: node.place)
        operation.id = node["operationId"]?.text
        operation.tags = elements(of: node, "tags").compactMap(\.text)
        operation.summary = node["summary"]?.text
        operation.description = node["description"]?.text
        operation.isDeprecated = node["deprecated"]?.bool ?? false
        let own = parameters(of: node)
        operation.parameters = checked(Self.combined(shared, own), path: path, node)
        operation.body = node["requestBody"].flatMap { requestBody($0) }
        operation.responses = responses(of: node)
        if operation.responses.isEmpty, node["responses"] != nil {
            note("no response of the operation could be read; the body of one is ignored", node)
        }
        operation.security = security(in: node, known: known)
        operation.servers = servers(in: node)
        readCallbacks(of: node, known: known)
        return operation
    }

    /// The parameters of a path, replaced by those of an operation with the same name and location.
    private static func combined(_ shared: [Parameter], _ own: [Parameter]) -> [Parameter] {
        var result = shared
        for parameter in own {
            let same = result.firstIndex { $0.name == parameter.name && $0.location == parameter.location }
            if let same { result[same] = parameter } else { result.append(parameter) }
        }
        return result
    }

    /// The parameters with exactly those of the path's template.
    private mutating func checked(_ parameters: [Parameter], path: String, _ node: DocumentNode) -> [Parameter] {
        let names = Self.templateNames(path)
        var result: [Parameter] = []
        if parameters.count > Self.maximumParameters {
            note("the operation has more than \(Self.maximumParameters) parameters; the rest is left out", node)
        }
        for parameter in parameters.prefix(Self.maximumParameters) {
            if parameter.location == .path, !names.contains(parameter.name) {
                note("the parameter `\(parameter.name)` is left out: the path `\(path)` doesn't have it", node)
            } else {
                result.append(parameter)
            }
        }
        for name in names where !result.contains(where: { $0.location == .path && $0.name == name }) {
            schemas.add(
                Note(.guess, "`\(name)` of the path `\(path)` is not described; it is taken as text", at: node.place))
            result.append(
                Parameter(
                    name: name, location: .path, isRequired: true,
                    schema: Schema(.string(format: nil), place: node.place), style: .simple, explodes: false))
        }
        return result
    }

    /// The names in braces, each once.
    static func templateNames(_ path: String) -> [String] {
        var result: [String] = []
        let parts = path.split(separator: "{", maxSplits: maximumParameters, omittingEmptySubsequences: false)
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: "}") else { continue }
            let name = String(part[..<end])
            if !name.isEmpty, !result.contains(name) { result.append(name) }
        }
        return result
    }
}
