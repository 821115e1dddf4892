/// Names of query items and body members whose values must not be shown.
package enum SecretName {
    /// Whether a value under this name is likely a secret: `access_token`, `apiKey`, `X-Amz-Signature`, `password2`.
    package static func isSecret(_ name: some StringProtocol) -> Bool {
        // Logs contain many names, and most are short.
        guard name.utf8.count >= shortest else { return false }
        let plain = String(name).asciiLowercased
        let holdsPart = plain.withBytes { bytes in parts.contains { holds(bytes, $0) } }
        return holdsPart || words(of: name).contains { words.contains($0) }
    }

    /// Whether a query item is a secret. Includes `code`, `key` and `sig`, which have other meanings in a body.
    package static func isSecretQueryItem(_ name: some StringProtocol) -> Bool {
        name.utf8.count >= shortest && (queryNames.contains(String(name).asciiLowercased) || isSecret(name))
    }

    private static let parts: [[UInt8]] = [
        "token", "secret", "device_code", "user_code", "code_verifier", "password", "passwd", "passphrase", "apikey",
        "api_key", "api-key", "signature", "credential", "assertion", "privatekey", "private_key",
    ].map { Array($0.utf8) }

    // Matched as whole words: as parts of others, such as "author", they would redact too much.
    private static let words: Set<String> = [
        "auth", "authorization", "session", "sessionid", "sid", "jwt", "otp", "pin", "cvv", "cvc", "pwd", "cookie",
    ]

    /// The length of the shortest part or word.
    private static let shortest = 3

    private static func holds(_ text: UnsafeBufferPointer<UInt8>, _ part: [UInt8]) -> Bool {
        guard let first = part.first, text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { start in
            text[start] == first && text[start..<(start + part.count)].elementsEqual(part)
        }
    }

    private static let queryNames: Set<String> = ["key", "code", "sig"]

    /// The words of a name in any case style, in lowercase.
    private static func words(of name: some StringProtocol) -> [String] {
        CaseWords.separated(String(name)).split { !$0.isLetter }.map(\.asciiLowercasedString)
    }
}

extension Substring {
    fileprivate var asciiLowercasedString: String { String(self).asciiLowercased }
}

private enum CaseWords {
    /// `publishedAt` as `published_at`, `sourceURL` as `source_url`.
    fileprivate static func separated(_ name: String) -> String {
        let characters = Array(name)
        var snake = ""
        for (index, character) in characters.enumerated() {
            let startsWord = index > 0 && character.isUppercase && characters[index - 1] != "_"
            let afterLower = startsWord && !characters[index - 1].isUppercase
            let beforeLower = startsWord && index + 1 < characters.count && characters[index + 1].isLowercase
            if afterLower || beforeLower { snake += "_" }
            snake += character.lowercased()
        }
        return snake
    }
}
