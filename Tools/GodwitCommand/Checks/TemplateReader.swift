import Godwit
import GodwitPatterns

/// Reads text with escapes and references to variables.
struct TemplateReader {
    private var parser: CheckParser
    /// The characters that a backslash makes ordinary.
    private let escapes: Set<Unicode.Scalar>
    private let readsEscapes: Bool
    private let readsVariables: Bool
    /// Where the text ends at the latest.
    private let end: Int

    init(
        _ parser: CheckParser, escapes: Set<Unicode.Scalar>, readsEscapes: Bool = true, readsVariables: Bool = true,
        end: Int = .max
    ) {
        self.parser = parser
        self.escapes = escapes
        self.readsEscapes = readsEscapes
        self.readsVariables = readsVariables && parser.style == .file
        self.end = end
    }

    private(set) var scanner: TextScanner {
        get { parser.scanner }
        _modify { yield &parser.scanner }
    }

    /// Reads up to a scalar that ends the text, which stays unread.
    mutating func template(until isEnd: (Unicode.Scalar) -> Bool) throws(SyntaxFault) -> Template {
        let start = scanner.offset
        var parts: [Template.Part] = []
        var text = String.UnicodeScalarView()
        while scanner.offset < end, let scalar = scanner.next, !isEnd(scalar) {
            if scalar == "{", readsVariables, scanner.starts(with: "{{") {
                if !text.isEmpty { parts.append(.text(String(text))) }
                text.removeAll()
                parts.append(.expression(try parser.expression()))
                continue
            }
            scanner.offset += 1
            text.append(scalar == "\\" && readsEscapes ? try escaped() : scalar)
        }
        if !text.isEmpty || parts.isEmpty { parts.append(.text(String(text))) }
        return Template(parts: parts, offset: start)
    }

    private mutating func escaped() throws(SyntaxFault) -> Unicode.Scalar {
        let start = scanner.offset - 1
        guard let scalar = scanner.read() else { throw SyntaxFault("the text ends with a backslash", at: start) }
        if escapes.contains(scalar) { return scalar }
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "u":
            guard scanner.skip("{") else { throw SyntaxFault("write a code as \\u{E9}", at: start) }
            let digits = scanner.read { $0.hexValue != nil }
            guard scanner.skip("}"), digits.count < 7, let value = UInt32(digits, radix: 16),
                let scalar = Unicode.Scalar(value)
            else { throw SyntaxFault("invalid code of a character", at: start) }
            return scalar
        default: throw SyntaxFault("unknown escape \\\(scalar)", at: start)
        }
    }
}

extension Template {
    /// The text without spaces at its ends.
    var trimmed: Template {
        var parts = parts
        if case .text(let text)? = parts.first {
            parts[0] = .text(String(text.drop { $0 == " " || $0 == "\t" }))
        }
        if case .text(let text)? = parts.last {
            let kept = text.lastIndex { $0 != " " && $0 != "\t" }
            parts[parts.count - 1] = .text(kept.map { String(text[...$0]) } ?? "")
        }
        return Template(parts: parts, offset: offset)
    }
}
