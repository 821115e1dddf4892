/// How the body of an error response is read.
///
/// A client tries its readers in order, its own first; ``problemDetails`` comes last by itself. A body that none can
/// read never hides the status: the error then has no ``NetworkError/problem``.
///
/// ```swift
/// struct Refusal: Error, Decodable { let reason: String }
///
/// let api = APIClient(baseURL: url) { $0.errorBodies.append(.type(Refusal.self)) }
/// // …
/// if let refusal = error.underlying as? Refusal { show(refusal.reason) }
/// ```
public struct ErrorBody: Sendable, Nonisolated {
    /// What a reader found.
    struct Finding: Sendable {
        var problem: ProblemDetails?
        var underlying: (any Error)?
    }

    let read: @Sendable (Data, HTTPResponseHead, JSONCoding) -> Finding?

    /// Reads RFC 9457 problem details, the JSON that other APIs and frameworks use in their place, plain text, and the
    /// `Message` of XML.
    ///
    /// The explanation becomes ``ProblemDetails/detail``: `message`, `error_description`, `error` and the like, the texts in
    /// `errors`, or a whole plain text. What names fields becomes ``ProblemDetails/fields``. HTML is not read.
    public static let problemDetails = ErrorBody { data, head, _ in
        let problem =
            if let json = JSONTree(parsing: data) {
                ProblemDetails(json: json)
            } else {
                ErrorText(data, head)?.problem
            }
        return problem.map { Finding(problem: $0) }
    }

    /// An API's own error type, read from JSON; it becomes the error's ``NetworkError/underlying``.
    ///
    /// A body that is not of this type is left to the next reader. Problem details are still looked for in it.
    ///
    /// - Parameter type: The error type, read as the client's ``JSONCoding`` says.
    public static func type<Body: Error & Decodable & SendableMetatype>(_ type: Body.Type) -> ErrorBody {
        ErrorBody { data, _, coding in
            guard let body = try? coding.decode(Body.self, from: data) else { return nil }
            let problem = JSONTree(parsing: data).flatMap(ProblemDetails.init(json:))
            return Finding(problem: problem, underlying: body)
        }
    }

    /// An API's own type, read from JSON and turned into problem details, so that field errors count as
    /// `.validationFailed`.
    ///
    /// ```swift
    /// $0.errorBodies.append(.type(Refusal.self) { refusal in
    ///     var problem = ProblemDetails()
    ///     problem.detail = refusal.reason
    ///     return problem
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type that the body is read as.
    ///   - problem: Says what it means; ``ProblemDetails/fields`` make a 400 or 422 `.validationFailed`.
    public static func type<Body: Decodable & SendableMetatype>(
        _ type: Body.Type, problem: @escaping @Sendable (Body) -> ProblemDetails
    ) -> ErrorBody {
        ErrorBody { data, _, coding in
            guard let body = try? coding.decode(Body.self, from: data) else { return nil }
            return Finding(problem: problem(body))
        }
    }
}
