/// Reads generated Swift by the characters that aren't inside of brackets or strings.
enum SwiftScan {
    /// The parts between a character such as a comma, without the spaces around them; without empty ones.
    static func parts(of text: String, at separator: Character) -> [String] {
        var (parts, start) = ([Substring](), text.startIndex)
        walk(text, from: start) { index, character, depth in
            // `==` and the like aren't separators.
            if depth == 0, character == separator, separator != "=" || text[..<index].last == " " {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
            return true
        }
        parts.append(text[start...])
        return parts.map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    /// How many brackets are open at the end.
    static func depth(of text: String) -> Int {
        var result = 0
        walk(text, from: text.startIndex) { _, _, depth in
            result = depth
            return true
        }
        return result
    }

    /// The bracket that closes the one at an index.
    static func end(of text: String, from start: String.Index) -> String.Index? {
        var end: String.Index?
        walk(text, from: start) { index, _, depth in
            if depth == 0 { end = index }
            return end == nil
        }
        return end
    }

    /// - Parameter visit: Receives each character outside of strings and how many brackets are open after it. Returns whether
    ///   to continue. Interpolations are followed in the string around them: they hold no quotes in generated code.
    private static func walk(
        _ text: String, from start: String.Index, _ visit: (String.Index, Character, Int) -> Bool
    ) {
        var (index, depth, previous) = (start, 0, Character(" "))
        // What ends the string that is open, such as `"` or `"#`.
        var (quote, hashes) = (String?.none, "")
        while index < text.endIndex {
            let character = text[index]
            if let end = quote {
                let isEnd = text[index...].hasPrefix(end)
                if isEnd { quote = nil }
                let isEscape = character == "\\" && end.count == 1
                let count = isEnd ? end.count : isEscape ? 2 : 1
                index = text.index(index, offsetBy: count, limitedBy: text.endIndex) ?? text.endIndex
                continue
            }
            switch character {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            // Not the operators, which have spaces around them, nor an arrow.
            case "<" where previous != " ": depth += 1
            case ">" where previous != " " && previous != "-": depth -= 1
            case "\"": quote = "\"" + hashes
            default: break
            }
            hashes = character == "#" ? hashes + "#" : ""
            guard visit(index, character, depth) else { return }
            previous = character
            index = text.index(after: index)
        }
    }
}
