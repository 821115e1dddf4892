/// Changes what is sent, or refuses it, and has no part in the answer.
///
/// ```swift
/// struct Tenant: RequestMiddleware {
///     let name: String
///
///     func prepare(_ call: inout Call) {
///         call.request.fields["X-Tenant"] = name
///     }
/// }
/// ```
///
/// It does not wait, so that several in a row cost little more than what they do. A type that has a `handle` of its own is
/// called by that one, as every ``Middleware``, and `prepare` is then for it to call.
public protocol RequestMiddleware: Middleware {
    /// Changes a call before it goes on; what it throws reaches the caller, and nothing is sent.
    ///
    /// May be called for any number of calls at once.
    func prepare(_ call: inout Call) throws(NetworkError)
}

extension RequestMiddleware {
    /// Prepares the call and passes it on.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        next.noteDefaultHandling(of: Self.self)
        guard handles(call) else { return try await next(call) }
        var call = call
        try prepare(&call)
        return try await next(call)
    }
}
