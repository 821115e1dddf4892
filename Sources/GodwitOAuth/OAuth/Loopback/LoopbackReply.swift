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
    var text: String {
        let page = """
            <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>\(title)</title>
            <body><h1>\(title)</h1><p>\(advice)</p></body></html>

            """
        // The URL of this page contains the code: it must not be cached, framed or sent as a referrer.
        return """
            HTTP/1.1 \(status)\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Cache-Control: no-store\r
            Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r
            Referrer-Policy: no-referrer\r
            X-Content-Type-Options: nosniff\r
            Connection: close\r
            \r
            \(page)
            """
    }

    private var status: String {
        switch self {
        case .signedIn, .refused: "200 OK"
        case .foreign, .malformed: "400 Bad Request"
        case .notFound: "404 Not Found"
        case .methodNotAllowed: "405 Method Not Allowed\r\nAllow: GET"
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
