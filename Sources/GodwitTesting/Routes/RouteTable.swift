import GodwitCore

/// The routes of a server or transport, in the order in which they are tried.
struct RouteTable: Sendable {
    private let routes: [Route]

    init(_ write: (MockRoutes) -> Void) {
        let routes = MockRoutes()
        write(routes)
        self.routes = routes.routes.map(\.frozen)
    }

    /// One handler for every request.
    init(_ handler: @escaping MockRoute.Handler) {
        self.init { $0.any("*").reply(handler) }
    }

    /// The route that takes a request, and the values of its parameters.
    func find(_ request: MockRequest) -> (route: Route, parameters: [String: String])? {
        find(request, as: request.method) ?? (request.method == .head ? find(request, as: .get) : nil)
    }

    private func find(_ request: MockRequest, as method: HTTPMethod) -> (Route, [String: String])? {
        for route in routes {
            if let parameters = route.match(request, as: method) { return (route, parameters) }
        }
        return nil
    }

    /// What to tell someone whose request fits no route.
    func unmatched(_ request: MockRequest) -> String {
        let list = routes.isEmpty ? "none" : routes.map(\.description).joined(separator: ", ")
        return "no mock for \(request); there are: \(list)"
    }
}
