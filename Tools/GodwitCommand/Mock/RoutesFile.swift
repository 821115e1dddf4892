import Godwit
import GodwitTesting

/// A file of routes for `mock`: JSON with paths, and replies with delays and faults.
struct RoutesFile: Sendable {
    private struct Route: Sendable {
        let method: HTTPMethod?
        let path: String
        let query: [String: String]
        let replies: [MockResponse]
    }

    private let routes: [Route]

    var count: Int { routes.count }

    /// - Parameter folder: The folder of the file, to which names of files are relative.
    init(_ root: JSONElement, in folder: URL) throws(RoutesFileError) {
        let file = RoutesFileNode(root, "")
        try file.check(["routes", "comment"])
        guard let listed = try file["routes"] else { throw file.error("has no \"routes\"") }
        var routes: [Route] = []
        for node in try listed.elements() { routes.append(try Self.route(node, folder)) }
        self.routes = routes
    }

    func add(to routes: MockRoutes) {
        for route in self.routes {
            let mock = route.method.map { routes.when($0, route.path, query: route.query) } ?? routes.any(route.path)
            mock.replies(route.replies)
        }
    }

    private static func route(_ node: RoutesFileNode, _ folder: URL) throws(RoutesFileError) -> Route {
        try node.check(["method", "path", "query", "reply", "replies", "comment"])
        guard let place = try node["path"] else { throw node.error("has no \"path\"") }
        let path = try place.text()
        guard path == "*" || path.hasPrefix("/"), !path.contains("?") else {
            throw place.error("must begin with / and have no ?; write items of the query in \"query\"")
        }
        let method = try method(node)
        let query = try node["query"]?.texts() ?? [:]
        if let items = try node["query"], method == nil { throw items.error("needs a \"method\"") }
        return Route(method: method, path: path, query: query, replies: try replies(node, folder))
    }

    private static func method(_ node: RoutesFileNode) throws(RoutesFileError) -> HTTPMethod? {
        guard let name = try node["method"] else { return nil }
        guard let method = HTTPMethod(try name.text()) else { throw name.error("is not a method") }
        return method
    }

    private static func replies(_ node: RoutesFileNode, _ folder: URL) throws(RoutesFileError) -> [MockResponse] {
        let (one, several) = (try node["reply"], try node["replies"])
        guard (one == nil) != (several == nil) else { throw node.error("needs either \"reply\" or \"replies\"") }
        var nodes = try several?.elements() ?? []
        if let one { nodes = [one] }
        var replies: [MockResponse] = []
        for reply in nodes {
            let (response, times) = try RoutesFileReply(reply, in: folder).response()
            replies += repeatElement(response, count: times)
        }
        if replies.isEmpty { throw node.error("has no replies") }
        return replies
    }
}

/// What is wrong in a file of routes, and where.
struct RoutesFileError: Error, CustomStringConvertible {
    let description: String
}
