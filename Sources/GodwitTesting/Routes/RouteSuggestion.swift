import GodwitCore
import GodwitSupport

/// The text for a request that matches no route: the nearest route, and how it differs.
struct RouteSuggestion {
    /// Maximum routes to list, and characters of a path to compare, because the client chooses the length of the path.
    private static let listLimit = 20
    private static let lengthLimit = 200

    /// The nearest route; `nil` if none is near.
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

    /// Returns the distance of a route from a request and the difference; `nil` if it is not near.
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
    /// Returns the prefix of the path without which the pattern would match, such as the path of a base URL.
    fileprivate func missingPrefix(of path: String) -> String? {
        guard text.contains(where: { $0 != "/" && $0 != "*" }) else { return nil }
        var rest = path[...]
        while let slash = rest.dropFirst().firstIndex(of: "/") {
            rest = rest[slash...]
            if match(String(rest)) != nil { return String(path[..<slash]) }
        }
        return nil
    }

    /// Returns the number of characters to change; `nil` if the pattern matches any path.
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
