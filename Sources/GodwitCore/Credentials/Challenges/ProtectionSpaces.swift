import Synchronization

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
