import GodwitSupport

/// Reads a text of any kind: the value after a name and a colon or an equals sign is hidden if the name is a secret's.
///
/// What has a grammar of its own is read by that: JSON, items of queries, elements of XML, parts of forms, tokens. Each reader
/// hands back what isn't its own, so that a wrong media type makes no difference.
struct SecretText: Sendable {
    let extraNames: Set<String>
    /// Whether the text is a message or a field: markup and words at the start of lines have no meaning.
    let isProse: Bool
    /// How many values the text is in that encode it.
    let depth: Int

    /// What ends the value that is being hidden.
    var hiding: SecretEnding?
    /// The value that follows.
    var awaited: SecretValue?
    /// What is open of the JSON that is being read.
    var json: SecretJSON?
    var parts = SecretParts()
    /// How many brackets are open.
    private var openCount = 0
    /// The offset up to which items are known to have no encoded values.
    var plainEnd = 0
    /// The offset of the latest `<`.
    var tagStart: Int?
    private var names: [ArraySlice<UInt8>: NameMeaning] = [:]

    init(_ extraNames: Set<String>, isProse: Bool, depth: Int = 0) {
        self.extraNames = extraNames
        self.isProse = isProse
        self.depth = depth
    }

    /// Reads what can be decided.
    mutating func read(_ text: inout SecretInput) {
        while !text.isAtEnd, readNext(&text) {}
    }

    /// Reads the next part. Returns whether it could be decided. Otherwise nothing changes.
    mutating func readNext(_ text: inout SecretInput) -> Bool {
        if hiding?.hide(in: &text) == false { return false }
        if hiding != nil {
            hiding = nil
            return true
        }
        if let awaited { return readStart(of: awaited, in: &text) }
        return json == nil ? readText(&text) : readJSON(&text)
    }

    private mutating func readText(_ text: inout SecretInput) -> Bool {
        let index = text.position
        switch text.bytes[index] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard let startsJSON = SecretJSON.starts(in: text) else { return false }
            if startsJSON {
                json = SecretJSON()
                return true
            }
            openCount = openCount.saturatingAdding(1)
        case UInt8(ascii: "("): openCount = openCount.saturatingAdding(1)
        case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"): openCount = max(0, openCount - 1)
        case UInt8(ascii: "="): return readEquals(&text)
        case UInt8(ascii: ":"): readColon(in: text)
        case UInt8(ascii: "/"): return readSlash(&text)
        case UInt8(ascii: "e"): return readWebToken(&text)
        case UInt8(ascii: "<"): tagStart = text.absolute(index)
        case UInt8(ascii: ">"):
            if !isProse { readTagEnd(&text) }
        case 0x0A:
            if !isProse { readLineEnd(&text) }
        default: break
        }
        text.position = max(text.position, index + 1)
        return true
    }

    // MARK: Names

    private mutating func readEquals(_ text: inout SecretInput) -> Bool {
        let index = text.position
        guard let name = SecretLabel(before: index, in: text) else {
            text.position += 1
            return true
        }
        let meaning = meaning(of: name.bytes)
        if name.quoteLevel == nil, name.startsItem(in: text, isProse: isProse) {
            guard let isDone = readItem(&text, name, meaning) else { return false }
            if isDone { return true }
        } else if meaning.isSecret {
            awaited =
                name.quoteLevel.map { .member(level: $0, quote: name.quote, isAmount: meaning.isAmount) }
                ?? .item(inQuery: false, isPath: false, allowsBlank: name.isApart)
        } else if !isProse, SecretMarkup.isValue(name) {
            guard let isPaired = pairsWithSecret(in: text) else { return false }
            if isPaired { awaited = .item(inQuery: false, isPath: false, allowsBlank: name.isApart) }
        }
        text.position = index + 1
        return true
    }

    private mutating func readColon(in text: SecretInput) {
        guard let name = SecretLabel(before: text.position, in: text) else { return }
        let meaning = meaning(of: name.bytes)
        // What follows a variable is its type.
        guard meaning.isSecret, name.bytes.first != UInt8(ascii: "$") else { return }
        if let level = name.quoteLevel {
            return awaited = .member(level: level, quote: name.quote, isAmount: meaning.isAmount)
        }
        let startsLine = !isProse && name.startsLine(in: text)
        let rest = name.string(in: text) ?? (startsLine ? .line : nil)
        awaited = .argument(
            isStructured: !isProse && openCount > 0, startsLine: startsLine, rest: meaning.isWholeLine ? rest : nil)
    }

    /// What a name means. Texts repeat names.
    mutating func meaning(of name: ArraySlice<UInt8>) -> NameMeaning {
        if let known = names[name] { return known }
        let meaning = NameMeaning(name, extraNames)
        if names.count > 200 { names.removeAll(keepingCapacity: true) }
        // A copy: a slice would keep the whole text.
        names[ArraySlice(Array(name))] = meaning
        return meaning
    }

    // MARK: URLs and tokens

    /// Hides the user in a URL.
    private mutating func readSlash(_ text: inout SecretInput) -> Bool {
        let index = text.position
        let former = text.start(before: index) { $0 == UInt8(ascii: "\\") } - 1
        guard text[former] == UInt8(ascii: "/"), text[former - 1] != UInt8(ascii: "<") else {
            text.position += 1
            return true
        }
        let end = text.end(from: index + 1) { $0 > 0x20 && !"/?#<>\"'\\".utf8.contains($0) }
        guard let end else { return false }
        text.position += 1
        let authority = text.bytes[index + 1..<end]
        if let sign = authority.lastIndex(of: UInt8(ascii: "@"))
            ?? (end == text.bytes.count ? Self.userEnd(authority) : nil)
        {
            text.startHiding()
            text.hide(upTo: sign)
        }
        return true
    }

    /// The end of an authority that was cut, if what follows its colon isn't a port.
    private static func userEnd(_ authority: ArraySlice<UInt8>) -> Int? {
        let port = authority.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        return authority.first == UInt8(ascii: "[") || port.allSatisfy(\.isDigit) ? nil : authority.endIndex
    }

    /// Hides a JSON Web Token, whatever its name.
    private mutating func readWebToken(_ text: inout SecretInput) -> Bool {
        guard let isToken = SecretWebToken.starts(in: text) else { return false }
        if isToken {
            text.startHiding()
            hiding = .webToken
        } else {
            text.position += 1
        }
        return true
    }
}

/// What a name says of its value.
struct NameMeaning: Sendable {
    let isSecret: Bool
    /// Whether it is a secret in a query or form.
    let isSecretItem: Bool
    /// Whether a number is an amount and not a secret.
    let isAmount: Bool
    /// Whether the value is the rest of its line or string.
    let isWholeLine: Bool
    /// Whether it says that its value is a name, as in `{"name": "password", "value": "…"}`, or the value of that name.
    let isPairName, isPairValue: Bool

    init(_ name: ArraySlice<UInt8>, _ extraNames: Set<String>) {
        let written = String(decoding: name, as: UTF8.self)
        let text = PercentEncoding.decode(written) ?? written
        let plain = text.asciiLowercased
        let isExtra = extraNames.contains(plain)
        isSecret = isExtra || SecretName.isSecret(text)
        isSecretItem = isSecret || SecretName.isSecretQueryItem(text)
        isAmount = !isExtra && SecretName.countsTokens(text)
        isPairName = SecretName.isPairName(text)
        isPairValue = SecretName.isPairValue(text)
        isWholeLine = plain.hasSuffix("authorization") || plain.hasSuffix("cookie")
    }
}
