/// The rest of a call in Swift, split at the commas that aren't inside of brackets or strings.
struct SourceArguments {
    private(set) var items: [String] = []
    private var item = ""
    /// How many brackets are open.
    private var depth = 0
    /// What ends the string that is open, such as `"` or `"#`.
    private var quote: String?
    private var hashes = ""

    init(_ text: String) {
        let characters = Array(text)
        var index = 0
        while index < characters.count {
            index += quote == nil ? plain(characters[index]) : quoted(characters, index)
        }
        items.append(item)
    }

    private mutating func plain(_ character: Character) -> Int {
        switch character {
        case "(", "[", "{": depth += 1
        case ")", "]", "}": depth -= 1
        case "\"": quote = "\"" + hashes
        case "," where depth == 0:
            items.append(item)
            item = ""
            return 1
        case " " where item.isEmpty: return 1
        default: break
        }
        hashes = character == "#" ? hashes + "#" : ""
        item.append(character)
        return 1
    }

    /// A character of a string, or two if the first one escapes the second. Interpolations are followed in the string
    /// around them: they hold no quotes in generated calls.
    private mutating func quoted(_ characters: [Character], _ index: Int) -> Int {
        let end = quote ?? ""
        if characters[index...].starts(with: end) {
            quote = nil
            item += end
            return end.count
        }
        let isEscape = characters[index] == "\\" && end.count == 1 && index + 1 < characters.count
        item += String(characters[index...(index + (isEscape ? 1 : 0))])
        return isEscape ? 2 : 1
    }
}
