#if !canImport(Security)
import GodwitCore

/// TLS rules for hosts aren't supported: URLSession on Linux doesn't ask the delegate about servers.
struct SessionSecurity: Sendable {
    init(_ tls: TLSConfiguration) throws(NetworkError) {
        guard !tls.isEmpty else { return }
        throw NetworkError(Platform.unsupported("a TLS rule for a single host"), phase: .building)
    }

    /// Called after a 401 has arrived completely; any answer would lose it. So it is returned, and the task is ended.
    func answer(
        _ challenge: URLAuthenticationChallenge, for exchange: Exchange?, _ completion: (ChallengeDisposition) -> Void
    ) {
        exchange?.complete(nil, response: challenge.failureResponse)
        completion(.refused)
    }

    /// Always `nil`.
    func refusal(of host: String) -> NetworkError.SecurityFailure? { nil }
}
#endif
