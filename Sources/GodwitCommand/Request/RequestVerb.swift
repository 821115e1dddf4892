import Godwit

/// A command that sends a request: `request`, one for each common method, and those that stay to listen.
enum RequestVerb: String, CaseIterable {
    case request, get, post, put, patch, delete, head, sse

    var name: String { rawValue }

    /// The command of this name; some have two.
    init?(named name: String) {
        if name == "events" { self = .sse } else { self.init(rawValue: name) }
    }

    /// The method it stands for; nil where the command line names it.
    var method: HTTPMethod? {
        switch self {
        case .request, .sse: nil
        case .get: .get
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        case .head: .head
        }
    }

    var usage: String {
        self == .request ? "[METHOD] URL [ITEM…]" : "URL [ITEM…]"
    }

    var summary: String {
        switch self {
        case .request: "sends a request of any method; without one, POST where there is content, else GET"
        case .head: "sends a HEAD request and shows the head of the answer"
        case .sse: "writes the data of server-sent events, and reconnects; also: events"
        default: "sends a \(rawValue.uppercased()) request"
        }
    }
}
