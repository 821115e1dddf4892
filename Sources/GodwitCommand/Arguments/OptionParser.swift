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

/// One option of a command: its spellings, its line of help, and what it changes.
struct Option<Arguments>: Sendable {
    /// What an option does to the arguments.
    enum Action: Sendable {
        case flag(@Sendable (inout Arguments) throws(UsageError) -> Void)
        case value(String, @Sendable (inout Arguments, String) throws(UsageError) -> Void)
    }

    /// The spellings, with their dashes: the short one first.
    let names: [String]
    let summary: String
    let action: Action

    /// An option that stands alone.
    static func flag(
        _ names: String..., help summary: String, set: @escaping @Sendable (inout Arguments) throws(UsageError) -> Void
    ) -> Option {
        Option(names: names, summary: summary, action: .flag(set))
    }

    /// An option that is followed by a value, called `placeholder` in the help.
    static func value(
        _ names: String..., of placeholder: String, help summary: String,
        set: @escaping @Sendable (inout Arguments, String) throws(UsageError) -> Void
    ) -> Option {
        Option(names: names, summary: summary, action: .value(placeholder, set))
    }

    /// The spellings as the help shows them: `-o, --output FILE`.
    var usage: String {
        let spelled = names.joined(separator: ", ")
        guard case .value(let placeholder, _) = action else { return spelled }
        return "\(spelled) \(placeholder)"
    }
}

extension Option {
    /// The same option for arguments that hold these.
    func lifted<Outer>(to path: any WritableKeyPath<Outer, Arguments> & Sendable) -> Option<Outer> {
        let outer: Option<Outer>.Action =
            switch action {
            case .flag(let set):
                .flag { arguments throws(UsageError) in try set(&arguments[keyPath: path]) }
            case .value(let placeholder, let set):
                .value(placeholder) { arguments, text throws(UsageError) in try set(&arguments[keyPath: path], text) }
            }
        return Option<Outer>(names: names, summary: summary, action: outer)
    }
}

/// Options that stand under one heading of the help.
struct OptionGroup<Arguments>: Sendable {
    let title: String
    let options: [Option<Arguments>]
}

/// A command line that cannot be used, with the reason.
struct UsageError: Error, CustomStringConvertible {
    let reason: String
    let command: String?

    /// - Parameter command: Whose help to point to; nil for the overview.
    init(_ reason: String, command: String? = nil) {
        self.reason = reason
        self.command = command
    }

    var description: String {
        "\(reason); see: godwit \(command.map { "\($0) " } ?? "")--help"
    }
}
