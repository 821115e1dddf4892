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

    /// Whether a query item is a secret. Includes `code`, `key` and `sig`, which have other meanings in a body.
    package static func isSecretQueryItem(_ name: some StringProtocol) -> Bool {
        name.utf8.count >= shortest && (queryNames.contains(String(name).asciiLowercased) || isSecret(name))
    }

    /// Whether a number under this name is an amount: `total_tokens` counts tokens.
    package static func countsTokens(_ name: some StringProtocol) -> Bool {
        NameWords(name).countTokens
    }

    private static let shortest = 2
    private static let queryNames: Set<String> = ["key", "code", "sig", "sign"]
}

/// The words of a name in any style, in lowercase: `accessToken`, `ACCESS_TOKEN` and `Access-Token` are the same.
private struct NameWords {
    private var words: [String] = []

    init(_ name: some StringProtocol) {
        var word = ""
        var former: Unicode.Scalar?
        let scalars = name.unicodeScalars.map(Self.narrow)
        for (index, scalar) in scalars.enumerated() {
            let isUpper = scalar.properties.isUppercase
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            let startsWord =
                isUpper
                && (former?.properties.isLowercase == true
                    || former?.properties.isUppercase == true && next?.properties.isLowercase == true)
            if !scalar.properties.isAlphabetic || startsWord { take(&word) }
            if scalar.properties.isAlphabetic { word += scalar.properties.lowercaseMapping }
            former = scalar
        }
        take(&word)
    }

    /// Full-width letters as ASCII.
    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    private mutating func take(_ word: inout String) {
        if !word.isEmpty { words.append(word) }
        word = ""
    }

    var meanSecret: Bool { !isAbout && Self.meanSecret(words) }

    var countTokens: Bool { words.contains("tokens") && !Self.meanSecret(words.filter { $0 != "tokens" }) }

    private static func meanSecret(_ words: [String]) -> Bool {
        if words == ["refresh"] || words.contains(where: secretWords.contains) { return true }
        let joined = words.filter { word in !harmlessParts.contains { word.contains($0) } }.joined()
        return secretParts.contains { joined.contains($0) }
    }

    /// Whether the name tells something about a secret, such as its type or lifetime.
    private var isAbout: Bool {
        guard words.count > 1, let last = words.last else { return false }
        if ["url", "uri"].contains(last) {
            return ["token", "auth", "authorization"].contains(words[words.count - 2])
        }
        return Self.harmlessEndings.contains(last)
    }

    // Matched as whole words: as parts of others, such as "author", they would redact too much.
    private static let secretWords: Set<String> = [
        "auth", "authorization", "authorisation", "session", "sid", "jwt", "otp", "totp", "pin", "puk", "cvv", "cvc",
        "pass", "pwd", "pw", "psk", "cookie", "cookies", "bearer", "sig", "sas", "cred", "creds", "assertion",
        "verifier", "mnemonic",
    ]

    // Matched in the letters of the whole name, as many names have no separators.
    private static let secretParts: [String] = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "credential", "signature", "hmac", "csrf",
        "xsrf", "sessionid", "sessid", "sessionkey", "apikey", "appkey", "applicationkey", "accesskey", "privatekey",
        "sharedkey", "masterkey", "authkey", "accountkey", "subscriptionkey", "encryptionkey", "signingkey",
        "servicekey", "serverkey", "functionskey", "adminkey", "consumerkey", "clientkey", "developerkey", "licensekey",
        "deploykey", "writekey", "recoverykey", "sshkey", "passkey", "devicecode", "usercode", "authcode",
        "authorizationcode", "verificationcode", "recoverycode", "backupcode", "securitycode", "accesscode",
        "resetcode",
        "codeverifier", "clientassertion", "samlresponse", "samlrequest", "aspxauth", "userpass", "dbpass",
        "dpop", "connectionstring", "seedphrase", "recoveryphrase",
    ]

    // Words with a part that means nothing: a tokenizer, a secretary.
    private static let harmlessParts = ["tokeniz", "tokenis", "secretar", "secreti"]

    private static let harmlessEndings: Set<String> = [
        "type", "at", "in", "on", "count", "limit", "length", "size", "expiry", "expires", "expiration", "ttl",
        "lifetime",
        "duration", "timeout", "policy", "name", "endpoint", "format", "version", "algorithm", "alg", "method", "rate",
        "status", "enabled", "required", "supported", "details",
    ]
}
