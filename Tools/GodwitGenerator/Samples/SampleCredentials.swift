import GodwitWire

/// How one sample proves who its caller is.
struct SampleCredentials: Sendable {
    /// Without repetitions, in the order of the fields.
    var kinds: [SecurityScheme.Kind] = []
    /// The secrets, until they are removed from the samples.
    var values: [String] = []
    var hasCookies = false
    /// Whether the sample shows its fields at all: if not, nothing is known.
    var isKnown: Bool

    init(fields: [Sample.Field], target: SampleTarget) {
        // A Content-Type alone can come from the extension of a file.
        isKnown = fields.contains { $0.name.lowercased() != "content-type" }
        for field in fields { add(field) }
        for field in target.query where SecretName.isSecret(field.name) || Self.isLongKey(field) {
            add(.apiKey(name: field.name, location: .query), field.value)
        }
        if let user = target.user {
            isKnown = true
            add(.basic, user)
            values += user.split(separator: ":").dropFirst().map(String.init)
        }
    }

    private mutating func add(_ field: Sample.Field) {
        let name = field.name.lowercased()
        if name == "authorization" || name == "proxy-authorization" {
            authorize(field.value, isProxy: name != "authorization")
        } else if name == "cookie" {
            hasCookies = true
            values += field.value.split(separator: ";").compactMap { pair in
                pair.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
            }
        } else if SecretName.isSecret(name) {
            let isForgery = name.contains("csrf") || name.contains("xsrf")
            values.append(field.value)
            if !isForgery { add(.apiKey(name: field.name, location: .header), field.value) }
        }
    }

    private mutating func authorize(_ value: String, isProxy: Bool) {
        let scheme = value.prefix { $0 != " " }
        let secret = String(value.dropFirst(scheme.count + 1))
        values += [value, secret]
        guard !isProxy else { return }
        switch scheme.lowercased() {
        case "bearer", "token": add(.bearer, secret)
        case "basic":
            add(.basic, secret)
            if let data = Data(base64Encoded: secret) {
                let user = String(decoding: data, as: UTF8.self)
                values += [user] + user.split(separator: ":").dropFirst().map(String.init)
            }
        case "digest": add(.digest, secret)
        default:
            // A key without a scheme, which some services want in this field.
            add(.apiKey(name: "Authorization", location: .header), secret.isEmpty ? value : secret)
        }
    }

    private mutating func add(_ kind: SecurityScheme.Kind, _ value: String) {
        values.append(value)
        if !kinds.contains(kind) { kinds.append(kind) }
    }

    /// `?key=` with a long value, as Google's services have it.
    private static func isLongKey(_ field: Sample.Field) -> Bool {
        SecretName.isSecretQueryItem(field.name) && field.value.count >= 16
    }
}

/// Collects the security schemes of an API, and says what each operation needs.
struct SampleSecurity {
    private(set) var schemes: [SecurityScheme] = []

    /// The requirement of an operation; `nil` if its samples show nothing, empty if it is called without any.
    mutating func requirement(of exchanges: [SampleExchange]) -> [SecurityRequirement]? {
        let known = exchanges.filter { $0.credentials.isKnown && $0.status != 401 }
        guard let first = known.first(where: { !$0.credentials.kinds.isEmpty }) ?? known.first else { return nil }
        guard !first.credentials.kinds.isEmpty else { return [] }
        return [SecurityRequirement(schemes: first.credentials.kinds.map { .init(name: name(of: $0)) })]
    }

    /// The name of the scheme of a kind, which is added if it is new.
    mutating func name(of kind: SecurityScheme.Kind) -> String {
        if let scheme = schemes.first(where: { $0.kind == kind }) { return scheme.name }
        let name =
            switch kind {
            case .bearer: "bearer"
            case .basic: "basic"
            case .digest: "digest"
            case .apiKey(let name, _): SampleWords.camel(SampleWords.words(name).filter { $0 != "x" })
            default: "other"
            }
        let unique = schemes.contains { $0.name == name } ? "\(name)\(schemes.count + 1)" : name
        schemes.append(SecurityScheme(name: unique, kind: kind))
        return unique
    }
}
