/// Names that are taken in one place, such as the members of a type.
struct NameTable {
    private var taken: Set<String>
    private let isCaseSensitive: Bool

    /// Members or parameters, which may differ only in case.
    ///
    /// - Parameter taken: Names that aren't free, in addition to those of the language.
    static func members(
        _ taken: some Sequence<String> = [], in place: ReservedNames.Place = .member
    ) -> NameTable {
        NameTable(taken: ReservedNames.language(place).union(taken), isCaseSensitive: true)
    }

    /// Types, whose files may be on a disk that ignores case.
    static func types(_ taken: some Sequence<String> = []) -> NameTable {
        NameTable(
            taken: Set(ReservedNames.language(.type).union(taken).map { $0.lowercased() }), isCaseSensitive: false)
    }

    /// Takes the name, or the name with the first number from 2 that is free.
    mutating func take(_ name: String) -> String {
        if insert(name) { return name }
        // Ends: there are fewer taken names than numbers.
        for number in 2...(taken.count + 2) where insert("\(name)\(number)") { return "\(name)\(number)" }
        return name
    }

    func isFree(_ name: String) -> Bool { !taken.contains(isCaseSensitive ? name : name.lowercased()) }

    private mutating func insert(_ name: String) -> Bool {
        taken.insert(isCaseSensitive ? name : name.lowercased()).inserted
    }

    private init(taken: Set<String>, isCaseSensitive: Bool) {
        self.taken = taken
        self.isCaseSensitive = isCaseSensitive
    }
}
