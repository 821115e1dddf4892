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
