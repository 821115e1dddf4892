/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110 section 11.3).
package struct AuthenticationChallenge: Sendable, Equatable {
    /// The scheme in lowercase, such as `basic`.
    package let scheme: String
    /// The token that some schemes send instead of parameters.
    package private(set) var token68: String?
    /// Values by lowercase name. If a name repeats, the first counts.
    package private(set) var parameters: [String: String] = [:]

    /// - Parameters:
    ///   - scheme: The scheme, in any case.
    ///   - token68: The token instead of parameters.
    ///   - parameters: Values by lowercase name.
    package init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme.asciiLowercased
        self.token68 = token68
        self.parameters = parameters
    }

    /// The challenges of several fields, in order. A field may contain several; commas separate challenges as well as
    /// parameters. Text that can't be parsed is skipped.
    package static func parse(_ values: [String]) -> [AuthenticationChallenge] {
        values.flatMap(parse)
    }

    private static func parse(_ value: String) -> [AuthenticationChallenge] {
        var scanner = FieldScanner(value)
        var challenges: [AuthenticationChallenge] = []
        while true {
            scanner.skipSeparators()
            if scanner.isAtEnd { return challenges }
            if let (name, value) = scanner.parameter() {
                // A parameter before any scheme is ignored.
                if !challenges.isEmpty { challenges[challenges.count - 1].add(value, for: name) }
            } else if let scheme = scanner.token() {
                challenges.append(AuthenticationChallenge(scheme: scheme, token68: scanner.token68()))
            } else {
                scanner.read { $0 == UInt8(ascii: ",") }
            }
        }
    }

    private mutating func add(_ value: String, for name: String) {
        if parameters[name] == nil { parameters[name] = value }
    }
}

/// A challenge with a supported scheme, of a server or a proxy.
package enum AnswerableChallenge: Sendable, Equatable {
    case basic(realm: String)
    case digest(DigestChallenge)

    /// The strongest one of the fields of a response: Digest before Basic, SHA-256 before MD5 (RFC 9110 section 11.6.1).
    package static func strongest(of values: [String]) -> AnswerableChallenge? {
        let challenges = AuthenticationChallenge.parse(values)
        let digests = challenges.compactMap { DigestChallenge($0) }
        if let strongest = digests.reversed().max(by: { $0.algorithm < $1.algorithm }) { return .digest(strongest) }
        return challenges.first { $0.scheme == "basic" }.map { .basic(realm: $0.parameters["realm"] ?? "") }
    }

    package var realm: String {
        switch self {
        case .basic(let realm): realm
        case .digest(let challenge): challenge.realm
        }
    }

    /// The nonce of a Digest challenge.
    package var nonce: String? {
        if case .digest(let challenge) = self { challenge.nonce } else { nil }
    }

    /// Whether the credential was right, and only its nonce too old.
    package var isStale: Bool {
        if case .digest(let challenge) = self { challenge.isStale } else { false }
    }
}

extension FieldScanner {
    /// Skips commas and blanks; a list may contain empty elements (RFC 9110 section 5.6.1).
    fileprivate mutating func skipSeparators() {
        read { !$0.isBlank && $0 != UInt8(ascii: ",") }
    }

    /// Reads a `name = value` and lowercases the name; returns `nil` and reads nothing if there is none here.
    fileprivate mutating func parameter() -> (name: String, value: String)? {
        var ahead = self
        guard let name = ahead.token() else { return nil }
        ahead.skipBlanks()
        guard ahead.skip("=") else { return nil }
        ahead.skipBlanks()
        guard let value = ahead.quotedString() ?? ahead.token() else { return nil }
        self = ahead
        return (name.asciiLowercased, value)
    }

    /// Reads blanks and a token68 that ends its challenge; returns `nil` and reads nothing if there is none here.
    fileprivate mutating func token68() -> String? {
        var ahead = self
        guard !ahead.read(until: { !$0.isBlank }).isEmpty else { return nil }
        var text = ahead.read { !Self.isToken68Byte($0) }
        guard !text.isEmpty else { return nil }
        text += ahead.read { $0 != UInt8(ascii: "=") }
        ahead.skipBlanks()
        guard ahead.isAtEnd || ahead.skip(",") else { return nil }
        self = ahead
        return text
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-._~+/".utf8.contains(byte)
    }
}
