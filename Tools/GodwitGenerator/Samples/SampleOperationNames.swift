/// Names operations as a person would: `articles`, `article`, `createArticle`, `login`.
enum SampleOperationNames {
    /// One name for each operation, all of them different.
    static func names(_ operations: [(method: String, path: SamplePath)]) -> [String] {
        let routes = operations.map { SampleRoute($0.path, method: $0.method) }
        let patched = Set(operations.filter { $0.method == "PATCH" }.map(\.path.text))
        var names = zip(operations, routes).map { operation, route in
            let replaces = operation.method == "PUT" && patched.contains(operation.path.text)
            return name(replaces ? "REPLACE" : operation.method, route)
        }
        let repeated = repeatedNames(names)
        for index in names.indices where repeated.contains(names[index]) && !routes[index].parent.isEmpty {
            names[index] = name(operations[index].method, withParent(routes[index]))
        }
        return numbered(names)
    }

    private static func name(_ method: String, _ route: SampleRoute) -> String {
        switch route.kind {
        case .root: return method == "GET" ? "root" : SampleWords.camel([method.lowercased(), "root"])
        case .collection: return collection(method, route)
        case .item: return isOwner(route) && method == "GET" ? route.name[0] : item(method, route, isOwner(route))
        case .view: return view(method, route)
        case .action: return action(route)
        case .single: return item(method, route, false)
        }
    }

    private static func isOwner(_ route: SampleRoute) -> Bool {
        route.name.count == 1 && SampleRoute.owners.contains(route.name[0])
    }

    private static func collection(_ method: String, _ route: SampleRoute) -> String {
        let verbs = ["GET": "", "POST": "create", "PUT": "replace", "REPLACE": "replace", "PATCH": "update"]
        let verb = verbs[method] ?? method.lowercased()
        let words = method == "POST" ? route.noun : route.name
        return SampleWords.camel((verb.isEmpty ? [] : [verb]) + words)
    }

    private static func item(_ method: String, _ route: SampleRoute, _ isOwner: Bool) -> String {
        let verbs = [
            "GET": "", "POST": route.kind == .single ? "create" : "update", "PUT": "update", "PATCH": "update",
            "REPLACE": "replace", "DELETE": "delete",
        ]
        let verb = verbs[method] ?? method.lowercased()
        return SampleWords.camel((verb.isEmpty ? [] : [verb]) + (isOwner ? route.name : route.noun))
    }

    /// `popularArticles`, `articleStats`
    private static func view(_ method: String, _ route: SampleRoute) -> String {
        let things: Set<String> = ["stats", "count", "summary", "list", "feed", "history"]
        let isThing = route.name.allSatisfy { things.contains($0) || !SampleRoute.views.contains($0) }
        let words = isThing ? route.noun + route.name : route.name + plural(route)
        return SampleWords.camel(method == "GET" ? words : [method.lowercased()] + words)
    }

    private static func action(_ route: SampleRoute) -> String {
        let alone: Set<String> = ["login", "signin", "logout", "signout", "register", "signup", "refresh"]
        let general: Set<String> = ["auth", "oauth", "oauth2", "account", "session"]
        // `send-invoice` and `getUser` say it all.
        if route.name.count > 1 { return SampleWords.camel(route.name) }
        if route.noun == route.name || general.contains(route.noun.joined()) || alone.contains(route.name.joined()) {
            let isRefresh = route.name == ["refresh"] && route.noun == ["token"]
            return SampleWords.camel(route.name + (isRefresh ? ["token"] : []))
        }
        let concernsAll = ["search", "export", "import", "lookup", "query"].contains(route.name.joined())
        return SampleWords.camel(route.name + (concernsAll ? plural(route) : route.noun))
    }

    /// The name of the collection as the path has it.
    private static func plural(_ route: SampleRoute) -> [String] {
        route.scope.split(separator: "/").last.map { SampleWords.words(String($0)) } ?? route.noun
    }

    private static func withParent(_ route: SampleRoute) -> SampleRoute {
        var route = route
        route.noun = route.parent + route.noun
        if route.kind == .collection || route.kind == .single { route.name = route.parent + route.name }
        return route
    }

    private static func repeatedNames(_ names: [String]) -> Set<String> {
        var seen: Set<String> = []
        return Set(names.filter { !seen.insert($0).inserted })
    }

    private static func numbered(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            let wanted = name.isEmpty ? "operation" : name
            var (unique, number) = (wanted, 2)
            while !taken.insert(unique).inserted {
                unique = "\(wanted)\(number)"
                number += 1
            }
            return unique
        }
    }
}
