import Synchronization

/// A part of a server with one credential (RFC 9110 section 11.5), and how requests to it are authenticated.
struct ProtectionSpace: Sendable {
    enum Answering: Sendable {
        case basic
        case digest(DigestSession)
    }

    let origin: Origin
    let realm: String
    /// The prefixes of its paths.
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

    /// Whether both have the same credential.
    func isSame(as other: ProtectionSpace) -> Bool {
        origin == other.origin && realm == other.realm && scheme == other.scheme
    }

    /// The length of the prefix that a path shares with this space; `nil` if the path is outside of it.
    func match(of path: String) -> Int? {
        paths.filter { path.hasPrefix($0) }.map(\.utf8.count).max()
    }

    /// The credential for another request.
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
                return .unusable(reason: "digest authentication can't carry control characters in a user name")
            }
            return .field(.authorization, value: value)
        }
    }

    /// Reads the next nonce from the response to an accepted credential.
    mutating func update(from head: HTTPResponseHead) {
        guard case .digest(var session) = answering else { return }
        session.note(authenticationInfo: head.fields[.authenticationInfo])
        answering = .digest(session)
    }

    /// The path up to its last slash: a Basic credential may be sent there without a challenge (RFC 7617 section 2.2).
    private static func folder(of url: HTTPURL) -> String {
        String(url.path.prefix(through: url.path.lastIndex(of: "/") ?? url.path.startIndex))
    }

    /// The paths of `domain` on this origin. Credentials are sent to no other, whatever the server says.
    private static func paths(of digest: DigestChallenge, at url: HTTPURL) -> [String] {
        if digest.domain.isEmpty { return ["/"] }
        let urls = digest.domain.compactMap { try? url.resolving($0) }
        return urls.filter { $0.isSameOrigin(as: url) }.map(\.path) + [folder(of: url)]
    }
}

/// The protection spaces whose credentials were accepted, for later requests.
final class ProtectionSpaces: Sendable {
    /// Per origin, as a server can invent any number of realms; the oldest are removed.
    private static let limit = 64

    private let spaces = Mutex<[Origin: [ProtectionSpace]]>([:])

    /// The credential for a request, if it is in a known space; the nonce counts as used.
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

    /// The credential that was accepted for a space.
    func credential(for space: ProtectionSpace) -> PasswordCredential? {
        change(at: space.origin) { spaces in spaces.first { $0.isSame(as: space) }?.credential }
    }

    /// Adds or replaces a space whose credential was accepted.
    func keep(_ space: ProtectionSpace) {
        change(at: space.origin) { spaces in
            spaces.removeAll { $0.isSame(as: space) }
            spaces.append(space)
            if spaces.count > Self.limit { spaces.removeFirst() }
        }
    }

    /// Reads the next nonce of a space from a response.
    func update(_ space: ProtectionSpace, from head: HTTPResponseHead) {
        guard head.fields.contains(.authenticationInfo) else { return }
        change(at: space.origin) { spaces in
            guard let index = spaces.firstIndex(where: { $0.isSame(as: space) }) else { return }
            spaces[index].update(from: head)
        }
    }

    /// Removes a space whose credential was refused.
    func remove(_ space: ProtectionSpace) {
        change(at: space.origin) { spaces in
            spaces.removeAll { $0.isSame(as: space) && $0.credential == space.credential }
        }
    }

    /// Removes everything, after a change of account.
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
