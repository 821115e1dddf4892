/// Converts names to and from `snake_case`, like Foundation's key coding strategies.
package enum SnakeCase {
    /// `published_at` as `publishedAt`. Leading and trailing underscores stay.
    package static func camel(_ name: String) -> String {
        let leading = name.prefix { $0 == "_" }
        let trailing = String(name.reversed().prefix { $0 == "_" })
        guard leading.count < name.count else { return name }
        let words = name.dropFirst(leading.count).dropLast(trailing.count).split(separator: "_")
        guard let first = words.first, words.count > 1 else { return name }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        return leading + first.lowercased() + rest.joined() + trailing
    }

    /// `publishedAt` as `published_at`, `sourceURL` as `source_url`.
    package static func snake(_ name: String) -> String {
        let characters = Array(name)
        var snake = ""
        for (index, character) in characters.enumerated() {
            let startsWord = index > 0 && character.isUppercase && characters[index - 1] != "_"
            let afterLower = startsWord && !characters[index - 1].isUppercase
            let beforeLower = startsWord && index + 1 < characters.count && characters[index + 1].isLowercase
            if afterLower || beforeLower { snake += "_" }
            snake += character.lowercased()
        }
        return snake
    }
}
