/// Reads a command line by a table of options: `-v`, `-vi`, `-o FILE`, `-oFILE`, `--output FILE`, `--output=FILE`, and
/// `--` before what only looks like an option.
struct OptionParser<Arguments> {
    private let options: [String: Option<Arguments>]
    private var rest: ArraySlice<String> = []

    init(_ groups: [OptionGroup<Arguments>]) {
        let pairs = groups.flatMap(\.options).flatMap { option in option.names.map { ($0, option) } }
        options = Dictionary(pairs) { first, _ in first }
    }

    /// Applies every option to the arguments, and returns what is no option, in order.
    mutating func parse(_ line: ArraySlice<String>, into arguments: inout Arguments) throws(UsageError) -> [String] {
        rest = line
        var words: [String] = []
        while let word = rest.popFirst() {
            if word == "--" { return words + rest }
            if word.hasPrefix("--") {
                try applyLong(word, to: &arguments)
            } else if word.hasPrefix("-"), word != "-" {
                try applyShort(word, to: &arguments)
            } else {
                words.append(word)
            }
        }
        return words
    }

    private mutating func applyLong(_ word: String, to arguments: inout Arguments) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let attached = parts.count > 1 ? parts[1] : nil
        switch try option(parts[0]).action {
        case .value(_, let set):
            if let attached { return try set(&arguments, attached) }
            try set(&arguments, try value(of: parts[0]))
        case .flag(let set):
            if attached != nil { throw UsageError("\(parts[0]) takes no value") }
            try set(&arguments)
        }
    }

    private mutating func applyShort(_ word: String, to arguments: inout Arguments) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            switch try option(name).action {
            case .flag(let set): try set(&arguments)
            case .value(_, let set):
                return try set(&arguments, letters.isEmpty ? try value(of: name) : String(letters))
            }
        }
    }

    private mutating func value(of name: String) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value") }
        return value
    }

    private func option(_ name: String) throws(UsageError) -> Option<Arguments> {
        guard let option = options[name] else { throw UsageError("there is no option \(name)") }
        return option
    }
}
