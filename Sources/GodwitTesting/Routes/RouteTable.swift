import GodwitCore
import Synchronization

/// The routes of a server or transport, in the order in which they are tried.
struct RouteTable: Sendable {
    let use: RouteUse
    private let routes: [Route]
    private let json: JSONCoding?

    init(at location: MockSourceLocation, _ write: (MockRoutes) -> Void) {
        let written = MockRoutes()
        write(written)
        routes = written.routes.map(\.frozen)
        json = written.json
        use = RouteUse(routes, of: location)
        MockScope.current?.add(use)
    }

    /// One handler for every request.
    init(at location: MockSourceLocation, _ handler: @escaping MockRoute.Handler) {
        self.init(at: location) { $0.any("*").optional().reply(handler) }
    }

    /// Finds the route for a request, counts its use, and sets the request's parameters. Call it once for each request.
    func take(_ request: inout MockRequest) -> Route? {
        request.coding = json ?? request.coding
        guard let (index, parameters) = find(request) else {
            use.addUnmatched(request)
            return nil
        }
        use.count(index)
        request.parameters = parameters
        request.intake = routes[index].intake?(request)
        return routes[index]
    }

    /// A `HEAD` goes to a `HEAD` route, or to the route that matches a `GET`. A route for any method counts as the latter.
    private func find(_ request: MockRequest) -> (Int, [String: String])? {
        let found = find(request, as: request.method)
        guard request.method == .head else { return found }
        if let found, routes[found.0].method == .head { return found }
        return find(request, as: .get)
    }

    private func find(_ request: MockRequest, as method: HTTPMethod) -> (Int, [String: String])? {
        for (index, route) in routes.enumerated() {
            if let parameters = route.match(request, as: method) { return (index, parameters) }
        }
        return nil
    }

    /// Returns the text for a request that matches no route.
    func unmatched(_ request: MockRequest) -> String {
        RouteSuggestion(routes, for: request).text
    }
}

/// The routes of a server, which can be replaced while it runs.
final class CurrentRoutes: Sendable {
    private let current: Mutex<RouteTable>

    init(_ table: RouteTable) {
        current = Mutex(table)
    }

    var table: RouteTable {
        get { current.withLock(\.self) }
        set { current.withLock { $0 = newValue } }
    }
}

/// Counts the use of each route, and records the requests without a route.
final class RouteUse: Sendable {
    private struct State: Sendable {
        var counts: [Int]
        var unmatched: [MockIssue] = []
    }

    /// Maximum unmatched requests to keep, because the peer chooses how many it sends.
    private static let unmatchedLimit = 100

    private let routes: [Route]
    private let location: MockSourceLocation
    private let state: Watched<State>

    init(_ routes: [Route], of location: MockSourceLocation) {
        self.routes = routes
        self.location = location
        state = Watched(State(counts: routes.map { _ in 0 }))
    }

    func count(_ index: Int) {
        state.update { $0.counts[index] += 1 }
    }

    func addUnmatched(_ request: MockRequest) {
        let suggestion = RouteSuggestion(routes, for: request)
        let issue = MockIssue(
            kind: .unmatchedRequest, text: suggestion.text, location: suggestion.nearest?.location ?? location)
        state.update { state in
            // A repeated request is one issue.
            guard state.unmatched.count < Self.unmatchedLimit,
                !state.unmatched.contains(where: { $0.text == issue.text })
            else { return }
            state.unmatched.append(issue)
        }
    }

    var issues: [MockIssue] {
        let state = state.value
        return state.unmatched + zip(routes, state.counts).compactMap { route, count in Self.issue(of: route, count) }
    }

    private static func issue(of route: Route, _ count: Int) -> MockIssue? {
        guard !route.isOptional else { return nil }
        if count == 0 {
            let text = "no request for the route \(route) (add .optional() if a test may leave it unused)"
            return MockIssue(kind: .unusedRoute, text: text, location: route.location)
        }
        guard case .script(let script) = route.reply, count < script.responses.count else { return nil }
        let text = "\(count) of \(script.responses.count) replies of the route \(route) used"
        return MockIssue(kind: .unusedReplies, text: text, location: route.location)
    }
}
