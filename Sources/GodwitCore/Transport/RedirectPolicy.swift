/// What happens when a server answers with a redirect.
///
/// ```swift
/// $0.redirects = .decide { next, response in next.url.host == "example.com" ? next : nil }
/// ```
///
/// What changes from hop to hop is said at ``Redirects``.
public enum RedirectPolicy: Sendable, Nonisolated {
    /// Follows up to 20 redirects.
    case follow

    /// Follows up to a number of redirects; one more throws `.redirect(.tooMany)`.
    case followUp(to: Int)

    /// Returns the redirect response itself.
    case block

    /// Asks for each redirect: gets the request that would be sent next and the response that asked for it, and returns
    /// the request to send, changed or not, or nil to return the redirect response itself. At most 20.
    case decide(@Sendable (_ proposed: HTTPRequest, _ response: HTTPResponseHead) -> HTTPRequest?)
}
