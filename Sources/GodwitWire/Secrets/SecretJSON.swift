import GodwitSupport

/// The place in a document of JSON, or in what is there of one.
///
/// A document may be cut, be one of several, or end in the middle of another text.
struct SecretJSON: Sendable {
    /// What the members of an object say of a value in it: `{"name": "password", "value": "…"}`.
    enum PairName: Sendable {
        case unknown, harmless, secret
    }

    /// What comes next.
    enum Place: Sendable {
        case value
        case name
        /// A comma, or the end of the object or array.
        case comma
    }

    /// Deeper documents are read as text.
    static let deepest = 1024
    /// How far the name of a value is looked for after the value.
    static let reach = 4096

    /// The open objects; `nil` for an array.
    var containers: [PairName?] = []
    var place = Place.value
    /// The name whose value comes next.
    var member: NameMeaning?
    /// Whether this is only a search for the name of a value.
    var isSearch = false

    /// Whether a bracket starts an object or array; `nil` if that isn't known yet.
    static func starts(in text: SecretInput) -> Bool? {
        guard let next = text.blankEnd(from: text.position + 1) else { return nil }
        guard let byte = text[next] else { return false }
        return text.bytes[text.position] == UInt8(ascii: "{")
            ? byte == UInt8(ascii: "\"") : "\"{[".utf8.contains(byte)
    }
}

extension SecretText {
    /// Reads the next part of a document. Where it has none, the text continues.
    mutating func readJSON(_ text: inout SecretInput) -> Bool {
        let byte = text.bytes[text.position]
        switch (byte, json?.place) {
        case (0x20, _), (0x09, _), (0x0A, _), (0x0D, _):
            guard let end = text.blankEnd(from: text.position) else { return false }
            text.position = end
        case (UInt8(ascii: "\""), .name): return readName(&text)
        case (UInt8(ascii: "\""), .value): return readString(&text)
        case (UInt8(ascii: "{"), .value), (UInt8(ascii: "["), .value): open(byte, in: &text)
        case (UInt8(ascii: "}"), _), (UInt8(ascii: "]"), _): close(&text)
        case (UInt8(ascii: ","), .comma):
            let next: SecretJSON.Place = container == nil ? .value : .name
            json?.place = next
            text.position += 1
        case (_, .value) where byte.isScalar: return readScalar(&text)
        default: leaveJSON()
        }
        return true
    }

    private mutating func leaveJSON() {
        // What follows may still be its value.
        if let member = json?.member, member.isSecret {
            awaited = .member(level: 0, quote: UInt8(ascii: "\""), isAmount: member.isAmount)
        }
        json = nil
    }

    private mutating func endValue() {
        json?.member = nil
        json?.place = .comma
    }

    private mutating func open(_ bracket: UInt8, in text: inout SecretInput) {
        if isSecretValue {
            endValue()
            return hideBracket(0, in: &text, [UInt8(ascii: "\"")])
        }
        guard let count = json?.containers.count, count < SecretJSON.deepest else {
            text.position += 1
            return leaveJSON()
        }
        let isObject = bracket == UInt8(ascii: "{")
        json?.containers.append(isObject ? .unknown : nil)
        json?.member = nil
        json?.place = isObject ? .name : .value
        text.position += 1
    }

    private mutating func close(_ text: inout SecretInput) {
        text.position += 1
        _ = json?.containers.popLast()
        endValue()
        if json?.containers.isEmpty != false { json = nil }
    }

    /// Whether the value that comes next is hidden by its name, or by the name in the same object.
    private var isSecretValue: Bool {
        guard let member = json?.member else { return false }
        return member.isSecret || member.isPairValue && container == .secret
    }

    /// The innermost object; `nil` in an array.
    private var container: SecretJSON.PairName? { json?.containers.last ?? nil }

    // MARK: Names

    private mutating func readName(_ text: inout SecretInput) -> Bool {
        guard let end = text.stringEnd(from: text.position + 1) else { return false }
        guard let sign = text.blankEnd(from: end + 1) else { return false }
        guard text[sign] == UInt8(ascii: ":") else {
            leaveJSON()
            // A name without a value: the text was cut, or it isn't JSON.
            text.position += 1
            return true
        }
        let written = text.bytes[text.position + 1..<end]
        let name = written.contains(UInt8(ascii: "\\")) ? SecretEscapes.unescaped(written).bytes[...] : written
        let meaning = meaning(of: name)
        json?.member = meaning
        json?.place = .value
        text.hide(hiddenParts(ofString: written))
        text.position = sign + 1
        return true
    }

    // MARK: Values

    private mutating func readScalar(_ text: inout SecretInput) -> Bool {
        guard let end = text.end(from: text.position, while: \.isScalar) else { return false }
        let byte = text.bytes[text.position]
        let isAmount = json?.member?.isAmount == true && (byte.isDigit || byte == UInt8(ascii: "-"))
        guard let isHidden = isAmount ? false : hidesValue(upTo: end, in: text) else { return false }
        if isHidden {
            let quote = UInt8(ascii: "\"")
            text.startHiding([quote] + SecretScanner.mark.utf8 + [quote])
            text.hide(upTo: end)
        }
        text.position = end
        endValue()
        return true
    }

    private mutating func readString(_ text: inout SecretInput) -> Bool {
        let start = text.position + 1
        if isSecretValue {
            endValue()
            text.position = start
            hide(.quote(UInt8(ascii: "\""), level: 0, isBlock: false), in: &text)
            return true
        }
        guard let end = text.stringEnd(from: start) else { return false }
        guard let isHidden = hidesValue(upTo: min(end + 1, text.bytes.count), in: text) else { return false }
        if json?.member?.isPairName == true { notePairName(text.bytes[start..<end]) }
        text.position = start
        if isHidden {
            text.startHiding()
            text.hide(upTo: end)
        } else {
            text.hide(hiddenParts(ofString: text.bytes[start..<end]))
        }
        text.position = min(end + 1, text.bytes.count)
        endValue()
        return true
    }

    /// The secrets in the content of a string, which is a text of its own.
    private func hiddenParts(ofString written: ArraySlice<UInt8>) -> [SecretInput.Hidden] {
        guard written.withUnsafeBytes(SecretScanner.mayHoldSecret) else { return [] }
        let (bytes, offsets) = SecretEscapes.unescaped(written)
        var inner = SecretInput(bytes, isWhole: true)
        var reader = SecretText(extraNames, isProse: isProse, depth: depth + 1)
        reader.read(&inner)
        return inner.hidden.map { part in
            SecretInput.Hidden(
                range: offsets[part.range.lowerBound]..<offsets[part.range.upperBound],
                mark: part.mark.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] })
        }
    }

    // MARK: Names and values in one object

    private mutating func notePairName(_ written: ArraySlice<UInt8>) {
        guard let last = json?.containers.indices.last, container != .secret else { return }
        let isSecret = meaning(of: SecretEscapes.unescaped(written).bytes[...]).isSecret
        json?.containers[last] = isSecret ? .secret : .harmless
    }

    /// Whether a value is hidden by a name that may come after it, in the same object; `nil` if that isn't known yet.
    private func hidesValue(upTo end: Int, in text: SecretInput) -> Bool? {
        if isSecretValue { return true }
        guard let json, !json.isSearch, json.member?.isPairValue == true, container == .unknown else { return false }
        var inner = SecretInput(Array(text.bytes[end...].prefix(SecretJSON.reach)), isWhole: false)
        let isCut = inner.bytes.count < SecretJSON.reach
        var reader = SecretText(extraNames, isProse: isProse, depth: depth)
        reader.json = SecretJSON(containers: [.unknown], place: .comma, isSearch: true)
        while !inner.isAtEnd, reader.readNext(&inner) {
            // The object has ended, or what follows isn't JSON.
            guard let pair = reader.json?.containers.first ?? nil else {
                return inner[inner.position - 1] != UInt8(ascii: "}")
            }
            if pair != .unknown { return pair == .secret }
        }
        // The text was cut, and with it perhaps the name.
        return isCut ? text.isWhole ? true : nil : false
    }
}

extension SecretInput {
    /// The end of blanks, with the labels of an event's lines; `nil` if it isn't known yet.
    fileprivate func blankEnd(from start: Int) -> Int? {
        guard let end = end(from: start, while: \.isJSONBlank) else { return nil }
        guard end > start, bytes[end - 1] == 0x0A else { return end }
        return has("data:".utf8, at: end).flatMap { $0 ? blankEnd(from: end + 5) : end }
    }

    /// The quotation mark that ends a string, or the end of a text that was cut; `nil` if it isn't known yet.
    fileprivate func stringEnd(from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return isWhole ? bytes.count : nil
    }
}

extension UInt8 {
    fileprivate var isJSONBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
    fileprivate var isScalar: Bool { isDigit || isLetter || "+-.".utf8.contains(self) }
}
