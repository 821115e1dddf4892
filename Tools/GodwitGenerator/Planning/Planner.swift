/// Plans a client: names, types, operations and what they have in common.
struct Planner {
    private let description: APIDescription
    private let options: GeneratorOptions
    private let operations: [Operation]
    private let webhooks: [Operation]
    private let name: String
    private let keys: ClientPlan.KeyStyle
    private var types: TypePlanner
    private var notes: [Note]

    static func plan(_ description: APIDescription, _ options: GeneratorOptions) throws(GenerationError) -> ClientPlan {
        var planner = try Planner(description, options)
        return planner.plan()
    }

    private init(_ description: APIDescription, _ options: GeneratorOptions) throws(GenerationError) {
        self.description = description
        self.options = options
        operations = try Self.selected(from: description, options.only)
        webhooks = description.webhooks.filter { options.only.isEmpty || options.only.contains(where: $0.matches) }
        name = Self.name(options.name ?? description.title)
        let usage = SchemaUsage(of: operations, receiving: webhooks, in: description)
        keys = Self.keyStyle(of: operations + webhooks, in: description)
        types = TypePlanner(description, usage, prefix: name)
        notes = description.notes
    }

    private mutating func plan() -> ClientPlan {
        var plan = ClientPlan(name: name, title: description.title)
        plan.summary = description.summary
        plan.version = description.version
        plan.keys = keys
        plan.environments = EnvironmentPlan.all(of: options.baseURL.map { [Server(url: $0)] } ?? description.servers)
        plan.catalogs = catalogs()
        plan.webhooks = WebhookPlan.plans(for: webhooks, &types)
        plan.security = description.security
        plan.credentials = credentials(for: plan.operations)
        if options.only.isEmpty { types.planUnused(description.schemas.map(\.name)) }
        types.breakCycles()
        plan.models = types.models.values.sorted { $0.name < $1.name }
        let failures = FailureTypes(of: plan.operations, plan.index)
        plan.failures = failures.plans
        notes += failures.notes
        plan.notes = notes + types.notes
        return plan
    }

    /// The operations with one of the tags or names; all if none are given.
    private static func selected(
        from description: APIDescription, _ only: [String]
    ) throws(GenerationError) -> [Operation] {
        guard !only.isEmpty else { return description.operations }
        let all = description.operations + description.webhooks
        for name in only where !all.contains(where: { $0.matches(name) }) {
            let tags = Set(description.operations.flatMap(\.tags)).sorted().joined(separator: ", ")
            throw GenerationError(.invalid, "unknown tag or operation \"\(name)\"; the tags are: \(tags)")
        }
        return description.operations.filter { operation in only.contains { operation.matches($0) } }
    }

    /// `Redocly Museum API` is `RedoclyMuseum`.
    private static func name(_ title: String) -> String {
        var words = SwiftName.words(of: title)
        while words.count > 1, let last = words.last?.lowercased(),
            ["api", "rest", "service", "openapi"].contains(last)
        {
            words.removeLast()
        }
        let name = SwiftName.type(words.prefix(4).joined(separator: " "))
        return ReservedNames.types.contains(name) ? name + "Service" : name
    }

    /// Snake case is converted by the client if no key of the API is changed by it.
    private static func keyStyle(of operations: [Operation], in description: APIDescription) -> ClientPlan.KeyStyle {
        var keys: Set<String> = []
        for schema in description.schemas.map(\.schema) { keys.formUnion(schema.keys) }
        for operation in operations {
            let contents = (operation.body?.contents ?? []) + operation.responses.flatMap(\.contents)
            for content in contents {
                keys.formUnion(content.schema?.keys ?? [])
                keys.formUnion(content.itemSchema?.keys ?? [])
            }
        }
        // Keys that are found only in the document would be converted too.
        let isOpen = description.schemas.contains { $0.schema.hasOpenObjects }
        let converts = !isOpen && keys.contains { $0.contains("_") } && keys.allSatisfy(SnakeCaseKey.roundTrips)
        return converts ? .snakeCase : .asWritten
    }

    private mutating func catalogs() -> [CatalogPlan] {
        var planner = OperationPlanner(for: operations, of: name)
        var order: [String] = []
        var groups: [String: [OperationPlan]] = [:]
        for operation in operations {
            let tag = operation.tags.first ?? operation.firstSegment ?? name
            if groups[tag] == nil { order.append(tag) }
            groups[tag, default: []] += planner.plans(for: operation, &types, description)
        }
        notes += planner.notes
        var names = NameTable.types()
        return order.map { tag in
            CatalogPlan(
                name: names.take(SwiftName.type(tag)), summary: description.tags[tag], operations: groups[tag] ?? [])
        }
    }

    private func credentials(for operations: [OperationPlan]) -> [CredentialPlan] {
        let used = Set(
            (description.security + self.operations.flatMap { $0.security ?? [] }).flatMap(\.schemes).map(\.name))
        let defaults = Set(description.security.flatMap(\.schemes).map(\.name))
        var names = NameTable.members(ReservedNames.credentials)
        return description.securitySchemes.filter { used.contains($0.name) }.map { scheme in
            CredentialPlan(
                name: names.take(SwiftName.member(scheme.name)), scheme: scheme,
                isDefault: defaults.contains(scheme.name))
        }
    }
}

extension Operation {
    func matches(_ name: String) -> Bool {
        id == name || tags.contains { $0.lowercased() == name.lowercased() }
            || id.map { SwiftName.member($0) } == name
    }

    /// The first part of the path that isn't a parameter, a version or `api`.
    var firstSegment: String? {
        path.split(separator: "/").map(String.init).first { segment in
            !segment.hasPrefix("{") && !SwiftName.isBaseSegment(segment)
        }
    }
}

extension Schema {
    /// Whether an object in this schema has properties and other members.
    fileprivate var hasOpenObjects: Bool {
        if case .object(let object) = kind, !object.properties.isEmpty, object.additional != nil { return true }
        return children.contains { $0.hasOpenObjects }
    }

    /// The keys of all properties in this schema, without those of schemas that it refers to.
    var keys: Set<String> {
        var keys = Set(children.flatMap(\.keys))
        if case .object(let object) = kind { keys.formUnion(object.properties.map(\.name)) }
        return keys
    }
}

extension EnvironmentPlan {
    /// Whether a URL names a host.
    static func isAbsolute(_ url: String) -> Bool {
        ["https://", "http://"].contains { url.hasPrefix($0) && !url.dropFirst($0.count).prefix { $0 != "/" }.isEmpty }
    }

    static func all(of servers: [Server]) -> [EnvironmentPlan] {
        var names = NameTable.members()
        return servers.enumerated().map { index, server in
            let words = server.summary.map { SwiftName.words(of: $0) } ?? []
            let known = ["production", "staging", "sandbox", "development", "local", "test", "testing"]
            let name = words.lazy.map { $0.lowercased() }.first { known.contains($0) }
            var variableNames = NameTable.members(in: .parameter)
            return EnvironmentPlan(
                name: names.take(name ?? (index == 0 ? "production" : "server\(index + 1)")), summary: server.summary,
                url: server.url,
                variables: server.variables.map { variable in
                    Variable(
                        key: variable.name, name: variableNames.take(SwiftName.member(variable.name)),
                        defaultValue: variable.defaultValue, values: variable.values, summary: variable.summary)
                })
        }
    }
}
