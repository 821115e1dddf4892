/// Names of documents as Swift names: `special_event` is `SpecialEvent` or `specialEvent`.
enum SwiftName {
    /// The name of a type. Not empty, never starts with a digit, and differs from that of a member: a case `_3d(_3d)`
    /// doesn't compile.
    static func type(_ text: String) -> String {
        let name = started(words(of: text).map(capitalized).joined(), otherwise: "Value")
        return name == member(text) ? name + "Value" : name
    }

    /// The name of a property, function, parameter or enum case, without backticks.
    static func member(_ text: String) -> String {
        let words = words(of: text)
        guard !words.isEmpty else { return "value" }
        // Digits are no small letters: the name starts with one where it has the first letter.
        let start = (words.firstIndex { $0.contains(where: \.isLetter) } ?? 0) + 1
        return started(
            words[..<start].map(lowercased).joined() + words[start...].map(capitalized).joined(), otherwise: "value")
    }

    /// The words of a name: parts between other characters than letters and digits, and the humps of camel case.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var current = ""
        var previous: Character?
        let characters = Array(spelledOut(text).prefix(200))
        for (index, character) in characters.enumerated() {
            guard isPart(character) else {
                if !current.isEmpty { words.append(current) }
                current = ""
                previous = nil
                continue
            }
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            if startsWord(character, after: previous, before: next), !current.isEmpty {
                words.append(current)
                current = ""
            }
            current.append(character)
            previous = character
        }
        if !current.isEmpty { words.append(current) }
        return words
    }

    /// Whether a capital is the first letter of a word: after a small letter or digit, or the last of several capitals.
    private static func startsWord(_ character: Character, after previous: Character?, before next: Character?) -> Bool
    {
        guard character.isUppercase, let previous else { return false }
        if previous.isLowercase || previous.isNumber { return true }
        return previous.isUppercase && next?.isLowercase == true
    }

    /// Signs that make a difference, in words: GitHub counts `+1` and `-1`.
    private static func spelledOut(_ text: String) -> String {
        guard let first = text.first, text.dropFirst().first?.isNumber == true else {
            return symbols[text] ?? text
        }
        switch first {
        case "+": return "plus" + text.dropFirst()
        case "-": return "minus" + text.dropFirst()
        default: return text
        }
    }

    private static let symbols = [
        "*": "all", "=": "equal", "==": "equal", "!=": "notEqual", "<": "less", "<=": "lessOrEqual", ">": "greater",
        ">=": "greaterOrEqual", "+": "plus", "-": "minus", "": "empty", "%": "percent", "&": "and", "|": "or",
        "~": "like", "!": "not", "X": "x", "O": "o", ".": "dot",
    ]

    private static func isPart(_ character: Character) -> Bool {
        if character.isASCII { return character.isLetter || character.isNumber }
        return character.unicodeScalars.allSatisfy { $0.properties.isXIDContinue && $0 != "_" }
    }

    /// The first letter is that after digits: `3d` is `3D`.
    private static func capitalized(_ word: String) -> String {
        let digits = word.prefix { $0.isNumber }
        return digits + word.dropFirst(digits.count).prefix(1).uppercased() + word.dropFirst(digits.count + 1)
    }

    /// A word in small letters, unless it mixes them: `iOS` stays.
    private static func lowercased(_ word: String) -> String {
        word.allSatisfy { !$0.isLowercase } ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
    }

    private static func started(_ name: String, otherwise fallback: String) -> String {
        guard let first = name.unicodeScalars.first else { return fallback }
        return first.properties.isXIDStart ? name : "_" + name
    }
}

/// The conversion between camel case and snake_case that `JSONCoding(keys: .snakeCase)` does for keys without surprises.
enum SnakeCaseKey {
    /// Whether a key survives the way to a property and back: `author_id` does, `authorID` and `e-mail` don't.
    static func roundTrips(_ key: String) -> Bool {
        guard let first = key.first, first.isASCII, first.isLowercase, key.last != "_" else { return false }
        let parts = key.split(separator: "_", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            guard let first = part.first else { return false }
            return (first.isASCII && first.isLowercase || part == parts.first)
                && part.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
        }
    }
}
