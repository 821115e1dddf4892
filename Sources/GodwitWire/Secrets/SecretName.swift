/// The one rule for names of secrets: of header fields, items of queries and forms, members of JSON, cookies, arguments
/// and elements.
///
/// Redirects, transfers, recordings, logs, telemetry and the generator ask it. Names of people and payment data, such as
/// `iban`, are no credentials: users add them by name.
package enum SecretName {
    /// Whether a value under this name is likely a secret: `access_token`, `apiKey`, `X-Amz-Signature`, `password2`.
    package static func isSecret(_ name: some StringProtocol) -> Bool {
        // Logs contain many names, and most are short.
        name.utf8.count >= shortest && NameWords(name).meanSecret
    }

    /// Whether a query item is a secret. Includes `code`, `key` and `appid`, which have other meanings in a body.
    package static func isSecretQueryItem(_ name: some StringProtocol) -> Bool {
        guard name.utf8.count >= shortest else { return false }
        let words = NameWords(name)
        return words.meanSecret || words.areItem
    }

    /// Whether a header field is a secret. Includes `X-Ticket` and `AppId`, which have other meanings in a body.
    package static func isSecretField(_ name: some StringProtocol) -> Bool {
        guard name.utf8.count >= shortest else { return false }
        let words = NameWords(name)
        return words.meanSecret || words.areField
    }

    /// Whether the value under this name is the name of another value: `{"name": "password", "value": "…"}`.
    package static func isPairName(_ name: some StringProtocol) -> Bool { NameWords(name).endAsPairName }

    /// Whether a name in the same object says what this is the value of.
    package static func isPairValue(_ name: some StringProtocol) -> Bool { NameWords(name).endAsPairValue }

    /// Whether a number under this name is an amount: `total_tokens` counts tokens.
    package static func countsTokens(_ name: some StringProtocol) -> Bool {
        NameWords(name).countTokens
    }

    private static let shortest = 2
}

/// The words of a name in any style, in lowercase: `accessToken`, `ACCESS_TOKEN` and `Access-Token` are the same.
private struct NameWords {
    /// The letters of all words, without what separates them.
    private var letters: [UInt8] = []
    private var ends: [Int] = []

    init(_ name: some StringProtocol) {
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            read(Array(name.utf8))
        } else {
            read(name.unicodeScalars.map(Self.narrow))
        }
    }

    /// Full-width letters as ASCII. Other letters separate words, as no name of a secret has them.
    private static func narrow(_ scalar: Unicode.Scalar) -> UInt8 {
        switch scalar.value {
        case ..<0x80: UInt8(scalar.value)
        case 0xFF01...0xFF5E: UInt8(scalar.value - 0xFEE0)
        default: UInt8(ascii: "_")
        }
    }

    private mutating func read(_ name: [UInt8]) {
        letters.reserveCapacity(name.count)
        for (index, byte) in name.enumerated() {
            guard byte.isLetter else {
                endWord()
                continue
            }
            if byte.isUppercase, index > 0 {
                let former = name[index - 1]
                let endsAcronym = former.isUppercase && index + 1 < name.count && name[index + 1].isLowercase
                if former.isLowercase || endsAcronym { endWord() }
            }
            letters.append(byte | 0x20)
        }
        endWord()
    }

    private mutating func endWord() {
        if letters.count > ends.last ?? 0 { ends.append(letters.count) }
    }

    private func word(_ index: Int) -> ArraySlice<UInt8> { letters[(index > 0 ? ends[index - 1] : 0)..<ends[index]] }

    private var words: some Sequence<ArraySlice<UInt8>> { ends.indices.lazy.map(word) }

    var meanSecret: Bool { !isAbout && holdsSecret }

    var areItem: Bool { Self.items.contains(letters[...]) }

    /// Whether the whole name, or its end, is that of a field which identifies a client.
    var areField: Bool {
        Self.fields.contains(letters[...]) || ends.count > 1 && Self.fieldEndings.contains(word(ends.count - 1))
            || ends.count > 2 && Self.fieldEndings.contains(letters[ends[ends.count - 3]...])
    }

    var endAsPairName: Bool { !ends.isEmpty && Self.pairNames.contains(word(ends.count - 1)) }
    var endAsPairValue: Bool { !ends.isEmpty && Self.pairValues.contains(word(ends.count - 1)) }

    var countTokens: Bool {
        guard words.contains(where: Self.tokens.contains) else { return false }
        var rest = NameWords("")
        for word in words where !Self.tokens.contains(word) {
            rest.letters += word
            rest.endWord()
        }
        return !rest.holdsSecret
    }

    private var holdsSecret: Bool {
        if ends.count == 1, Self.alone.contains(letters[...]) { return true }
        if words.contains(where: Self.secretWords.contains) { return true }
        return letters.indices.contains { Self.secretParts.hasPrefix(of: letters[$0...]) } && !isHarmless
    }

    /// Whether the secret parts are only those of words that mean nothing.
    private var isHarmless: Bool {
        let isKnown = words.contains { word in word.indices.contains { Self.harmlessParts.hasPrefix(of: word[$0...]) } }
        guard isKnown else { return false }
        var rest: [UInt8] = []
        for word in words where !word.indices.contains(where: { Self.harmlessParts.hasPrefix(of: word[$0...]) }) {
            rest += word
        }
        return !rest.indices.contains { Self.secretParts.hasPrefix(of: rest[$0...]) }
    }

    /// Whether the name tells something about a secret, such as its type or lifetime.
    private var isAbout: Bool {
        guard ends.count > 1 else { return false }
        let last = word(ends.count - 1)
        return Self.places.contains(last)
            ? Self.placed.contains(word(ends.count - 2)) : Self.harmlessEndings.contains(last)
    }

    private static let items: WordList = [
        "key", "code", "sig", "sign", "ticket", "appid", "applicationid", "apiuser", "apiid",
    ]
    private static let fields: WordList = ["key", "xkey", "ticket", "appid", "applicationid", "apiuser", "apiid"]
    private static let fieldEndings: WordList = ["ticket", "appid", "applicationid", "apiuser", "apiid"]
    private static let pairNames: WordList = [
        "name", "key", "k", "id", "type", "field", "header", "parameter", "param", "property", "attribute", "variable",
    ]
    private static let pairValues: WordList = ["value", "values", "val", "v", "content"]
    private static let tokens: WordList = ["tokens"]
    private static let alone: WordList = ["refresh"]
    private static let places: WordList = ["url", "uri"]
    private static let placed: WordList = ["token", "auth", "authorization"]

    // Matched as whole words: as parts of others, such as "author", they would redact too much.
    private static let secretWords: WordList = [
        "auth", "authorization", "authorisation", "authentication", "session", "sid", "jwt", "otp", "totp", "pin",
        "puk", "cvv", "cvc",
        "pass", "pwd", "pw", "psk", "cookie", "cookies", "bearer", "sig", "sas", "cred", "creds", "assertion",
        "verifier", "mnemonic",
    ]

    // Matched in the letters of the whole name, as many names have no separators.
    private static let secretParts: WordList = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "credential", "signature", "hmac", "csrf",
        "xsrf", "sessionid", "sessid", "sessionkey", "apikey", "appkey", "applicationkey", "accesskey", "privatekey",
        "sharedkey", "masterkey", "authkey", "accountkey", "subscriptionkey", "encryptionkey", "signingkey",
        "servicekey", "serverkey", "functionskey", "adminkey", "consumerkey", "clientkey", "developerkey", "licensekey",
        "deploykey", "storagekey", "licencekey", "hashkey", "gpgkey", "writekey", "recoverykey", "sshkey", "passkey",
        "userkey", "merchantkey", "partnerkey", "integrationkey", "devicekey", "botkey", "ingestkey", "ingestionkey",
        "devicecode", "usercode", "authcode",
        "authorizationcode", "verificationcode", "recoverycode", "backupcode", "securitycode", "accesscode",
        "resetcode", "mfacode", "factorcode", "onetimecode", "smscode", "pincode", "unlockcode", "codeverifier",
        "clientassertion", "samlresponse", "samlrequest", "aspxauth", "userpass", "dbpass",
        "adminpass", "rootpass", "smtppass", "ftppass", "userpwd", "dbpwd", "keypass", "storepass",
        "dpop", "connectionstring", "seedphrase", "recoveryphrase",
    ]

    // Words with a part that means nothing: a tokenizer, a secretary.
    private static let harmlessParts: WordList = ["tokeniz", "tokenis", "secretar", "secreti"]

    private static let harmlessEndings: WordList = [
        "type", "at", "in", "on", "count", "limit", "length", "size", "expiry", "expires", "expiration", "ttl",
        "lifetime", "duration", "timeout", "policy", "name", "endpoint", "format", "version", "algorithm", "alg",
        "method", "rate", "status", "enabled", "required", "supported", "details",
    ]
}

/// Words by their first letter: texts have many names, and hashes of them would cost more.
private struct WordList: Sendable, ExpressibleByArrayLiteral {
    private var words = [[[UInt8]]](repeating: [], count: 128)

    init(arrayLiteral words: String...) {
        for word in words.map({ Array($0.utf8) }) { self.words[Int(word[0])].append(word) }
    }

    func contains(_ word: ArraySlice<UInt8>) -> Bool {
        guard let first = word.first else { return false }
        return words[Int(first & 0x7F)].contains { $0.count == word.count && $0.elementsEqual(word) }
    }

    /// Whether one of the words starts a text.
    func hasPrefix(of text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        return words[Int(first & 0x7F)].contains { $0.count <= text.count && text.starts(with: $0) }
    }
}

extension UInt8 {
    fileprivate var isUppercase: Bool { (0x41...0x5A).contains(self) }
    fileprivate var isLowercase: Bool { (0x61...0x7A).contains(self) }
}
