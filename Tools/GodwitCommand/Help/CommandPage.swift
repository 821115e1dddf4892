/// What help, completion and the manual page say about a command, from the tables of options.
struct CommandPage: Sendable {
    struct Group: Sendable {
        let title: String
        let options: [Entry]
    }

    /// An option without its effect.
    struct Entry: Sendable {
        let names: [String]
        /// `nil` for an option without a value.
        let placeholder: String?
        let usage: String
        let summary: String

        /// The usage without further spellings: `-m, --timeout SECONDS`.
        var shortUsage: String {
            let long = names.firstIndex { $0.hasPrefix("--") } ?? names.startIndex
            return ([names[...long].joined(separator: ", ")] + [placeholder].compactMap(\.self)).joined(separator: " ")
        }
    }

    /// What follows `godwit`; `transfers service` has two words.
    let usage: String
    let summary: String
    var notes: String?
    var groups: [Group] = []

    /// The first word of the usage.
    var name: String { String(usage.prefix { $0 != " " }) }

    var options: [Entry] { groups.flatMap(\.options) }

    /// Whether its options are those of `request`, which a list of all commands shows once.
    var repeatsOptions: Bool {
        RequestVerb(rawValue: name).map { ![.request, .sse, .paginate, .graphql].contains($0) } ?? false
    }

    /// The names of all commands. A list of its own: making the pages takes longer than a short run.
    static let names =
        RequestVerb.allCases.map(\.rawValue) + TransferVerb.allCases.map(\.rawValue) + [
            "curl", "transfers", "login", "ws", "run", "generate", "mock", "replay", "record", "inspect", "cookies",
            "cache",
            "completion",
            "man",
        ]

    /// All commands in the order of the help.
    static let all: [CommandPage] =
        RequestVerb.allCases.map(CommandPage.init) + TransferVerb.allCases.map(CommandPage.init) + [
            CommandPage(usage: "curl COMMAND", summary: "Run a curl command, in quotes or not, as curl would"),
            CommandPage(JobsArguments.self), CommandPage(ServiceArguments.self), CommandPage(LoginArguments.self),
            CommandPage(SocketArguments.self), CommandPage(RunArguments.self), CommandPage(GenerateArguments.self),
            CommandPage(MockArguments.self), CommandPage(ReplayArguments.self), CommandPage(RecordArguments.self),
            CommandPage(InspectArguments.self), CommandPage(CookieArguments.self), CommandPage(CacheArguments.self),
            CommandPage(usage: "completion SHELL", summary: "Print the completion script of bash, zsh or fish"),
            CommandPage(usage: "man", summary: "Print the manual page: godwit man | man -l -"),
        ]

    /// The names of the options that a command line can have.
    static func optionNames(of line: [String]) -> Set<String> {
        let name = line.first == "events" ? RequestVerb.sse.rawValue : line.first
        let page = all.first { $0.name == name && !$0.options.isEmpty } ?? CommandPage(.request)
        return Set(page.options.flatMap(\.names))
    }

    init(usage: String, summary: String) {
        self.usage = usage
        self.summary = summary
    }

    init(_ verb: RequestVerb) {
        self.init(usage: "\(verb) \(verb.usage)", summary: verb.summary)
        notes = verb == .graphql ? GraphQLArguments.help : RequestItem.help
        groups = RequestArguments.options(of: verb).map(Group.init)
    }

    init(_ verb: TransferVerb) {
        self.init(usage: "\(verb) \(verb.usage)", summary: verb.summary)
        groups = TransferArguments.options(of: verb).map(Group.init)
    }

    init<Arguments: CommandArguments>(_ command: Arguments.Type) {
        self.init(usage: command.usage, summary: command.summary)
        notes = command.notes
        groups = command.options.map(Group.init)
    }
}

extension CommandPage.Group {
    init<Arguments>(_ group: OptionGroup<Arguments>) {
        title = group.title
        options = group.options.map(CommandPage.Entry.init)
    }
}

extension CommandPage.Entry {
    init<Arguments>(_ option: Option<Arguments>) {
        names = option.names
        usage = option.usage
        summary = option.summary
        if case .value(let text, _) = option.action { placeholder = text } else { placeholder = nil }
    }
}
