/// Plans the operations of an API: names, arguments, bodies and what they return.
struct OperationPlanner {
    var names = NameTable.members(ReservedNames.endpoints)
    var notes: [Note] = []
    var errors: ErrorShapes

    /// - Parameters:
    ///   - operations: All operations of the API.
    ///   - name: The name of the API in Swift.
    init(for operations: [Operation], of name: String) {
        errors = ErrorShapes(of: operations, named: name + " error")
    }

    /// The endpoints for an operation: one for its data, and one for each other kind of content that it takes or answers with.
    mutating func plans(
        for operation: Operation, _ types: inout TypePlanner, _ description: APIDescription
    ) -> [OperationPlan] {
        let name = names.take(Self.name(of: operation))
        var labels = NameTable.members(in: .parameter)
        let path = pathParts(of: operation, &labels)
        var plan = OperationPlan(
            name: name, method: operation.method, path: path.parts, response: .none, authentication: .inherited,
            source: operation)
        plan.summary = Self.summary(of: operation, besides: name)
        plan.isDeprecated = operation.isDeprecated
        plan.server = server(of: operation, description, &labels)
        plan.ownEnvironments = plan.server == nil ? [] : Self.environments(of: operation, description)
        plan.authentication = Self.authentication(of: operation, description)
        types.direction = .request
        plan.fixedQuery = operation.pathItems.filter { $0.parameter == nil }.map { .init(key: $0.key, value: $0.value) }
        plan.parameters = parameters(of: operation, path.names, named: name, &labels, &types)
        let (sent, labelsWithoutBody) = (sent(operation, types), labels)
        plan.body = body(of: operation, sent.first, named: name, &labels, &types)
        types.direction = .response
        // A response to HEAD has no body, whatever the document says.
        let byStatus = self.responses(byStatusOf: operation, named: name, &types)
        let offered = operation.method == "HEAD" ? [] : Self.offered(Self.answers(of: operation))
        // The enum has the first one.
        let contents = byStatus == nil ? offered : Array(offered.dropFirst())
        let mayBeEmpty = byStatus == nil && !contents.isEmpty && operation.successes.contains { $0.contents.isEmpty }
        let envelope = mayBeEmpty || byStatus != nil ? nil : contents.first.flatMap { types.envelope(of: $0) }
        let results = responses(
            contents, in: envelope, endingWith: types.endMarker(of: operation), named: name, &types)
        plan.failures = failures(of: operation, named: name, &types)
        types.direction = [.request, .response]
        plan.response = byStatus.map(ResponsePlan.byStatus) ?? results.first ?? .none
        plan.envelope = envelope?.name
        if case .json(let type) = plan.response, mayBeEmpty {
            plan.response = .json(.optional(type.unwrapped))
            plan.mayBeEmpty = true
        }
        plan.accept = accept(for: plan, isOneOfSeveral: offered.count > 1)
        noteOthers(Self.answers(of: operation), than: offered, "response", "read", of: operation)
        plan.paging = PagingPlan(of: plan, types.index)
        if case .cursor(let cursor, _) = plan.paging?.kind { allowFirstPage(cursor, in: &plan) }
        if plan.paging?.items == ["items"], case .json(let page) = plan.response, types.renameOptionalItems(of: page) {
            plan.paging?.items = [PageShape.renamedItems]
        }
        let others = zip(contents, results).dropFirst(byStatus == nil ? 1 : 0)
        types.direction = .request
        let sendings = sendings(of: plan, Array(sent.dropFirst()), labelsWithoutBody, &types)
        types.direction = [.request, .response]
        return [plan] + variants(of: plan, Array(others)) + sendings
    }

    /// Names something of the document that isn't generated, or only in part.
    mutating func note(_ text: String, at place: SourcePlace?) {
        notes.append(Note(.omission, text, at: place))
    }

    /// The names of the API's environments that an operation can be sent to.
    private static func environments(of operation: Operation, _ description: APIDescription) -> [String] {
        let own = Set(operation.servers.map(\.url))
        return EnvironmentPlan.all(of: description.servers).filter { own.contains($0.url) }.map(\.name)
    }

    /// The base URL of an operation, if it isn't sent to all of the API's.
    private mutating func server(
        of operation: Operation, _ description: APIDescription, _ labels: inout NameTable
    ) -> EnvironmentPlan? {
        let own = Set(operation.servers.map(\.url))
        guard let first = operation.servers.first,
            description.servers.isEmpty || !description.servers.allSatisfy({ own.contains($0.url) }),
            var plan = EnvironmentPlan.all(of: [first]).first
        else { return nil }
        guard EnvironmentPlan.isAbsolute(first.url) || !first.url.contains("://") else {
            let text = "the server `\(first.url)` of \(operation.method) \(operation.path) is left out: it has no host"
            note(text, at: operation.place)
            return nil
        }
        for index in plan.variables.indices { plan.variables[index].name = labels.take(plan.variables[index].name) }
        let others = operation.servers.dropFirst().map(\.url).filter { url in
            !description.servers.contains { $0.url == url }
        }
        if !others.isEmpty {
            note(
                "\(operation.method) \(operation.path) is sent to \(first.url), not to "
                    + others.joined(separator: ", "), at: operation.place)
        }
        return plan
    }

    /// Makes a cursor optional: the first page has none.
    private mutating func allowFirstPage(_ cursor: String, in plan: inout OperationPlan) {
        guard let index = plan.parameters.firstIndex(where: { $0.name == cursor && !$0.type.isOptional }) else {
            return
        }
        var parameter = plan.parameters.remove(at: index)
        parameter.type = .optional(parameter.type)
        plan.parameters.append(parameter)
        notes.append(
            Note(
                .guess, "`\(cursor)` of `\(plan.name)` is optional: the first page has no cursor", at: plan.source.place
            ))
    }

    /// Without a summary that only repeats the name: FastAPI makes one of each function's name.
    private static func summary(of operation: Operation, besides name: String) -> String? {
        let summary = operation.summary.flatMap { SwiftName.isSame($0, name) ? nil : $0 }
        let parts = [summary, operation.description].compactMap { $0 }.filter { !$0.isEmpty }
        guard let first = parts.first else { return nil }
        let rest = parts.dropFirst().filter { $0 != first }
        return ([first] + rest).joined(separator: "\n\n")
    }

    private static func authentication(
        of operation: Operation, _ description: APIDescription
    ) -> OperationPlan.Authentication {
        guard let security = operation.security else { return .inherited }
        let isOpen = security.isEmpty || security.allSatisfy { $0.schemes.isEmpty }
        return isOpen && !description.securitySchemes.isEmpty ? .unneeded : .inherited
    }

    // MARK: Names

    /// The operationId as a Swift name, without what FastAPI adds to it; else a name made of method and path.
    static func name(of operation: Operation) -> String {
        if let id = operation.id, !id.isEmpty {
            let path = operation.path.map { $0.isLetter || $0.isNumber ? $0 : "_" }
            let ending = String(path) + "_" + operation.method.lowercased()
            if id.hasSuffix(ending), id.count > ending.count {
                return SwiftName.member(String(id.dropLast(ending.count)))
            }
            return avoidingVerb(SwiftName.member(id), operation)
        }
        let segments = operation.plainPath.split(separator: "/").filter { !SwiftName.isBaseSegment($0) }
        let nouns = segments.filter { !$0.hasPrefix("{") }.map(String.init)
        let endsInItem = segments.last?.hasPrefix("{") == true
        var noun = SwiftName.type(nouns.joined(separator: " "))
        if endsInItem || operation.method == "POST" { noun = EnglishNoun.singular(ofName: noun) }
        return verb(of: operation.method) + noun
    }

    private static func verb(of method: String) -> String {
        switch method {
        case "GET": "get"
        case "POST": "create"
        case "PUT": "replace"
        case "PATCH": "update"
        default: SwiftName.member(method)
        }
    }

    /// `get` alone is a member of `Endpoint`.
    private static func avoidingVerb(_ name: String, _ operation: Operation) -> String {
        let isTaken = ReservedNames.endpoints.contains(name) || ReservedNames.language(.member).contains(name)
        guard isTaken else { return name }
        return name + SwiftName.type(operation.firstSegment ?? operation.tags.first ?? "operation")
    }

    // MARK: Path and parameters

    private mutating func pathParts(
        of operation: Operation, _ labels: inout NameTable
    ) -> (parts: [OperationPlan.PathPart], names: [String: String]) {
        var parts: [OperationPlan.PathPart] = []
        var names: [String: String] = [:]
        var rest = operation.plainPath.hasPrefix("/") ? operation.plainPath.dropFirst() : operation.plainPath
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let key = String(rest[rest.index(after: open)..<close])
            guard !key.isEmpty else {
                parts.append(.text(String(rest[...close])))
                rest = rest[rest.index(after: close)...]
                continue
            }
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            let name = names[key] ?? labels.take(SwiftName.member(key))
            names[key] = name
            parts.append(.parameter(name))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return (parts, names)
    }

    private mutating func parameters(
        of operation: Operation, _ pathNames: [String: String], named name: String, _ labels: inout NameTable,
        _ types: inout TypePlanner
    ) -> [ParameterPlan] {
        var plans: [ParameterPlan] = []
        for parameter in operation.parameters.map(operation.placed) {
            if parameter.location == .path, pathNames[parameter.name] == nil { continue }
            let label =
                pathNames[parameter.name].flatMap { parameter.location == .path ? $0 : nil }
                ?? labels.take(SwiftName.member(parameter.name))
            let place = TypePlanner.Place(parent: nil, name: name + " " + parameter.name)
            let base = types.type(of: parameter.schema, .draft, at: place)
            guard let serialization = ParameterPlan.Serialization(of: parameter, base, types.index) else {
                omit(parameter, of: operation)
                continue
            }
            let isRequired = parameter.isRequired || parameter.location == .path
            noteIgnored(parameter, base, of: operation)
            plans.append(
                ParameterPlan(
                    name: label, key: parameter.name, location: parameter.location,
                    type: isRequired ? base : .optional(base), serialization: serialization,
                    summary: parameter.summary ?? parameter.schema.summary, style: parameter.style))
        }
        return plans.filter { !$0.type.isOptional } + plans.filter(\.type.isOptional)
    }

    private mutating func omit(_ parameter: Parameter, of operation: Operation) {
        note(
            "the \(parameter.location.rawValue) parameter `\(parameter.name)` of \(operation.method) "
                + "\(operation.path) is left out: its type can't be sent as text", at: operation.place)
    }

    /// Keywords of a parameter that make no difference to what is sent.
    private mutating func noteIgnored(_ parameter: Parameter, _ type: SwiftType, of operation: Operation) {
        func note(_ text: String) {
            self.note(text, at: parameter.schema.place ?? operation.place)
        }
        // In a query, reserved characters are sent as they are, except those that would end the value.
        if parameter.allowsReserved, parameter.location != .query {
            note(
                "`allowReserved` of `\(parameter.name)` is ignored: reserved characters are sent percent-encoded, which a "
                    + "server decodes")
        }
        if parameter.allowsEmpty, type.unwrapped != .string {
            note("`allowEmptyValue` of `\(parameter.name)` is ignored: its type has no empty value")
        }
    }
}

extension SwiftType {
    /// Whether a value is one text in a query.
    var isText: Bool {
        switch self {
        case .builtin(let name): !["JSONValue", "Data", "URL"].contains(name)
        case .open: true
        default: false
        }
    }

    var isTextOrTexts: Bool {
        if case .array(let element) = self { element.isText } else { isText }
    }
}

extension ResponsePlan {
    var isStream: Bool {
        switch self {
        case .events, .lines: true
        default: false
        }
    }
}
