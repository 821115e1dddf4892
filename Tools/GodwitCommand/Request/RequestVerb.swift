import Godwit

/// A command that sends a request: `request`, one for each common method, and `sse`.
enum RequestVerb: String, CaseIterable {
    case request, get, post, put, patch, delete, head, sse, paginate, graphql

    /// The method of the request; `nil` if the arguments name it.
    var method: HTTPMethod? {
        switch self {
        case .request, .sse, .paginate, .graphql: nil
        case .get: .get
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        case .head: .head
        }
    }

    var usage: String {
        switch self {
        case .request: "[METHOD] URL [ITEM…]"
        case .graphql: "URL QUERY [ITEM…]"
        default: "URL [ITEM…]"
        }
    }

    var summary: String {
        switch self {
        case .request: "Send a request. The default method is POST with a body, otherwise GET"
        case .head: "Send a HEAD request and print the response head"
        case .paginate: "Print the elements of a list that comes in pages, one on a line"
        case .graphql: "Send a GraphQL query or mutation, follow a subscription, or print the schema"
        case .sse: "Print the data of server-sent events, and reconnect. Alias: events"
        default: "Send a \(rawValue.uppercased()) request"
        }
    }
}
