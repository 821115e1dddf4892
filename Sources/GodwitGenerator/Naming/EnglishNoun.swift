/// Singular forms of English nouns, for the names of the elements of arrays.
enum EnglishNoun {
    /// The singular of the last word of a name: `special_events` is `special_event`. A word without a known plural stays.
    static func singular(_ name: String) -> String {
        let start = name.lastIndex { !$0.isLetter }.map(name.index(after:)) ?? name.startIndex
        let hump = name[start...].lastIndex { $0.isUppercase } ?? start
        let word = name[hump...]
        return String(name[..<hump]) + matched(singularWord(word.lowercased()), to: word)
    }

    private static func matched(_ singular: String, to word: Substring) -> String {
        guard let first = word.first else { return singular }
        if word.count > 1, word.allSatisfy({ $0.isUppercase }) { return singular.uppercased() }
        return first.isUppercase ? singular.prefix(1).uppercased() + singular.dropFirst() : singular
    }

    private static func singularWord(_ word: String) -> String {
        if let irregular = irregular[word] { return irregular }
        if unchanged.contains(word) || word.count < 3 { return word }
        for (ending, replacement) in endings where word.hasSuffix(ending) && word.count > ending.count + 1 {
            return word.dropLast(ending.count) + replacement
        }
        return word
    }

    /// The first that fits counts.
    private static let endings: [(String, String)] = [
        ("statuses", "status"), ("viruses", "virus"), ("buses", "bus"), ("aliases", "alias"), ("ies", "y"),
        ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("zzes", "zz"), ("oes", "o"), ("ves", "ve"),
        ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", ""),
    ]

    private static let irregular = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "indices": "index", "mice": "mouse",
        "vertices": "vertex", "matrices": "matrix", "analyses": "analysis", "criteria": "criterion", "feet": "foot",
        "geese": "goose", "leaves": "leaf", "lives": "life", "shelves": "shelf", "teeth": "tooth", "movies": "movie",
        "cookies": "cookie", "wolves": "wolf", "halves": "half", "knives": "knife", "shoes": "shoe", "bases": "base",
    ]

    private static let unchanged: Set<String> = [
        "series", "species", "news", "data", "metadata", "media", "sheep", "fish", "status", "address", "bus", "gas",
        "lens", "canvas", "alias", "always", "https", "dns", "sms", "gps", "css", "js", "aws", "ios", "os",
    ]
}
