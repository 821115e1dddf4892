import Godwit
import GodwitTesting

/// Why a request is refused, as problem details (RFC 9457).
nonisolated struct Problem: Error, Encodable {
    let status: Int
    let title: String
    let detail: String
    var errors: [String: [String]]?
    /// The code of an OAuth error (RFC 6749, section 5.2).
    var error: String?
    /// The version that conflicts with the request.
    var current: Article?

    var response: MockResponse {
        var response = MockResponse.coded(self, status: HTTPStatus(status) ?? .internalServerError)
        response.fields[.contentType] = "application/problem+json"
        if let current { response.fields[.etag] = current.etag }
        return response
    }
}

nonisolated extension Problem {
    static func missing(_ kind: String, _ id: String) -> Problem {
        Problem(status: 404, title: "Not found", detail: "The \(kind) \(id) does not exist.")
    }

    static func unknownPath(_ request: MockRequest) -> Problem {
        Problem(status: 404, title: "Not found", detail: "\(request.method) \(request.path) is not part of this API.")
    }

    static func malformed(_ detail: String) -> Problem {
        Problem(status: 400, title: "Malformed request", detail: detail)
    }

    static func invalid(_ errors: [String: [String]]) -> Problem {
        let names = errors.keys.sorted().joined(separator: ", ")
        return Problem(status: 422, title: "Not valid", detail: "Look again at: \(names).", errors: errors)
    }

    static func changedMeanwhile(_ article: Article) -> Problem {
        Problem(
            status: 412, title: "Changed meanwhile",
            detail: "Article \(article.id) is at \(article.etag) now; read it again.", current: article)
    }
}
