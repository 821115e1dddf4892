#if canImport(Security)
import Dispatch
import GodwitCore
import Synchronization

/// Who is trusted, and what is shown to whom: answers the challenges of a session by the rules for single hosts.
///
/// Whoever has no rule is left to the system, and so is every proxy.
final class SessionSecurity: Sendable {
    private let rules: ServerRules
    private let identities: HostTable<ClientIdentity>
    /// Why servers were refused last.
    private let refusals = Mutex<[String: NetworkError.SecurityFailure]>([:])

    init(_ tls: TLSConfiguration) throws(NetworkError) {
        rules = try ServerRules(tls)
        identities = try tls.clientCertificates.map { entry, _ throws(NetworkError) in try ClientIdentity(entry) }
    }

    /// Why a server was refused last; nil where it was not.
    func refusal(of host: String) -> NetworkError.SecurityFailure? {
        refusals.withLock { $0[host] }
    }

    /// Answers a challenge, maybe later and elsewhere: a chain is validated as fast as the network is.
    func answer(
        _ challenge: URLAuthenticationChallenge, for exchange: Exchange?,
        _ completion: @escaping @Sendable (ChallengeAnswer) -> Void
    ) {
        let space = challenge.protectionSpace
        switch space.authenticationMethod {
        case _ where space.isProxy():
            completion(.byDefault)
        case NSURLAuthenticationMethodServerTrust where rules.hasRule(for: space.host):
            DispatchQueue.global(qos: .userInitiated).async { [self] in completion(judge(challenge, for: exchange)) }
        case NSURLAuthenticationMethodServerTrust:
            completion(.byDefault)
        case NSURLAuthenticationMethodClientCertificate:
            completion(identify(to: space.host, for: exchange))
        default:
            // Names and passwords are a middleware's: without them the 401 is handed up.
            completion(.passed)
        }
    }

    private func judge(_ challenge: URLAuthenticationChallenge, for exchange: Exchange?) -> ChallengeAnswer {
        let host = challenge.protectionSpace.host
        guard let trust = challenge.protectionSpace.serverTrust else { return .byDefault }
        let decision = ServerTrustCheck(rules).decision(on: trust, from: host)
        let failure: NetworkError.SecurityFailure? = if case .refused(let failure) = decision { failure } else { nil }
        refusals.withLock { $0[host] = failure }
        switch decision {
        case .leftToSystem: return .byDefault
        case .trusted: return ChallengeAnswer(disposition: .useCredential, credential: URLCredential(trust: trust))
        case .refused(let failure):
            exchange?.fail(.insecure(failure), .connecting)
            return .refused
        }
    }

    private func identify(to host: String, for exchange: Exchange?) -> ChallengeAnswer {
        guard let identity = identities.value(for: host) else { return .byDefault }
        do throws(NetworkError) {
            return ChallengeAnswer(disposition: .useCredential, credential: try identity.credential.get())
        } catch {
            exchange?.fail(error.kind, .connecting)
            return .refused
        }
    }
}
#endif
