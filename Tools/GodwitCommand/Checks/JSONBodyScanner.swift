import Godwit
import GodwitPatterns

/// Finds the end of a JSON value that starts at a position of a text.
struct JSONBodyScanner {
    private static let depthLimit = 500

    private var scanner: TextScanner

    init(_ scanner: TextScanner) {
        self.scanner = scanner
    }

    /// Returns the offset after the value. References such as `{{name}}` count as values.
    mutating func end() throws(SyntaxFault) -> Int {
        let start = scanner.offset
        var closers: [Unicode.Scalar] = []
        repeat {
            if scanner.starts(with: "{{") {
                skipReference()
                continue
            }
            guard let scalar = scanner.read() else {
                throw SyntaxFault("the JSON value has no end", at: start)
            }
            switch scalar {
            case "{": closers.append("}")
            case "[": closers.append("]")
            case "\"": try skipString()
            case "}", "]":
                guard closers.popLast() == scalar else {
                    throw SyntaxFault("unexpected \"\(scalar)\" in the JSON", at: scanner.offset - 1)
                }
            default: continue
            }
            if closers.count > Self.depthLimit { throw scanner.fault("the JSON has too many nested values") }
        } while !closers.isEmpty
        return scanner.offset
    }

    private mutating func skipReference() {
        while !scanner.isAtEnd, scanner.next != "\n", !scanner.skip("}}") { scanner.offset += 1 }
    }

    private mutating func skipString() throws(SyntaxFault) {
        let start = scanner.offset - 1
        while let scalar = scanner.read() {
            if scalar == "\"" { return }
            if scalar == "\\" { scanner.offset += scanner.isAtEnd ? 0 : 1 }
        }
        throw SyntaxFault("the string has no end", at: start)
    }
}
