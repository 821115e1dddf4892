import GodwitSupport

/// A bare item of a structured field (RFC 9651 section 3.3).
package enum StructuredBareItem: Sendable, Hashable {
    case integer(Int64)
    /// A decimal, multiplied by 1000.
    case decimal(thousandths: Int64)
    case string(String)
    case token(String)
    case bytes([UInt8])
    case boolean(Bool)
    /// Seconds since 1970.
    case date(Int64)
    case displayString(String)
}

/// Values by key, in the order in which the keys first appeared: the form of parameters and dictionaries.
package struct StructuredMap<Value: Sendable & Hashable>: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package let key: String
        package let value: Value
    }

    package private(set) var entries: [Entry] = []
    /// The position of each key: a peer can send many.
    private var positions: [String: Int] = [:]

    package init() {}

    /// The value of a key. A second value for a key replaces the first, at its position (RFC 9651 section 4.2.2).
    package subscript(key: String) -> Value? {
        positions[key].map { entries[$0].value }
    }

    package mutating func set(_ value: Value, for key: String) {
        if let position = positions[key] {
            entries[position] = Entry(key: key, value: value)
        } else {
            positions[key] = entries.count
            entries.append(Entry(key: key, value: value))
        }
    }

    package var keys: [String] { entries.map(\.key) }
}

/// The parameters of an item or inner list (RFC 9651 section 3.1.2).
package typealias StructuredParameters = StructuredMap<StructuredBareItem>

/// A dictionary (RFC 9651 section 3.2).
package typealias StructuredDictionary = StructuredMap<StructuredMember>

/// An item with its parameters (RFC 9651 section 3.3).
package struct StructuredItem: Sendable, Hashable {
    package var value: StructuredBareItem
    package var parameters: StructuredParameters

    package init(_ value: StructuredBareItem, _ parameters: StructuredParameters = StructuredParameters()) {
        self.value = value
        self.parameters = parameters
    }
}

/// An inner list with its parameters (RFC 9651 section 3.1.1).
package struct StructuredInnerList: Sendable, Hashable {
    package var items: [StructuredItem]
    package var parameters: StructuredParameters

    package init(_ items: [StructuredItem], _ parameters: StructuredParameters = StructuredParameters()) {
        self.items = items
        self.parameters = parameters
    }
}

/// A member of a list or dictionary (RFC 9651 sections 3.1 and 3.2).
package enum StructuredMember: Sendable, Hashable {
    case item(StructuredItem)
    case innerList(StructuredInnerList)
}

// Strict serialization (RFC 9651 section 4.1). `nil` for what has no form, such as a string with an umlaut.

extension StructuredBareItem {
    package var text: String? {
        switch self {
        case .integer(let number): Self.isInteger(number) ? "\(number)" : nil
        case .decimal(let thousandths): Self.isInteger(thousandths) ? Self.decimal(thousandths) : nil
        case .string(let text): Self.quoted(text)
        case .token(let text): StructuredParser.isToken(text) ? text : nil
        case .bytes(let bytes): ":\(Data(bytes).base64EncodedString()):"
        case .boolean(let value): StructuredField.text(value)
        case .date(let seconds): Self.isInteger(seconds) ? "@\(seconds)" : nil
        case .displayString(let text): "%\"\(Self.encoded(text))\""
        }
    }

    private static func isInteger(_ number: Int64) -> Bool {
        (-StructuredField.largestInteger...StructuredField.largestInteger).contains(number)
    }

    private static func decimal(_ thousandths: Int64) -> String {
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var fraction = Int(rest).padded(to: 3)
        while fraction.utf8.count > 1, fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(whole).\(fraction)"
    }

    /// With lowercase digits, as section 4.1.11 requires.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%"), byte != UInt8(ascii: "\"") {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + Hexadecimal.encode([byte])
            }
        }
    }

    private static func quoted(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let escaped = text.utf8.flatMap { byte in
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
        }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }
}

extension StructuredParameters {
    package var text: String? {
        var text = ""
        for entry in entries {
            guard StructuredParser.isKey(entry.key), let value = entry.value.text else { return nil }
            text += entry.value == .boolean(true) ? ";\(entry.key)" : ";\(entry.key)=\(value)"
        }
        return text
    }
}

extension StructuredItem {
    package var text: String? {
        guard let value = value.text, let parameters = parameters.text else { return nil }
        return value + parameters
    }
}

extension StructuredInnerList {
    package var text: String? {
        let texts = items.compactMap(\.text)
        guard texts.count == items.count, let parameters = parameters.text else { return nil }
        return "(\(texts.joined(separator: " ")))\(parameters)"
    }
}

extension StructuredMember {
    package var text: String? {
        switch self {
        case .item(let item): item.text
        case .innerList(let list): list.text
        }
    }
}

extension [StructuredMember] {
    package var text: String? {
        let texts = compactMap(\.text)
        return texts.count == count ? texts.joined(separator: ", ") : nil
    }
}

extension StructuredDictionary {
    package var text: String? {
        var texts: [String] = []
        for entry in entries {
            guard StructuredParser.isKey(entry.key), let value = entry.value.text else { return nil }
            if case .item(let item) = entry.value, item.value == .boolean(true) {
                texts.append(entry.key + value.dropFirst(2))
            } else {
                texts.append("\(entry.key)=\(value)")
            }
        }
        return texts.joined(separator: ", ")
    }
}
