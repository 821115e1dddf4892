import GodwitSupport

/// Redacts the values of secret names in any text, byte by byte: how the text is cut into chunks makes no difference.
///
/// It knows no media types, as servers name wrong ones. A name in quotes or without them, followed by a colon or an equals
/// sign, has a value: a member of JSON, also of JSON in a string of JSON; an item of a query or form, also with encoded
/// JSON in it; an argument of GraphQL; a field or cookie of a printed message. Parts of multipart forms, elements of XML,
/// user information in URLs and parameters of paths are found too. Memory is bounded, whatever the text.
package struct SecretScanner: Sendable {
    /// The replacement of a secret.
    package static let mark = "<redacted>"

    enum State: Sendable {
        case text
        /// A quoted secret name has ended: a colon may follow.
        case afterName(Quote, amount: Bool)
        case beforeValue(Value)
        case quoted(Quote)
        /// A block string of GraphQL or Python, which three quotes end, after so many of them.
        case block(Quote, ending: Int)
        /// An object or array, whose strings have quotes of this level; `nil` until the first one.
        case nested(level: Int?, depth: Int, inString: Bool)
        case bare(Ending)
        /// The value of an argument without quotes, as in a sentence, until it is known whether it looks like a secret.
        case token(isAlone: Bool)
        case authority
        case element(isEmpty: Bool, atTag: Bool)
        /// A part of an element in which markup has no meaning, with the brackets at its end so far.
        case cdata(brackets: Int)
        /// A part of a form, with the dashes at the start of its line; `nil` elsewhere in a line.
        case part(dashes: Int?)
    }

    /// A quotation mark and how often it is escaped: 1 in a string of JSON, 2 in a string of JSON in that.
    struct Quote: Sendable, Equatable {
        let byte: UInt8
        let level: Int

        var bytes: [UInt8] { Array(repeating: UInt8(ascii: "\\"), count: (1 << min(level, 8)) - 1) + [byte] }
    }

    /// What stands before a secret value.
    enum Value: Sendable {
        /// A quoted name and a colon.
        case member(Quote, amount: Bool)
        /// A name without quotes and a colon. In a structure, every value is a secret; otherwise one that looks like one.
        case argument(isStructured: Bool, startsLine: Bool, isWholeLine: Bool)
        /// A name and an equals sign.
        case item(isPath: Bool, allowsBlank: Bool)
    }

    /// What ends a value without quotes.
    enum Ending: Sendable {
        case member, argument, item, path, line
    }

    /// What a name means.
    struct Meaning: Sendable {
        let isSecret, isSecretItem, countsTokens, isWholeLine: Bool
    }

    let extraNames: Set<String>
    /// Whether the text is a message or a field: markup and words at the start of lines have no meaning.
    let isProse: Bool
    /// How often the text is nested in encoded values.
    let depth: Int

    var state = State.text
    var output: [UInt8] = []
    /// Bytes that are neither shown nor hidden yet.
    var held: [UInt8] = []
    /// Whether the current character is written as `\u0061`, and how; empty from its second byte on.
    private(set) var isEscaped = false
    private var writing: [UInt8] = []
    /// The `u` and the digits of an escaped character.
    private var escape: [UInt8] = []
    /// How many backslashes precede the current character.
    private(set) var backslashes = 0
    var previous: UInt8 = 0
    var word = ScannedWord()
    /// What follows the latest quotation mark.
    var phrase = ScannedName()
    var phraseQuote: Quote?
    /// Whether nothing was read of a quoted value.
    var isEmptyValue = false
    /// The quotes of an empty value that has just ended: with another one it starts a block string.
    var emptyQuote: Quote?
    var line = ScannedLine()
    var tag: ScannedName?
    /// Whether a `?` or `#` came since the latest blank.
    var inQuery = false
    var slashes = 0
    /// How many parentheses are open.
    var parentheses = 0
    /// How many bytes of a line's `data:` were read, between a name and its value.
    var label: Int?
    var item: EncodedItem?
    private var names: [[UInt8]: Meaning] = [:]
    /// How many values were hidden.
    private(set) var hiddenCount = 0
    private var findings: SecretFindings?

    /// - Parameters:
    ///   - extraNames: More names of secrets, in lowercase.
    ///   - isProse: Whether the text is a message or a field rather than a body.
    ///   - findsValues: Whether to keep the hidden values.
    package init(extraNames: Set<String> = [], isProse: Bool = false, findsValues: Bool = false) {
        self.init(extraNames, isProse: isProse, depth: 0)
        findings = findsValues ? SecretFindings() : nil
    }

    init(_ extraNames: Set<String>, isProse: Bool, depth: Int) {
        (self.extraNames, self.isProse, self.depth) = (extraNames, isProse, depth)
    }

    /// Reads the next bytes, and returns those that are known to be shown.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        for byte in bytes { read(byte) }
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    /// Ends the text, and returns the rest of what is shown.
    package mutating func finish() -> [UInt8] {
        endEscape()
        switch state {
        case .quoted(let quote): output += quote.bytes
        case .token: endToken(at: nil)
        case .authority: endAuthority()
        case .element(_, atTag: true): output.append(UInt8(ascii: "<"))
        case .beforeValue:
            output += held
            held = []
        default: break
        }
        if let rest = item?.rest { output += rest }
        findings?.end()
        (state, item) = (.text, nil)
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    /// Whether bytes are being hidden.
    var isHiding: Bool {
        switch state {
        case .quoted, .block, .nested, .bare, .part, .cdata, .element(false, _): true
        case .text, .afterName, .beforeValue, .token, .authority, .element: false
        }
    }

    mutating func read(_ byte: UInt8) {
        if !escape.isEmpty {
            guard byte.isHexDigit else {
                endEscape()
                return read(byte)
            }
            escape.append(byte)
            if escape.count == 5 { readEscaped() }
        } else if byte == UInt8(ascii: "u"), backslashes > 0 {
            escape.append(byte)
        } else {
            readPlain(byte)
        }
    }

    private mutating func readPlain(_ byte: UInt8) {
        readUnit(byte)
        backslashes = byte == UInt8(ascii: "\\") ? backslashes.saturatingAdding(1) : 0
    }

    /// Reads a character written as `\u0061`.
    private mutating func readEscaped() {
        (isEscaped, writing) = (true, escape)
        let value = UInt16(String(decoding: escape.dropFirst(), as: UTF8.self), radix: 16) ?? 0
        escape = []
        for byte in String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8 {
            readUnit(byte)
            writing = []
        }
        (isEscaped, backslashes) = (false, 0)
    }

    private mutating func endEscape() {
        let bytes = escape
        escape = []
        for byte in bytes { readPlain(byte) }
    }

    private mutating func readUnit(_ byte: UInt8) {
        switch state {
        case .text: readText(byte)
        case .afterName(let quote, let amount): readGap(byte, after: quote, amount)
        case .beforeValue(let value): readStart(byte, of: value)
        case .quoted(let quote): readQuoted(byte, quote)
        case .block(let quote, let ending): readBlock(byte, quote, ending)
        case .nested(let level, let depth, let inString): readNested(byte, level, depth, inString)
        case .bare(let ending): readBare(byte, ending)
        case .token(let isAlone): readToken(byte, isAlone)
        case .authority: readAuthority(byte)
        case .element(let isEmpty, let atTag): readElement(byte, isEmpty, atTag)
        case .cdata(let brackets): readCDATA(byte, brackets)
        case .part(let dashes): readPart(byte, dashes)
        }
    }

    /// How often a quotation mark at this place is escaped.
    var quoteLevel: Int {
        isEscaped ? Self.level(ofEscaped: backslashes) : Self.level(backslashes)
    }

    /// Shows the current byte as it is written.
    mutating func emit(_ byte: UInt8) {
        if isEscaped { output += writing } else { output.append(byte) }
    }

    /// Holds the current byte as it is written.
    mutating func hold(_ byte: UInt8) {
        if isEscaped { held += writing } else { held.append(byte) }
    }

    /// Shows the backslashes of the current character, which were taken for a part of what came before.
    mutating func emitEscape() {
        guard isEscaped else { return }
        output += Array(repeating: UInt8(ascii: "\\"), count: min(backslashes, 8))
    }

    /// Reads bytes again that were held.
    mutating func replay(_ bytes: [UInt8]) {
        let current = isEscaped
        (state, isEscaped) = (.text, false)
        for byte in bytes { readText(byte) }
        isEscaped = current
    }

    private static func level(_ backslashes: Int) -> Int { (~backslashes).trailingZeroBitCount }

    /// The level of `\u0022`.
    private static func level(ofEscaped backslashes: Int) -> Int {
        let zeros = min(backslashes.trailingZeroBitCount, 8)
        return zeros + 1 + level(backslashes >> (zeros + 1))
    }

    /// Starts to hide a value.
    mutating func hide(_ next: State, quotes: [UInt8] = []) {
        output += quotes + Self.mark.utf8 + quotes
        hiddenCount += 1
        findings?.start()
        state = next
        item = nil
    }

    mutating func noteHidden(_ bytes: [UInt8]) { findings?.add(bytes) }

    mutating func noteHidden(_ byte: UInt8) {
        guard findings != nil else { return }
        if !isEscaped {
            findings?.add([byte])
        } else if !writing.isEmpty {
            findings?.add([UInt8(ascii: "\\")] + writing)
        }
    }

    mutating func dropHidden(_ count: Int) { findings?.dropLast(count) }

    /// Ends a hidden value.
    mutating func show() {
        findings?.end()
        (state, slashes, label, phraseQuote) = (.text, 0, nil, nil)
        word.clear()
        phrase.clear()
    }

    /// What a name means. Texts repeat names.
    mutating func meaning(of name: ScannedName) -> Meaning {
        // No name is that long: better hide too much.
        guard !name.isTooLong else {
            return Meaning(isSecret: true, isSecretItem: true, countsTokens: false, isWholeLine: false)
        }
        if let known = names[name.bytes] { return known }
        let text = name.text
        let plain = text.asciiLowercased
        let isExtra = extraNames.contains(plain)
        let meaning = Meaning(
            isSecret: isExtra || SecretName.isSecret(text), isSecretItem: isExtra || SecretName.isSecretQueryItem(text),
            countsTokens: !isExtra && SecretName.countsTokens(text),
            isWholeLine: plain.hasSuffix("authorization") || plain.hasSuffix("cookie"))
        if names.count > 200 { names.removeAll(keepingCapacity: true) }
        names[name.bytes] = meaning
        return meaning
    }
}

extension SecretScanner {
    /// Redacts a whole text.
    package static func redacted(
        _ text: some StringProtocol, extraNames: Set<String> = [], isProse: Bool = false
    ) -> String {
        var scanner = SecretScanner(extraNames: extraNames, isProse: isProse)
        let start = scanner.append(text.utf8)
        return String(decoding: start + scanner.finish(), as: UTF8.self)
    }

    /// Whether a text has something to redact.
    static func holdsSecret(_ text: some StringProtocol, extraNames: Set<String> = []) -> Bool {
        var scanner = SecretScanner(extraNames: extraNames)
        _ = scanner.append(text.utf8)
        _ = scanner.finish()
        return scanner.hiddenCount > 0
    }

    /// The values that would be redacted in a text, as they are written there.
    package static func values(
        in bytes: some Sequence<UInt8>, extraNames: Set<String> = [], isProse: Bool = false
    ) -> [String] {
        var scanner = SecretScanner(extraNames: extraNames, isProse: isProse, findsValues: true)
        _ = scanner.append(bytes)
        _ = scanner.finish()
        return scanner.findings?.values ?? []
    }
}
