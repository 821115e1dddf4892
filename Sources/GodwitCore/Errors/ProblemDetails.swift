/// An error response's body as the server meant it: RFC 9457 problem details, or another common shape read as one.
///
/// ```json
/// {"type": "https://example.com/locked", "title": "Locked", "status": 422, "detail": "Ann is editing it",
///  "code": "article_locked", "errors": {"title": ["is too short"]}}
/// ```
///
/// Nothing of it is checked; ``status`` may differ from the status of the response.
public struct ProblemDetails: Sendable, Hashable, Nonisolated {
    /// A URI that names the kind of problem.
    public var type: String?

    /// A short summary of the kind of problem.
    public var title: String?

    /// The status code that the body repeats.
    public var status: Int?

    /// What is the matter this time, in the server's words.
    ///
    /// Read from `detail`, or from `message`, `error_description` and the like; see ``ErrorBody/problemDetails``.
    public var detail: String?

    /// A URI that names this occurrence.
    public var instance: String?

    /// The application's own code, such as `article_locked`.
    ///
    /// Read from `code`, or from `error` if that is one word.
    public var code: String?

    /// What is wrong with which field.
    ///
    /// Read from `errors`, `fields`, `violations` and the like; empty if no field is named.
    public var fields: [NetworkError.FieldError] = []

    /// Makes empty details.
    public init() {}
}
