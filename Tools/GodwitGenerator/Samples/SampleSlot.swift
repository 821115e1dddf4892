/// Where the resource is in a body, and what it is called.
struct SampleSlot: Sendable {
    /// The way to the resource; empty if the body is the resource itself.
    var path: [SampleShape.Step]
    /// The name of the type.
    var name: String
    /// The name if another type has the first one.
    var fallback: String
    /// Samples of one scope must have one type.
    var scope: String
    /// The end of the name of the object around the resource; `nil` if it gets no name.
    var envelope: String?

    /// The resource in a body; `nil` if the body isn't one of a resource.
    static func slot(_ payload: SamplePayload, _ operation: SampleOperation) -> SampleSlot? {
        guard let shape = payload.shape else { return nil }
        switch payload.use {
        case .request: return request(shape, operation)
        case .answer(let status) where status >= 400: return failure(shape, status, payload.mediaType, operation)
        case .answer: return session(shape, operation) ?? answer(shape, operation)
        }
    }

    private static func names(_ operation: SampleOperation) -> (name: String, fallback: String) {
        let route = operation.route
        // `PUT /settings` is about one object with a plural name.
        let isWhole = route.kind == .collection && ["PUT", "PATCH"].contains(operation.method)
        let words = isWhole ? route.name : route.noun
        return (SampleWords.pascal(words), SampleWords.pascal(route.parent + words))
    }

    private static func request(_ shape: SampleShape, _ operation: SampleOperation) -> SampleSlot? {
        let suffixes = ["POST": "Draft", "PUT": "Draft", "PATCH": "Change"]
        guard let suffix = suffixes[operation.method], !operation.route.noun.isEmpty else { return nil }
        switch operation.route.kind {
        case .collection, .item, .single: break
        case .view, .action, .root: return nil
        }
        let (name, fallback) = names(operation)
        let path: [SampleShape.Step] = detail(shape, operation.route) ?? []
        guard let found = shape.at(path[...]), !found.keys.isEmpty else { return nil }
        return SampleSlot(
            path: path, name: name + suffix, fallback: fallback + suffix,
            scope: "\(operation.route.scope) \(suffix)")
    }

    private static func failure(
        _ shape: SampleShape, _ status: Int, _ mediaType: String, _ operation: SampleOperation
    ) -> SampleSlot? {
        guard !shape.keys.isEmpty else { return nil }
        let isProblem = mediaType.contains("problem+json")
        return SampleSlot(
            path: [], name: isProblem ? "Problem" : "ErrorResponse",
            fallback: SampleWords.pascal(SampleWords.words(operation.id)) + "Error",
            scope: "\(status) \(operation.id)")
    }

    /// The tokens in the answer of a login.
    private static func session(_ shape: SampleShape, _ operation: SampleOperation) -> SampleSlot? {
        guard operation.method == "POST" else { return nil }
        let path = detail(shape, operation.route) ?? []
        guard let found = shape.at(path[...]) else { return nil }
        let keys = Set(found.keys.map { SampleWords.words($0).joined() })
        let isAuthentication = operation.path.segments.contains { segment in
            guard case .name(let name) = segment else { return false }
            let words = SampleWords.words(name)
            let plain = words.joined()
            return ![
                "auth", "oauth", "oauth2", "login", "signin", "session", "sessions", "token", "refresh", "register",
                "signup",
            ].allSatisfy { $0 != plain && words.first != $0 }
        }
        guard keys.contains("accesstoken") || isAuthentication && !keys.isDisjoint(with: ["token", "jwt", "idtoken"])
        else { return nil }
        let name = keys.contains("refreshtoken") ? "TokenPair" : "Session"
        return SampleSlot(path: path, name: name, fallback: "Auth" + name, scope: "session", envelope: "Envelope")
    }

    private static func answer(_ shape: SampleShape, _ operation: SampleOperation) -> SampleSlot? {
        let route = operation.route
        if case .action = route.kind { return nil }
        guard !route.noun.isEmpty else { return nil }
        var (name, fallback) = names(operation)
        let isList: Bool
        if case .array(let element) = shape.kind {
            guard element.isResource else { return nil }
            return SampleSlot(path: [.element], name: name, fallback: fallback, scope: route.scope)
        } else {
            isList = [.collection, .root].contains(route.kind) && operation.method == "GET" || route.isView
        }
        if isList, let path = list(shape, route) {
            return SampleSlot(path: path, name: name, fallback: fallback, scope: route.scope, envelope: "Page")
        }
        guard !route.isView else { return nil }
        let path = detail(shape, route) ?? []
        guard let found = shape.at(path[...]), !found.keys.isEmpty else { return nil }
        if route.kind == .collection, operation.method == "GET" {
            // One object behind a plural: `/settings`.
            name = SampleWords.pascal(route.name)
            fallback = SampleWords.pascal(route.parent + route.name)
        }
        return SampleSlot(
            path: path, name: name, fallback: fallback, scope: route.scope, envelope: "Envelope")
    }

    /// The way to the elements of the only list in an envelope.
    private static func list(_ shape: SampleShape, _ route: SampleRoute) -> [SampleShape.Step]? {
        guard case .object(let members) = shape.kind else { return nil }
        let lists = members.filter { member in
            if case .array(let element) = member.shape.kind { element.isResource } else { false }
        }
        let usual = ["data", "items", "results", "records", "entries", "content", "values", "list", "rows", "hits"]
        let key =
            lists.first { SampleWords.item($0.key) == route.noun }?.key
            ?? lists.first { usual.contains($0.key.lowercased()) }?.key ?? (lists.count == 1 ? lists.first?.key : nil)
        return key.map { [.member($0), .element] }
    }

    /// The way to the only object in an envelope; `nil` without an envelope.
    private static func detail(_ shape: SampleShape, _ route: SampleRoute) -> [SampleShape.Step]? {
        guard case .object(let members) = shape.kind else { return nil }
        let around: Set<String> = [
            "meta", "links", "status", "success", "ok", "message", "code", "error", "errors", "included", "requestid",
            "timestamp", "version", "jsonapi",
        ]
        let inner = members.filter { !around.contains(SampleWords.words($0.key).joined()) }
        guard inner.count == 1, let member = inner.first, !member.shape.keys.isEmpty else { return nil }
        let usual = ["data", "item", "result", "payload", "attributes"]
        let isResource = SampleWords.words(member.key) == route.noun
        return usual.contains(member.key.lowercased()) || isResource ? [.member(member.key)] : nil
    }
}

extension SampleRoute {
    var isView: Bool {
        if case .view = kind { true } else { false }
    }
}

extension SampleShape {
    /// Whether this can be a resource: an object with members, or one that hasn't been seen yet.
    var isResource: Bool {
        switch kind {
        case .object(let members): !members.isEmpty
        case .unknown: nullCount == 0
        default: false
        }
    }
}
