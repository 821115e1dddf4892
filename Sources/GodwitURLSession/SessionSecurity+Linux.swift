#if !canImport(Security)
import GodwitCore

/// Who is trusted, and what is shown to whom, where URLSession asks nobody about a server: rules cannot be kept.
struct SessionSecurity: Sendable {
    init(_ tls: TLSConfiguration) throws(NetworkError) {
        guard !tls.isEmpty else { return }
        throw NetworkError(Platform.unsupported("a TLS rule for a single host"), phase: .building)
    }

    /// Asked after a 401 has arrived as a whole, and any answer would lose it: so it is handed up, and the task ended.
    func answer(
        _ challenge: URLAuthenticationChallenge, for exchange: Exchange?, _ completion: (ChallengeAnswer) -> Void
    ) {
        exchange?.complete(nil, response: challenge.failureResponse)
        completion(.refused)
    }

    /// Why a server was refused last.
    func refusal(of host: String) -> NetworkError.SecurityFailure? { nil }
}
#endif
