/// How the body of an error response is parsed.
///
/// A client tries its readers in order; ``problemDetails`` comes last. If none succeeds, the error has no
/// ``NetworkError/problem``; the status is reported in any case.
///
/// ```swift
/// struct Refusal: Error, Decodable { let reason: String }
///
/// let api = APIClient(baseURL: url) { $0.errorBodies.append(.type(Refusal.self)) }
/// // …
/// if let refusal = error.underlying as? Refusal { show(refusal.reason) }
/// ```
public struct ErrorBody: Sendable, Nonisolated {
    /// The result of a reader.
    struct Finding: Sendable {
        var problem: ProblemDetails?
        var underlying: (any Error)?
    }

    let read: @Sendable (Data, HTTPResponseHead, JSONCoding) -> Finding?

    /// Parses RFC 9457 problem details, equivalent JSON of other APIs and frameworks, plain text, and the `Message` of
    /// XML.
    ///
    /// The explanation becomes ``ProblemDetails/detail``: `message`, `error_description`, `error` and others, the texts
    /// in `errors`, or a plain text. Field messages become ``ProblemDetails/fields``. HTML isn't parsed.
    public static let problemDetails = ErrorBody { data, head, _ in
        let problem =
            if let json = JSONValue(parsing: data) {
                ProblemDetails(json: json)
            } else {
                ErrorText(data, head)?.problem
            }
        return problem.map { Finding(problem: $0) }
    }

    /// An API's own error type, decoded from JSON as the error's ``NetworkError/underlying``.
    ///
    /// If decoding fails, the next reader is tried. Problem details are parsed as well.
    ///
    /// - Parameter type: The error type, decoded with the client's ``JSONCoding``.
    public static func type<Body: Error & Decodable & SendableMetatype>(_ type: Body.Type) -> ErrorBody {
        ErrorBody { data, _, coding in
            guard let body = try? coding.decode(Body.self, from: data) else { return nil }
            let problem = JSONValue(parsing: data).flatMap(ProblemDetails.init(json:))
            return Finding(problem: problem, underlying: body)
        }
    }

    /// An API's own error type, for the responses with some statuses; see ``type(_:)``.
    ///
    /// ```swift
    /// $0.errorBodies.append(.type(Refusal.self, for: [403, 409]))  // or 400..<500
    /// ```
    ///
    /// - Parameter statuses: The codes, such as `[404]` or `400..<500`.
    public static func type<Body: Error & Decodable & SendableMetatype>(
        _ type: Body.Type, for statuses: some Collection<Int> & Sendable
    ) -> ErrorBody {
        let whole = Self.type(type)
        return ErrorBody { data, head, coding in
            statuses.contains(head.status.code) ? whole.read(data, head, coding) : nil
        }
    }

    /// An API's own type, decoded from JSON and converted to problem details, so that field errors count as
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
    /// - Parameter problem: Converts the value; ``ProblemDetails/fields`` make a 400 or 422 `.validationFailed`.
    public static func type<Body: Decodable & SendableMetatype>(
        _ type: Body.Type, problem: @escaping @Sendable (Body) -> ProblemDetails
    ) -> ErrorBody {
        ErrorBody { data, _, coding in
            guard let body = try? coding.decode(Body.self, from: data) else { return nil }
            return Finding(problem: problem(body))
        }
    }
}
