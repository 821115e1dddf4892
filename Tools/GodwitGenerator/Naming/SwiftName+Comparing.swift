extension SwiftName {
    /// Whether two texts have the same words: `Access Token` and `accessToken`.
    static func isSame(_ text: String, _ name: String) -> Bool { letters(of: text) == letters(of: name) }

    private static func letters(of text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Names without what all of them share with their owner: in `ChatMessage`, `ChatMessageUserParam` and
    /// `ChatMessageSystemParam` are `User` and `System`.
    ///
    /// The names are unchanged if one of them would be empty or begin with a digit.
    static func withoutSharedWords(_ names: [String], in owner: [String]) -> [String] {
        let own = Set(owner.flatMap { words(of: $0) }.map { $0.lowercased() })
        var lists = names.map { words(of: $0) }
        let start = shared(lists).lastIndex { own.contains($0.lowercased()) }
        lists = lists.map { Array($0.dropFirst(start.map { $0 + 1 } ?? 0)) }
        let end = shared(lists.map { $0.reversed() }).prefix {
            own.contains($0.lowercased()) || meaningless.contains($0.lowercased())
        }
        lists = lists.map { Array($0.dropLast(end.count)) }
        guard start != nil || !end.isEmpty else { return names }
        let result = lists.map { $0.joined(separator: " ") }
        let isUsable = result.allSatisfy { $0.first?.isLetter == true } && Set(result).count == result.count
        return isUsable ? result : names
    }

    /// Last words that say nothing if all names end with them.
    private static let meaningless: Set<String> = ["param", "params", "object", "schema", "model", "type", "resource"]

    /// The words that all lists begin with, at most all but one of the shortest list.
    private static func shared(_ lists: [[String]]) -> ArraySlice<String> {
        guard let first = lists.first, let shortest = lists.map(\.count).min(), shortest > 1 else { return [] }
        let count = (0..<(shortest - 1)).first { index in lists.contains { $0[index] != first[index] } }
        return first.prefix(count ?? shortest - 1)
    }
}
