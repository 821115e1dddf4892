/// Tells objects whose keys are data, such as identifiers or languages, from those with members.
enum SampleKeys {
    static func areData(_ objects: [DocumentNode]) -> Bool {
        var (keys, seen) = ([String](), Set<String>())
        for member in objects.lazy.flatMap(\.members) where seen.insert(member.key).inserted {
            keys.append(member.key)
        }
        guard !keys.isEmpty else { return false }
        let areLocales = keys.count >= 2 && keys.allSatisfy(isLocale) && keys.contains(where: isCommonLanguage)
        if areLocales || keys.allSatisfy(isIdentifying) { return haveOneKind(objects) }
        return keys.count >= 10 && haveSameMembers(objects)
    }

    private static func isIdentifying(_ key: String) -> Bool {
        guard !key.isEmpty else { return false }
        return key.allSatisfy(SampleText.isDigit) || SampleText.isUUID(key) || SampleText.isDate(key)
            || key.count == 24 && SampleText.isValue(key)
    }

    private static func haveOneKind(_ objects: [DocumentNode]) -> Bool {
        SampleShape.kinds(of: objects.flatMap { $0.members.map(\.value) }).count <= 1
    }

    /// Whether the values are objects with the same keys, at least two of them.
    private static func haveSameMembers(_ objects: [DocumentNode]) -> Bool {
        let values = objects.flatMap { $0.members.map(\.value) }
        guard let first = values.first else { return false }
        let keys = Set(first.members.map(\.key))
        return keys.count >= 2 && values.allSatisfy { Set($0.members.map(\.key)) == keys }
    }

    /// `en`, `pt-BR`, `zh_Hans`
    private static func isLocale(_ key: String) -> Bool {
        let parts = key.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let language = parts.first, languages.contains(String(language)), parts.count <= 2 else { return false }
        return parts.count == 1 || [2, 4].contains(parts[1].count) && parts[1].first?.isUppercase == true
    }

    /// `id` and `is` are languages too, but more often the names of members.
    private static func isCommonLanguage(_ key: String) -> Bool {
        ["en", "de", "fr", "es", "pt", "ja", "zh", "ru", "ar"].contains(String(key.prefix(2)))
    }

    private static let languages: Set<String> = [
        "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga", "gl", "he",
        "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "kk", "ko", "lt", "lv", "mk", "ms", "nb", "nl", "nn",
        "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "th", "tr", "uk", "ur", "vi", "zh",
    ]
}
