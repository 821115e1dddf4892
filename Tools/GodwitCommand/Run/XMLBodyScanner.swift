import Godwit
import GodwitPatterns

/// Finds the end of an XML document that starts at a position of a text. The document is not validated.
struct XMLBodyScanner {
    private static let depthLimit = 500

    private var scanner: TextScanner
    private var open: [String] = []

    init(_ scanner: TextScanner) {
        self.scanner = scanner
    }

    /// Returns the offset after the root element.
    mutating func end() throws(SyntaxFault) -> Int {
        let start = scanner.offset
        while !scanner.isAtEnd {
            guard scanner.next == "<" else {
                if open.isEmpty, scanner.next?.properties.isWhitespace != true { break }
                scanner.offset += 1
                continue
            }
            if scanner.starts(with: "<!--") {
                try skip(to: "-->")
            } else if scanner.starts(with: "<![CDATA[") {
                try skip(to: "]]>")
            } else if scanner.starts(with: "<?") {
                try skip(to: "?>")
            } else if scanner.starts(with: "<!") {
                try skip(to: ">")
            } else if try tag() {
                return scanner.offset
            }
        }
        throw SyntaxFault("the XML has no end", at: start)
    }

    private mutating func skip(to end: String) throws(SyntaxFault) {
        let start = scanner.offset
        while !scanner.isAtEnd {
            if scanner.skip(end) { return }
            scanner.offset += 1
        }
        throw SyntaxFault("the XML has no \(end)", at: start)
    }

    /// Reads a tag, and returns whether it ends the root element.
    private mutating func tag() throws(SyntaxFault) -> Bool {
        let start = scanner.offset
        scanner.offset += 1
        let isEnd = scanner.skip("/")
        let name = scanner.read { !$0.properties.isWhitespace && $0 != ">" && $0 != "/" }
        var last: Unicode.Scalar?
        var quote: Unicode.Scalar?
        while let scalar = scanner.read() {
            if let closing = quote {
                if scalar == closing { quote = nil }
            } else if scalar == ">" {
                return try finish(name, isEnd: isEnd, isEmpty: last == "/", start)
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            }
            last = scalar
        }
        throw SyntaxFault("the tag has no >", at: start)
    }

    private mutating func finish(
        _ name: String, isEnd: Bool, isEmpty: Bool, _ start: Int
    ) throws(SyntaxFault) -> Bool {
        if isEnd {
            guard open.popLast() == name else {
                throw SyntaxFault("</\(CheckValue.shortened(name))> closes another element", at: start)
            }
        } else if !isEmpty {
            open.append(name)
            if open.count > Self.depthLimit { throw SyntaxFault("the XML has too many nested elements", at: start) }
        }
        return open.isEmpty
    }
}
