/// English plurals, as they occur in paths and keys.
enum EnglishNoun {
    /// The name with its last word in the singular: `special_events` is `special_event`, `userIDs` is `userID`.
    static func singular(ofName name: String) -> String {
        if name.hasSuffix("IDs") { return String(name.dropLast()) }
        let start = name.lastIndex { !$0.isLetter }.map(name.index(after:)) ?? name.startIndex
        let hump = name[start...].lastIndex { $0.isUppercase } ?? start
        let word = name[hump...]
        let singular = singular(word.lowercased())
        let isCapitalized = word.first?.isUppercase == true
        return String(name[..<hump])
            + (isCapitalized ? singular.prefix(1).uppercased() + singular.dropFirst() : singular)
    }

    /// The singular of a plural in lower case; other words are returned as they are.
    static func singular(_ word: String) -> String {
        if let singular = irregular[word] { return singular }
        guard word.count > 3, word.hasSuffix("s"), !isInvariable(word), !unchanged.contains(word) else { return word }
        for (ending, removed, added) in endings where word.hasSuffix(ending) {
            return word.dropLast(removed) + added
        }
        return String(word.dropLast())
    }

    /// Whether a word names several things. True for words with one form, such as `news`.
    static func isPlural(_ word: String) -> Bool {
        isInvariable(word) || singular(word) != word
    }

    /// Whether the plural and the singular are the same.
    static func isInvariable(_ word: String) -> Bool {
        ["news", "series", "species", "media", "sheep", "fish", "deer", "aircraft", "feedback", "means"].contains(word)
    }

    /// The first ending that fits counts: its plural, how much is removed, what is added.
    private static let endings: [(String, Int, String)] = [
        ("sses", 2, ""), ("ss", 0, ""), ("ouses", 1, ""), ("auses", 1, ""), ("uses", 2, ""), ("us", 0, ""),
        ("is", 0, ""), ("yses", 2, "is"), ("zzes", 2, ""), ("xes", 2, ""), ("ches", 2, ""), ("shes", 2, ""),
        ("eroes", 2, ""), ("atoes", 2, ""), ("choes", 2, ""), ("etoes", 2, ""), ("ies", 3, "y"), ("elves", 3, "f"),
        ("alves", 3, "f"), ("olves", 3, "f"), ("eaves", 3, "f"), ("ieves", 3, "f"),
    ]

    /// Singulars that end with `s`.
    private static let unchanged: Set<String> = [
        "always", "alias", "atlas", "bias", "canvas", "chaos", "gas", "lens", "https", "dns", "gps", "ios", "sms",
        "tls", "aws", "css", "access", "progress", "has", "was", "this", "yes", "plus",
    ]

    private static let irregular: [String: String] = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth",
        "geese": "goose", "mice": "mouse", "oxen": "ox", "indices": "index", "indexes": "index",
        "matrices": "matrix", "vertices": "vertex", "appendices": "appendix", "criteria": "criterion",
        "phenomena": "phenomenon", "aliases": "alias", "atlases": "atlas", "biases": "bias", "canvases": "canvas",
        "gases": "gas", "lenses": "lens", "axes": "axis", "crises": "crisis", "theses": "thesis",
        "hypotheses": "hypothesis", "diagnoses": "diagnosis", "oases": "oasis", "quizzes": "quiz",
        "knives": "knife", "lives": "life", "wives": "wife", "leaves": "leaf", "movies": "movie",
        "cookies": "cookie", "calories": "calorie", "zombies": "zombie", "rookies": "rookie", "selfies": "selfie",
        "ties": "tie", "pies": "pie", "lies": "lie", "caches": "cache", "niches": "niche", "headaches": "headache",
        "avalanches": "avalanche", "valves": "valve", "curves": "curve", "sleeves": "sleeve", "ids": "id",
        "uses": "use", "muses": "muse", "fuses": "fuse", "excuses": "excuse", "refuses": "refuse",
        "bus": "bus", "buses": "bus", "media": "media", "apis": "api", "urls": "url",
        "uris": "uri", "skis": "ski", "taxis": "taxi", "emojis": "emoji", "wikis": "wiki", "menus": "menu",
        "gurus": "guru", "gnus": "gnu", "pcs": "pc", "tvs": "tv", "ads": "ad", "ins": "in", "ups": "up", "ons": "on",
        "kpis": "kpi", "guis": "gui",
    ]
}
