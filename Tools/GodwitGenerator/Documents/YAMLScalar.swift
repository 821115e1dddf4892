/// The types of YAML's scalars: the core schema of YAML 1.2 (section 10.3), so that `yes`, `on` and dates are text.
enum YAMLScalar {
    static func value(_ scalar: YAMLParser.Scalar) -> DocumentNode.Value {
        switch scalar.tag {
        case nil where !scalar.isPlain: .string(scalar.text)
        case nil, "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool",
            "tag:yaml.org,2002:null":
            plain(scalar.text)
        default: .string(scalar.text)
        }
    }

    /// The value of text without quotes.
    static func plain(_ text: String) -> DocumentNode.Value {
        switch text {
        case "", "~", "null", "Null", "NULL": .null
        case "true", "True", "TRUE": .bool(true)
        case "false", "False", "FALSE": .bool(false)
        default: number(text).map { .number($0) } ?? .string(text)
        }
    }

    /// A number as JSON writes it; `nil` for other text, and for infinity and NaN, which JSON doesn't have.
    private static func number(_ text: String) -> String? {
        guard let first = text.utf8.first, first < 0x3A else { return nil }
        if text.hasPrefix("0x") || text.hasPrefix("0o") {
            let digits = text.dropFirst(2)
            guard digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-") else { return nil }
            return UInt64(digits, radix: text.hasPrefix("0x") ? 16 : 8).map { String($0) }
        }
        var rest = Substring(text)
        let isNegative = first == UInt8(ascii: "-")
        if isNegative || first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = takeDigits(&rest)
        var fraction: Substring = ""
        let hasPoint = rest.utf8.first == UInt8(ascii: ".")
        if hasPoint {
            rest.removeFirst()
            fraction = takeDigits(&rest)
        }
        guard !whole.isEmpty || !fraction.isEmpty, let exponent = exponent(rest) else { return nil }
        let zeros = whole.prefix { $0 == "0" }.count
        // Parsers disagree about `010`, which is 8 in YAML 1.1: it is meant as text, such as a code.
        if zeros > 0, whole.count > 1, !hasPoint, rest.isEmpty { return nil }
        let integer = zeros == whole.count ? "0" : String(whole.dropFirst(zeros))
        return (isNegative ? "-" : "") + integer + (hasPoint ? "." + (fraction.isEmpty ? "0" : fraction) : "")
            + exponent
    }

    private static func takeDigits(_ rest: inout Substring) -> Substring {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest[digits.endIndex...]
        return digits
    }

    /// The exponent of a number; empty if there is none, `nil` if the text is something else.
    private static func exponent(_ rest: Substring) -> String? {
        guard let first = rest.utf8.first else { return "" }
        guard first | 0x20 == UInt8(ascii: "e") else { return nil }
        var digits = rest.dropFirst()
        if digits.hasPrefix("+") || digits.hasPrefix("-") { digits.removeFirst() }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return String(rest)
    }
}
