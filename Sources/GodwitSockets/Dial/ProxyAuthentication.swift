#if os(Linux)
import GodwitCore
import GodwitSupport

/// Makes the values of `Proxy-Authorization` from what a proxy asked for last (RFC 9110 section 11.7.2). One for each proxy of a
/// loop, used in the loop's turn.
///
/// Like a server, a proxy gets nothing before it asks, so that the password goes out in the strongest way that the proxy offers.
package final class ProxyAuthentication {
    private enum Scheme {
        case unknown, basic
        case digest(DigestSession)
    }

    private let user: String
    private let password: String
    private let makeNonce: () -> String
    private var scheme = Scheme.unknown

    /// `nil` for a proxy without a user in its URL.
    ///
    /// - Parameter makeNonce: Makes client nonces.
    package init?(
        _ proxy: ProxyAddress, makeNonce: @escaping () -> String = { Hexadecimal.encode(RandomBytes.make(16)) }
    ) {
        guard let user = proxy.user else { return nil }
        self.user = user
        password = proxy.password ?? ""
        self.makeNonce = makeNonce
    }

    /// Whether the proxy has not asked for credentials, or refused them.
    var isUnasked: Bool {
        if case .unknown = scheme { true } else { false }
    }

    /// The value for the next request; `nil` for none.
    func authorization(_ method: HTTPMethod, target: some StringProtocol) -> String? {
        switch scheme {
        case .unknown: return nil
        case .basic: return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .digest(var session):
            let value = session.answer(user: user, password: password, method: method, target: target)
            scheme = .digest(session)
            // Control characters of the user's name would end the field.
            return value.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : value
        }
    }

    /// Reads a 407. Returns whether the request is to be sent again, with credentials.
    func answers(_ fields: HTTPFields, _ attempt: inout ProxyAttempt) -> Bool {
        let challenge = AnswerableChallenge.strongest(of: fields.values(of: .proxyAuthenticate))
        guard let challenge, attempt.answers(challenge) else {
            scheme = .unknown
            return false
        }
        switch challenge {
        case .basic: scheme = .basic
        case .digest(let digest): scheme = .digest(DigestSession(digest, clientNonce: makeNonce()))
        }
        return true
    }

    /// Reads the next nonce from the response to an accepted credential (RFC 7615).
    func accepted(_ fields: HTTPFields) {
        guard case .digest(var session) = scheme, let info = fields["Proxy-Authentication-Info"] else { return }
        session.note(authenticationInfo: info)
        scheme = .digest(session)
    }
}

/// Decides how often one request, or one CONNECT, answers its proxy: once, and once more if only the nonce was too old.
package struct ProxyAttempt {
    private var count = 0
    private var nonce: String?

    package init() {}

    fileprivate mutating func answers(_ challenge: AnswerableChallenge) -> Bool {
        let isRenewal = count == 1 && challenge.isStale && challenge.nonce != nonce
        guard count == 0 || isRenewal else { return false }
        count += 1
        nonce = challenge.nonce
        return true
    }
}
#endif
