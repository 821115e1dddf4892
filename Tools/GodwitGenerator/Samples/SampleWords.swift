/// The words of a name in any spelling: `order-items`, `order_items`, `orderItems`, `HTTPServer`.
enum SampleWords {
    /// In lower case.
    static func words(_ name: String) -> [String] {
        var (words, word) = ([String](), "")
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            if startsWord(at: index, in: characters), !word.isEmpty {
                words.append(word)
                word = ""
            }
            word += character.lowercased()
        }
        return word.isEmpty ? words : words + [word]
    }

    private static func startsWord(at index: Int, in characters: [Character]) -> Bool {
        guard index > 0, characters[index].isUppercase else { return false }
        if !characters[index - 1].isUppercase { return true }
        // The last capital of `HTTPServer` begins a word.
        return index + 1 < characters.count && characters[index + 1].isLowercase
    }

    static func pascal(_ words: [String]) -> String {
        words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    static func camel(_ words: [String]) -> String {
        (words.first ?? "") + pascal(Array(words.dropFirst()))
    }

    /// The last word in the singular; `Item` is added where English has no other singular: `newsItem`.
    static func item(_ name: String) -> [String] {
        var words = words(name)
        guard let last = words.popLast() else { return [] }
        let singular = EnglishNoun.singular(last)
        return words + [singular] + (EnglishNoun.isInvariable(last) ? ["item"] : [])
    }

    static func isPlural(_ name: String) -> Bool {
        words(name).last.map(EnglishNoun.isPlural) ?? false
    }
}
