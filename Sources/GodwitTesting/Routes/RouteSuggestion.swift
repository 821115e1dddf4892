import GodwitCore

/// What to tell someone whose request fits no route: which routes come nearest, and why they do not fit.
struct RouteSuggestion {
    /// The routes that are named, and the characters of a path that are compared: a client decides how long it is.
    private static let listLimit = 20
    private static let lengthLimit = 200

    /// The route that comes nearest; nil if none is near.
    let nearest: Route?
    let text: String

    init(_ routes: [Route], for request: MockRequest) {
        let path = String(request.path.prefix(Self.lengthLimit))
        let near = routes.compactMap { route in
            Self.difference(route, request, path).map { (route: route, rank: $0.rank, reason: $0.reason) }
        }
        let best = near.enumerated().min { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }?.element
        nearest = best?.route
        let hint = best.map { "; did you mean \($0.route) at \($0.route.location) (\($0.reason))?" } ?? ";"
        let listed = routes.prefix(Self.listLimit).map(\.description).joined(separator: ", ")
        let rest = routes.count > Self.listLimit ? " and \(routes.count - Self.listLimit) more" : ""
        text = "no route for \(request)\(hint) routes: \(routes.isEmpty ? "none" : listed + rest)"
    }

    /// How far a route is from a request, and what is different; nil if it is not near.
    private static func difference(
        _ route: Route, _ request: MockRequest, _ path: String
    ) -> (rank: Int, reason: String)? {
        let isMethodRight = route.method == nil || route.method == request.method
        if route.pattern.match(request.path) != nil {
            guard isMethodRight else { return (2, "the method differs") }
            let isQueryRight = route.query.allSatisfy { request.queryValue($0.key) == $0.value }
            return isQueryRight ? (1, "its condition does not hold") : (0, "the query differs")
        }
        let penalty = isMethodRight ? 0 : 1
        if let prefix = route.pattern.missingPrefix(of: path) { return (3 + penalty, "the path begins with \(prefix)") }
        guard let distance = route.pattern.distance(to: path), distance <= max(2, path.count / 4) else { return nil }
        return (5 + distance * 2 + penalty, "the path differs")
    }
}

extension RoutePattern {
    /// The beginning of a path without which the pattern would fit, as with a base URL's path that routes leave out.
    fileprivate func missingPrefix(of path: String) -> String? {
        guard text.contains(where: { $0 != "/" && $0 != "*" }) else { return nil }
        var rest = path[...]
        while let slash = rest.dropFirst().firstIndex(of: "/") {
            rest = rest[slash...]
            if match(String(rest)) != nil { return String(path[..<slash]) }
        }
        return nil
    }

    /// How many characters would have to change; nil if the pattern fits any path.
    fileprivate func distance(to path: String) -> Int? {
        let (mine, other) = (Self.segments(of: text), Self.segments(of: path))
        guard mine.last != "*" else { return nil }
        var total = 0
        for index in 0..<max(mine.count, other.count) {
            guard index < mine.count, index < other.count else {
                total += 1 + (index < mine.count ? mine[index].count : other[index].count)
                continue
            }
            if !mine[index].hasPrefix(":") { total += EditDistance.between(mine[index], other[index]) }
        }
        return total
    }

    private static func segments(of path: String) -> [Substring] {
        path.split(separator: "/")
    }
}

/// How many characters have to be added, removed or changed to make one text another (Levenshtein).
enum EditDistance {
    static func between(_ left: Substring, _ right: Substring) -> Int {
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, diagonal + (character == other ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
