import GodwitSupport

/// Reads a command line by a table of options: `-v`, `-vi`, `-o FILE`, `-oFILE`, `--output FILE`, `--output=FILE`. `--` ends
/// the options.
struct OptionParser<Arguments> {
    private let groups: [OptionGroup<Arguments>]
    private var rest: ArraySlice<String> = []

    init(_ groups: [OptionGroup<Arguments>]) {
        self.groups = groups
    }

    /// Applies each option to the arguments, and returns the other words in order.
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
        for group in groups {
            if let option = group.options.first(where: { $0.names.contains(name) }) { return option }
        }
        let names = groups.flatMap(\.options).flatMap(\.names) + ["--version"]
        // Any letter is near each other letter.
        let near = name.hasPrefix("--") ? Suggestion.text(for: name, among: names) : ""
        let hint = ForeignOption.hint(for: name, names) ?? near
        throw UsageError("unknown option \(name)\(hint)")
    }
}

/// One option of a command: its names, its line in the help, and its effect.
struct Option<Arguments>: Sendable {
    enum Action: Sendable {
        case flag(@Sendable (inout Arguments) throws(UsageError) -> Void)
        case value(String, @Sendable (inout Arguments, String) throws(UsageError) -> Void)
    }

    /// The names with their dashes, the short one first.
    let names: [String]
    let summary: String
    let action: Action

    /// An option without a value.
    static func flag(
        _ names: String..., help summary: String, set: @escaping @Sendable (inout Arguments) throws(UsageError) -> Void
    ) -> Option {
        Option(names: names, summary: summary, action: .flag(set))
    }

    /// An option with a value, which the help calls `placeholder`.
    static func value(
        _ names: String..., of placeholder: String, help summary: String,
        set: @escaping @Sendable (inout Arguments, String) throws(UsageError) -> Void
    ) -> Option {
        Option(names: names, summary: summary, action: .value(placeholder, set))
    }

    /// An option with a positive number of seconds.
    static func seconds(
        _ names: String..., help summary: String, set: @escaping @Sendable (inout Arguments, Duration) -> Void
    ) -> Option {
        let name = names.first { $0.hasPrefix("--") } ?? ""
        return Option(
            names: names, summary: summary,
            action: .value("SECONDS") { arguments, text throws(UsageError) in
                guard let value = Double(text), value.isFinite, value > 0, value < 1e9 else {
                    throw UsageError("\(name) needs a number of seconds above 0")
                }
                set(&arguments, .seconds(value))
            })
    }

    /// An option with a whole number.
    static func count(
        _ names: String..., in range: ClosedRange<Int>, help summary: String,
        set: @escaping @Sendable (inout Arguments, Int) -> Void
    ) -> Option {
        let name = names.first { $0.hasPrefix("--") } ?? ""
        return Option(
            names: names, summary: summary,
            action: .value("N") { arguments, text throws(UsageError) in
                guard let count = Int(text), range.contains(count) else {
                    throw UsageError("\(name) needs a number from \(range.lowerBound) to \(range.upperBound)")
                }
                set(&arguments, count)
            })
    }

    /// The names as the help shows them: `-o, --output FILE`.
    var usage: String {
        let spelled = names.joined(separator: ", ")
        guard case .value(let placeholder, _) = action else { return spelled }
        return "\(spelled) \(placeholder)"
    }

    /// The same option for arguments that contain these.
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

/// The options under one heading of the help.
struct OptionGroup<Arguments>: Sendable {
    let title: String
    let options: [Option<Arguments>]
}

/// The arguments of a command that takes options.
protocol CommandArguments: Sendable {
    /// What follows `godwit` in the usage line.
    static var usage: String { get }
    static var summary: String { get }
    /// What the help explains between the summary and the options.
    static var notes: String? { get }
    static var options: [OptionGroup<Self>] { get }

    var wantsHelp: Bool { get set }

    init()

    /// Stores the words that are not options, and checks the arguments.
    mutating func take(_ words: [String]) throws(UsageError)
}

extension CommandArguments {
    static var notes: String? { nil }

    static var helpOption: Option<Self> { .flag("-h", "--help", help: "Show this help") { $0.wantsHelp = true } }

    init(parsing line: ArraySlice<String>) throws(UsageError) {
        self.init()
        var parser = OptionParser(Self.options)
        let words = try parser.parse(line, into: &self)
        if !wantsHelp { try take(words) }
    }
}

/// An unusable command line, with the reason.
struct UsageError: Error, CustomStringConvertible {
    let reason: String
    let command: String?

    /// - Parameter command: The command whose help to suggest; `nil` means the overview.
    init(_ reason: String, command: String? = nil) {
        self.reason = reason
        self.command = command
    }

    var description: String {
        "\(reason); see: godwit \(command.map { "\($0) " } ?? "")--help"
    }
}

/// Advice in the text of an error.
enum Advice {
    /// Whether a command has all options that the text names.
    static func applies(_ text: String, to options: some Sequence<String>) -> Bool {
        let named = text.split { " ,;:".contains($0) }.filter { $0.hasPrefix("-") && $0.count > 1 }
        return Set(named.map(String.init)).isSubset(of: options)
    }
}

/// The name that a mistyped one resembles.
enum Suggestion {
    /// ` (did you mean NAME?)`, or nothing if no name is within two edits.
    static func text(for word: String, among names: some Sequence<String>) -> String {
        let near = names.map { (distance: EditDistance.between(word, $0), name: $0) }.filter {
            $0.distance <= min(2, word.count / 2)
        }
        return near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }.map { " (did you mean \($0.name)?)" } ?? ""
    }
}
