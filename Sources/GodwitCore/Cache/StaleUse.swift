/// How a stale response came to be the answer (RFC 5861).
enum StaleUse: Sendable {
    /// It is to be validated by another request (`stale-while-revalidate`).
    case untilValidated
    /// It stands in for a server that failed (`stale-if-error`): for this answer, or `nil` if there was none.
    case insteadOf(HTTPResponseHead?)
}

extension HTTPResponse {
    /// The head that the server sent, also if a stored response stands in for it; `nil` if nothing was sent.
    var headFromServer: HTTPResponseHead? {
        if metrics.source == .network { return head }
        guard case .insteadOf(let head) = staleUse else { return nil }
        return head
    }
}
