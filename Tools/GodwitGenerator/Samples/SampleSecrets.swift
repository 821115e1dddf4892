import GodwitWire

/// Finds credentials in samples, so that none of them reaches what is generated.
///
/// They are replaced before anything is inferred: neither an example nor an enumeration nor a note can contain one.
struct SampleSecrets {
    static let replacement = "redacted"

    /// Values that were seen as credentials, wherever else they occur.
    private(set) var values: Set<String> = []
    /// Those that are searched for inside other texts; bounded.
    private var fragments: [String] = []
    /// What is known of keys: documents repeat them.
    private var keys: [String: Bool] = [:]

    /// Why a value can be a credential.
    enum Secrecy: Sendable {
        case none
        /// It is inside an object with the name of a credential: dates, URLs and numbers aren't secret there.
        case inherited
        /// Its own name says it.
        case named
    }

    mutating func add(_ value: String) {
        guard value.count >= 6, value != Self.replacement, values.insert(value).inserted else {
            return
        }
        if value.count >= 8, fragments.count < 16 { fragments.append(value) }
    }

    /// Collects the credentials of a document.
    mutating func collect(_ node: DocumentNode, _ secrecy: Secrecy = .none) {
        switch node.value {
        case .string(let text): if Self.hides(text, secrecy) { add(text) }
        case .array(let elements): for element in elements { collect(element, secrecy) }
        case .object(let members):
            for member in members {
                if keys[member.key] == nil { keys[member.key] = SecretName.isSecret(member.key) }
                collect(member.value, self.secrecy(member, of: members, secrecy))
            }
        case .null, .bool, .number: break
        }
    }

    /// The document without credentials, in the same shape.
    func redacted(_ node: DocumentNode, _ secrecy: Secrecy = .none) -> DocumentNode {
        var node = node
        switch node.value {
        case .string(let text):
            node.value = .string(Self.hides(text, secrecy) ? Self.replacement : redacted(text))
        case .number: if secrecy == .named { node.value = .number("0") }
        case .array(let elements): node.value = .array(elements.map { redacted($0, secrecy) })
        case .object(let members):
            node.value = .object(
                members.map { member in
                    .init(
                        key: redacted(member.key),
                        value: redacted(member.value, self.secrecy(member, of: members, secrecy)))
                })
        case .null, .bool: break
        }
        return node
    }

    private func secrecy(
        _ member: DocumentNode.Member, of members: [DocumentNode.Member], _ outer: Secrecy
    ) -> Secrecy {
        if SecretName.isPairValue(member.key), members.contains(where: Self.namesSecret) { return .named }
        if keys[member.key] ?? SecretName.isSecret(member.key), !Self.isAmount(member) { return .named }
        return outer == .none ? .none : .inherited
    }

    /// Whether a member names the value of another one: `{"name": "password", "value": "…"}`.
    private static func namesSecret(_ member: DocumentNode.Member) -> Bool {
        guard case .string(let name) = member.value.value else { return false }
        return SecretName.isPairName(member.key) && SecretName.isSecret(name)
    }

    private static func hides(_ text: String, _ secrecy: Secrecy) -> Bool {
        switch secrecy {
        case .none: false
        case .inherited: !["date", "date-time", "uri"].contains(SampleText.format(of: [text]) ?? "")
        case .named: true
        }
    }

    /// `total_tokens` with a number counts tokens.
    private static func isAmount(_ member: DocumentNode.Member) -> Bool {
        guard case .number = member.value.value else { return false }
        return SecretName.countsTokens(member.key)
    }

    /// A text without credentials.
    func redacted(_ text: String) -> String {
        if values.contains(text) || Self.looksSecret(text) { return Self.replacement }
        let text = text.contains("?") && text.contains("://") ? Self.withoutSecretQuery(text) : text
        return fragments.contains { text.contains($0) } ? Self.replacement : text
    }

    /// Tokens that show what they are: JSON web tokens, and the prefixes of large services.
    static func looksSecret(_ text: String) -> Bool {
        // Most texts are told apart by their first character.
        guard let first = text.utf8.first, "sgxABe".utf8.contains(first) else { return false }
        let prefixes = ["sk_live_", "sk_test_", "ghp_", "gho_", "xoxb-", "xoxp-", "AKIA", "Bearer ", "Basic "]
        if prefixes.contains(where: { text.hasPrefix($0) && text.count > $0.count + 5 }) { return true }
        return text.hasPrefix("eyJ") && text.split(separator: ".").count >= 2 && !text.contains(" ")
    }

    private static func withoutSecretQuery(_ url: String) -> String {
        let start = url.prefix { $0 != "?" }
        let fields = url[start.endIndex...].dropFirst().split(separator: "&").map { field in
            let name = field.prefix { $0 != "=" }
            return SecretName.isSecretQueryItem(SampleTarget.decoded(name)) ? "\(name)=\(replacement)" : String(field)
        }
        return "\(start)?\(fields.joined(separator: "&"))"
    }
}
