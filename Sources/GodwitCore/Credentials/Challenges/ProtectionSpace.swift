import Synchronization

/// A part of a server that takes the same credential (RFC 9110 section 11.5), and how to answer it.
struct ProtectionSpace: Sendable {
    enum Answering: Sendable {
        case basic
        case digest(DigestSession)
    }

    let origin: Origin
    let realm: String
    /// What the paths in it begin with.
    let paths: [String]
    let credential: PasswordCredential
    private(set) var answering: Answering

    init(_ challenge: AnswerableChallenge, of url: HTTPURL, credential: PasswordCredential, clientNonce: String) {
        origin = url.origin
        realm = challenge.realm
        self.credential = credential
        switch challenge {
        case .basic:
            answering = .basic
            paths = [Self.folder(of: url)]
        case .digest(let digest):
            answering = .digest(DigestSession(digest, clientNonce: clientNonce))
            paths = Self.paths(of: digest, at: url)
        }
    }

    var scheme: CredentialQuestion.Scheme {
        if case .basic = answering { .basic } else { .digest }
    }

    /// Whether a credential for one is for the other too.
    func isSame(as other: ProtectionSpace) -> Bool {
        origin == other.origin && realm == other.realm && scheme == other.scheme
    }

    /// How many characters of a path decide that it is in this space; nil where it is not.
    func match(of path: String) -> Int? {
        paths.filter { path.hasPrefix($0) }.map(\.utf8.count).max()
    }

    /// What to put into one more request.
    mutating func attachment(for request: HTTPRequest) -> Credential.Attachment {
        switch answering {
        case .basic:
            return Credential.basicAttachment(user: credential.user, password: credential.password)
        case .digest(var session):
            let value = session.answer(
                user: credential.user, password: credential.password, method: request.method,
                target: request.url.target)
            answering = .digest(session)
            guard !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                return .unusable(reason: "digest authentication cannot carry control characters in a user name")
            }
            return .field(.authorization, value: value)
        }
    }

    /// The server took a credential; it may name the nonce for next time.
    mutating func note(_ head: HTTPResponseHead) {
        guard case .digest(var session) = answering else { return }
        session.note(authenticationInfo: head.fields[.authenticationInfo])
        answering = .digest(session)
    }

    /// Up to the last slash: what a Basic credential may be sent to unasked (RFC 7617 section 2.2).
    private static func folder(of url: HTTPURL) -> String {
        String(url.path.prefix(through: url.path.lastIndex(of: "/") ?? url.path.startIndex))
    }

    /// Of `domain`, what is on this origin: credentials go nowhere else, whatever the server says.
    private static func paths(of digest: DigestChallenge, at url: HTTPURL) -> [String] {
        if digest.domain.isEmpty { return ["/"] }
        let urls = digest.domain.compactMap { try? url.resolving($0) }
        return urls.filter { $0.isSameOrigin(as: url) }.map(\.path) + [folder(of: url)]
    }
}

/// The protection spaces whose credentials were accepted, so that later requests answer before they are asked.
final class ProtectionSpaces: Sendable {
    /// A server makes up its realms; more of them push out the oldest.
    private static let limit = 64

    private let spaces = Mutex<[Origin: [ProtectionSpace]]>([:])

    /// The space that a request is in, with the credential for it, which is counted as sent.
    func answer(to request: HTTPRequest) -> ChallengeAnswer? {
        let path = request.url.path
        return change(at: request.url.origin) { spaces in
            let matches = spaces.indices.compactMap { index in
                spaces[index].match(of: path).map { (index: index, length: $0) }
            }
            guard let index = matches.max(by: { $0.length < $1.length })?.index else { return nil }
            return ChallengeAnswer(with: &spaces[index], to: request)
        }
    }

    /// The credential that was accepted for a space in the meantime.
    func credential(for space: ProtectionSpace) -> PasswordCredential? {
        change(at: space.origin) { spaces in spaces.first { $0.isSame(as: space) }?.credential }
    }

    /// A credential was accepted.
    func keep(_ space: ProtectionSpace) {
        change(at: space.origin) { spaces in
            spaces.removeAll { $0.isSame(as: space) }
            spaces.append(space)
            if spaces.count > Self.limit { spaces.removeFirst() }
        }
    }

    /// The server took a credential that was kept; it may name the nonce for next time.
    func note(_ head: HTTPResponseHead, for space: ProtectionSpace) {
        guard head.fields.contains(.authenticationInfo) else { return }
        change(at: space.origin) { spaces in
            guard let index = spaces.firstIndex(where: { $0.isSame(as: space) }) else { return }
            spaces[index].note(head)
        }
    }

    /// A credential was refused.
    func forget(_ space: ProtectionSpace) {
        change(at: space.origin) { spaces in
            spaces.removeAll { $0.isSame(as: space) && $0.credential == space.credential }
        }
    }

    /// The account has changed.
    func forgetAll() {
        spaces.withLock { $0 = [:] }
    }

    private func change<Value: Sendable>(
        at origin: Origin, _ body: (inout sending [ProtectionSpace]) -> sending Value
    ) -> Value {
        spaces.withLock { table in
            var spaces = table[origin] ?? []
            let value = body(&spaces)
            table[origin] = spaces.isEmpty ? nil : spaces
            return value
        }
    }
}
