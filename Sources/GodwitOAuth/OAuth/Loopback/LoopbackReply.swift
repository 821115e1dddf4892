import GodwitCore

/// The redirect listener's response to one request: a status and a short page, without data from the request.
enum LoopbackReply: Sendable {
    case signedIn
    case refused
    /// The response of another sign-in.
    case foreign
    case notFound
    case methodNotAllowed
    case malformed

    /// The whole response.
    var bytes: [UInt8] {
        let page = """
            <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>\(title)</title>
            <body><h1>\(title)</h1><p>\(advice)</p></body></html>

            """
        // The URL of this page contains the code: it must not be cached, framed or sent as a referrer.
        var fields: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .contentLength: "\(page.utf8.count)", .cacheControl: "no-store",
            "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff", .connection: "close",
        ]
        if self == .methodNotAllowed { fields[.allow] = "GET" }
        var writer = HeadWriter()
        writer.response(status, fields)
        return writer.bytes + Array(page.utf8)
    }

    private var status: HTTPStatus {
        switch self {
        case .signedIn, .refused: .ok
        case .foreign, .malformed: .badRequest
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        }
    }

    private var title: String {
        switch self {
        case .signedIn: "You are signed in"
        case .refused: "You are not signed in"
        case .foreign: "This page belongs to another sign-in"
        case .notFound, .methodNotAllowed, .malformed: "Nothing here"
        }
    }

    private var advice: String {
        switch self {
        case .signedIn: "You can close this page and go back to the program."
        case .refused: "The sign-in was refused. The program says more."
        case .foreign: "Start again from the program."
        case .notFound, .methodNotAllowed, .malformed: "This address only takes the answer of a sign-in."
        }
    }
}
