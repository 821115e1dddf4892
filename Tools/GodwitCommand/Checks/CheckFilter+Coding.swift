import Godwit
import GodwitPatterns
import GodwitSupport

// Encodings of text and bytes.
extension CheckFilter {
    func codingStep(_ value: CheckValue, _ variables: Variables) throws(CheckFault) -> CheckValue {
        switch self {
        case .toString: return .text(value.templateText)
        case .toHex: return .text(Hexadecimal.encode(try bytes(value)))
        case .trim: return .text(Self.trimmed(try text(value)))
        case .lowercase: return .text(try text(value).lowercased())
        case .uppercase: return .text(try text(value).uppercased())
        case .urlEncode: return .text(Self.percentEncoded(try text(value)))
        case .urlDecode:
            guard let decoded = Self.percentDecoded(try text(value)) else { throw fault("UTF-8 after decoding", value) }
            return .text(decoded)
        case .base64Encode: return .text(try bytes(value).base64EncodedString())
        case .base64URLEncode: return .text(Self.urlSafe(try bytes(value).base64EncodedString()))
        case .base64Decode, .base64URLDecode:
            guard let data = Base64Text.decode(try text(value)) else { throw fault("Base64", value) }
            return .bytes(data)
        case .utf8Encode: return .bytes(Data(try text(value).utf8))
        case .utf8Decode: return .text(try TextDecoding.text(try bytes(value), charset: "utf-8"))
        case .decode(let charset):
            return .text(try TextDecoding.text(try bytes(value), charset: try charset.text(variables)))
        case .htmlEscape: return .text(MarkupText.escaped(try text(value)))
        case .htmlUnescape: return .text(MarkupText.unescaped(try text(value)))
        default: return value
        }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(String.UnicodeScalarView(start[...end]))
    }

    private static func urlSafe(_ text: String) -> String {
        String(text.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Encodes all but letters, digits and the characters to keep: what RFC 3986 doesn't reserve, and slashes.
    static func percentEncoded(_ text: String, keeping kept: String = "-._~/") -> String {
        var encoded = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCIILetter || scalar.isDigit || kept.unicodeScalars.contains(scalar) {
                encoded.unicodeScalars.append(scalar)
            } else {
                encoded += "%" + Hexadecimal.encode([byte]).uppercased()
            }
        }
        return encoded
    }

    /// The value of a name in the query of a URL; `nil` without one.
    static func queryParameter(_ name: String, of url: String) -> String? {
        let query = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                percentDecoded(String(part.map { $0 == "+" ? " " : $0 }))
            }
            if parts[0] == name { return parts.count > 1 ? parts[1] : "" }
        }
        return nil
    }

    /// The decoded text; `nil` if it isn't UTF-8. A percent sign without two digits stays.
    private static func percentDecoded(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = Hexadecimal.decode(bytes[(index + 1)...(index + 2)])?.first
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

/// Base64 as files and tokens contain it.
enum Base64Text {
    /// Decodes either alphabet, with or without padding. Spaces and line breaks are ignored. `nil` for any other text.
    static func decode(_ text: String) -> Data? {
        var clean = ""
        for scalar in text.unicodeScalars where !scalar.properties.isWhitespace {
            switch scalar {
            case "-": clean += "+"
            case "_": clean += "/"
            default: clean.unicodeScalars.append(scalar)
            }
        }
        clean = clean.pieces(separatedBy: "=")[0]
        clean += String(repeating: "=", count: (4 - clean.utf8.count % 4) % 4)
        return Data(base64Encoded: clean)
    }
}

/// Text in XML and HTML.
enum MarkupText {
    /// Replaces the characters that would be markup. Control characters, which XML can't contain, become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            case ..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let names: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "\u{A9}",
        "reg": "\u{AE}", "euro": "\u{20AC}", "hellip": "\u{2026}", "ndash": "\u{2013}", "mdash": "\u{2014}",
    ]

    /// Replaces `&amp;`, `&#65;`, `&#x41;` and the most frequent other references.
    static func unescaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var scanner = TextScanner(text)
        while let scalar = scanner.read() {
            guard scalar == "&", let value = reference(&scanner) else {
                result.append(scalar)
                continue
            }
            result.append(value)
        }
        return String(result)
    }

    /// Reads a reference after its ampersand; nothing if it isn't one.
    private static func reference(_ scanner: inout TextScanner) -> Unicode.Scalar? {
        let start = scanner.offset
        let isNumber = scanner.skip("#")
        let isHex = isNumber && (scanner.skip("x") || scanner.skip("X"))
        var name = ""
        while let scalar = scanner.next, scalar.isASCIILetter || scalar.isDigit, name.count < 10 {
            name.unicodeScalars.append(scalar)
            scanner.offset += 1
        }
        let value = isNumber ? UInt32(name, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init) : names[name]
        // Browsers accept a number without the semicolon.
        if let value, scanner.skip(";") || isNumber { return value }
        scanner.offset = start
        return nil
    }
}
