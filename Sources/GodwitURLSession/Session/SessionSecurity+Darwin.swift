#if canImport(Security)
import Dispatch
import GodwitCore
import Synchronization

/// Answers a session's authentication challenges by the TLS rules for hosts.
///
/// Hosts without a rule, and all proxies, get the system's default handling.
final class SessionSecurity: Sendable {
    private let rules: ServerRules
    private let identities: HostTable<ClientIdentity>
    /// The reason of the last refusal, by host.
    private let refusals = Mutex<[String: NetworkError.SecurityFailure]>([:])

    init(_ tls: TLSConfiguration) throws(NetworkError) {
        rules = try ServerRules(tls)
        identities = try tls.clientCertificates.map { entry, _ throws(NetworkError) in try ClientIdentity(entry) }
    }

    /// Why a server was last refused; `nil` if it wasn't.
    func refusal(of host: String) -> NetworkError.SecurityFailure? {
        refusals.withLock { $0[host] }
    }

    /// Answers a challenge, possibly later on another queue: validating a chain may need the network.
    func answer(
        _ challenge: URLAuthenticationChallenge, for exchange: Exchange?,
        _ completion: @escaping @Sendable (ChallengeDisposition) -> Void
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
            // Passwords are handled by a middleware: without them, the 401 is returned.
            completion(.passed)
        }
    }

    private func judge(_ challenge: URLAuthenticationChallenge, for exchange: Exchange?) -> ChallengeDisposition {
        let host = challenge.protectionSpace.host
        guard let trust = challenge.protectionSpace.serverTrust else { return .byDefault }
        let decision = ServerTrustCheck(rules).decision(on: trust, from: host)
        let failure: NetworkError.SecurityFailure? = if case .refused(let failure) = decision { failure } else { nil }
        refusals.withLock { $0[host] = failure }
        switch decision {
        case .leftToSystem: return .byDefault
        case .trusted: return ChallengeDisposition(disposition: .useCredential, credential: URLCredential(trust: trust))
        case .refused(let failure):
            exchange?.fail(.insecure(failure), .connecting)
            return .refused
        }
    }

    private func identify(to host: String, for exchange: Exchange?) -> ChallengeDisposition {
        guard let identity = identities.value(for: host) else { return .byDefault }
        do throws(NetworkError) {
            return ChallengeDisposition(disposition: .useCredential, credential: try identity.credential.get())
        } catch {
            exchange?.fail(error.kind, .connecting)
            return .refused
        }
    }
}
#endif
