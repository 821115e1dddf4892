import GodwitSupport

/// Finds known secrets in any text, however the text writes them.
///
/// Text and secrets are compared in a plain form, without escapes: percent-encoding, escapes of JSON and entities of XML
/// are undone, also several on top of each other; backslashes, blanks, line breaks, `+` and `-` don't count. Base64 and
/// hexadecimal digits of a secret are secrets too. A secret of four or five characters is found only as a whole word, a
/// shorter one never: it would hide ordinary words.
package struct SecretSearch: Sendable {
    /// The length of the shortest secret that is found.
    package static let shortest = 4
    /// The length from which a secret is found inside words.
    static let shortestPart = 6
    /// How much of a secret shows that it is one. More would let a hostile text cost more.
    static let longestStart = 64
    private static let limit = 400

    /// The secrets in plain form, by their first bytes.
    private var patterns: [UInt32: [[UInt8]]] = [:]
    /// Which first bytes secrets have: most of a text is passed by.
    private var starts = [Bool](repeating: false, count: 1 << 12)

    /// - Parameter secrets: The values. Those in Base64 and hexadecimal are derived.
    package init(_ secrets: some Sequence<String>) {
        var known: Set<[UInt8]> = []
        for secret in secrets {
            for form in Self.forms(of: secret) where known.count < Self.limit && known.insert(form).inserted {
                add(form)
            }
        }
    }

    /// Finds nothing. Most calls have no secrets, and a table for each would cost more than the rest of a search.
    package static let empty = SecretSearch([])

    package var isEmpty: Bool { patterns.isEmpty }

    private mutating func add(_ pattern: [UInt8]) {
        starts[Self.start(pattern, at: 0)] = true
        patterns[Self.key(pattern[...]), default: []].append(pattern)
    }

    private static func forms(of secret: String) -> [[UInt8]] {
        let bytes = Array(secret.utf8)
        var forms = [PlainText.plain(bytes)]
        if bytes.count >= shortestPart {
            let digits = Hexadecimal.encode(bytes)
            forms += (0...2).map { base64(bytes, after: $0) } + [Array(digits.utf8), Array(digits.uppercased().utf8)]
        }
        return forms.filter { $0.count >= shortest }
    }

    /// The Base64 digits that a secret has after a number of other bytes, such as a name and a colon.
    private static func base64(_ secret: [UInt8], after count: Int) -> [UInt8] {
        let text = Array(Data([UInt8](repeating: 0, count: count) + secret).base64EncodedString().utf8)
        let end = count == 0 ? text.count : (count + secret.count) * 8 / 6
        return PlainText.plain(text[((count * 8 + 5) / 6)..<end].filter { $0 != UInt8(ascii: "=") })
    }

    private static func start(_ text: [UInt8], at index: Int) -> Int {
        (Int(text[index]) << 8 ^ Int(text[index + 1]) << 4 ^ Int(text[index + 2])) & 0xFFF
    }

    /// Whether a secret may start at an offset of a plain text.
    @inline(__always)
    func mayStart(in text: [UInt8], at index: Int) -> Bool {
        index + Self.shortest <= text.count && starts[Self.start(text, at: index)]
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(shortest).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The secrets that start at an offset of a plain text, as far as ``longestStart`` shows.
    func candidates(in text: [UInt8], at start: Int) -> [[UInt8]] {
        guard let known = patterns[Self.key(text[start...])] else { return [] }
        return known.filter { pattern in
            let count = min(pattern.count, Self.longestStart)
            return start + count <= text.count && text[start..<start + count].elementsEqual(pattern[..<count])
        }
    }

    /// Whether a text that was cut ends in the start of a secret.
    func mayBeCut(_ text: [UInt8], at start: Int) -> Bool {
        let rest = text[start...]
        guard let known = patterns[Self.key(rest)] else { return false }
        return known.contains { $0.starts(with: rest) }
    }

    /// A text without the secrets.
    ///
    /// - Parameter isCut: Whether the text was cut off, perhaps inside a secret.
    package func redacted(_ text: String, isCut: Bool = false) -> String {
        guard !isEmpty, !text.isEmpty else { return text }
        var run = SecretSearchRun(self)
        let start = run.append(text.utf8)
        return String(decoding: start + run.finish(isCut: isCut), as: UTF8.self)
    }

    /// Whether a text has one of the secrets.
    package func finds(in text: String) -> Bool { redacted(text) != text }
}

/// Replaces secrets in a text that comes in chunks.
struct SecretSearchRun: Sendable {
    private let search: SecretSearch
    private var text = PlainText()
    /// The secrets that the hidden bytes agree with, and how far.
    private var hidden: [ArraySlice<UInt8>] = []
    private var isHiding = false
    /// The last plain byte before ``position``, and where it ends in the text as written.
    private var previous: (byte: UInt8, end: Int) = (0, 0)
    /// The first plain byte that is neither shown nor hidden, and the first byte as written.
    private var position = 0
    private var written = 0
    private var output: [UInt8] = []

    private static let block = 4096

    init(_ search: SecretSearch) {
        self.search = search
    }

    mutating func append(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        for byte in bytes {
            text.append(byte)
            if text.plain.count >= Self.block { decideStart() }
        }
        decideStart()
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    private mutating func decideStart() {
        decide(upTo: text.plain.count - SecretSearch.longestStart - 1, isCut: false)
        takeDecided()
    }

    /// - Parameter isCut: Whether the text was cut off, perhaps inside a secret.
    mutating func finish(isCut: Bool = false) -> [UInt8] {
        text.finish()
        decide(upTo: text.plain.count, isCut: isCut)
        output += text.bytes[written...]
        defer { self = SecretSearchRun(search) }
        return output
    }

    private mutating func decide(upTo end: Int, isCut: Bool) {
        while position < end {
            if isHiding, extend() { continue }
            guard search.mayStart(in: text.plain, at: position) else {
                pass()
                continue
            }
            let found = search.candidates(in: text.plain, at: position).filter(isFound)
            if !found.isEmpty {
                hide(found)
            } else if isCut, search.mayBeCut(text.plain, at: position) {
                start()
                position = text.plain.count
                written = text.bytes.count
            } else {
                pass()
            }
        }
    }

    private mutating func pass() {
        previous = (text.plain[position], text.ranges[position].upperBound)
        position += 1
    }

    /// Continues to hide while the text agrees with the secret.
    private mutating func extend() -> Bool {
        hidden = hidden.filter { $0.first == text.plain[position] }.map { $0.dropFirst() }
        isHiding = !hidden.isEmpty
        guard isHiding else { return false }
        skip(1)
        return true
    }

    private mutating func hide(_ found: [[UInt8]]) {
        start()
        let longest = found.map { min($0.count, SecretSearch.longestStart) }.max() ?? 0
        hidden = found.filter { $0.count > SecretSearch.longestStart }.map { $0[SecretSearch.longestStart...] }
        isHiding = !hidden.isEmpty
        skip(longest)
    }

    private mutating func start() {
        output += text.bytes[written..<text.ranges[position].lowerBound]
        output += SecretScanner.mark.utf8
    }

    private mutating func skip(_ count: Int) {
        position += count
        written = text.ranges[position - 1].upperBound
        previous = (text.plain[position - 1], written)
    }

    /// Whether a secret is more than a part of a longer word.
    private func isFound(_ pattern: [UInt8]) -> Bool {
        guard pattern.count < SecretSearch.shortestPart else { return true }
        let end = position + pattern.count
        let startsWord = !previous.byte.isWordByte || previous.end < text.ranges[position].lowerBound
        guard startsWord, end < text.plain.count else { return startsWord }
        return !text.plain[end].isWordByte || text.ranges[end - 1].upperBound < text.ranges[end].lowerBound
    }

    /// Shows what was decided, and forgets it.
    private mutating func takeDecided() {
        let end = isHiding ? written : position < text.ranges.count ? text.ranges[position].lowerBound : text.openStart
        if end > written { output += text.bytes[written..<end] }
        written = max(written, end)
        text.removeFirst(position, written: written)
        previous.end -= written
        position = 0
        written = 0
    }
}

extension UInt8 {
    fileprivate var isWordByte: Bool {
        isDigit || self >= 0x80 || isLetter || self == UInt8(ascii: "_")
    }
}
