/// The texts of `--help`, generated from the tables of commands, options and exit codes.
enum HelpText {
    private static let column = 30
    private static let width = 96

    /// What most people need: ten options, all commands, where to find the rest.
    static var overview: String {
        """
        Usage: godwit [METHOD] URL [ITEM…] [OPTION…]
               godwit COMMAND …

        Options that people use most:
        \(usualOptions.map { line("  \($0.shortUsage)", $0.summary) }.joined())\
        \(line("  --help all", "Show all options"))
        Commands:
        \(CommandPage.all.map { line("  \($0.usage)", $0.summary) }.joined())\
        \(line("  COMMAND --help", "Show the options of a command"))\
        \(line("  help TOPIC", "Explain one of: \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", "))"))\
        \(line("  --version", "Show the version"))
        Examples:
          godwit example.com
          godwit api.example.com/v1/articles page==2 --timing
          godwit :8080/articles title='Spring tides' tags[]=sea --bearer @token
          godwit curl 'curl -X POST https://api.example.com/v1/articles -d @article.json'
          godwit download https://example.com/big.iso --resume --digest sha-256:9f86d08…
          godwit sse https://api.example.com/live --json-output

        """
    }

    /// All options of all commands.
    static var all: String {
        let pages = CommandPage.all.map { page in
            let sections = page.repeatsOptions ? [] : sections(page)
            return ([line(page.usage, page.summary)] + sections).joined(separator: "\n")
        }
        return (["Usage: godwit COMMAND … [OPTION…]\n"] + pages + [exitCodes]).joined(separator: "\n")
    }

    /// The options that open the help, by one of their names.
    private static let usualNames = [
        "--header", "--json", "--data", "-F", "--user", "--bearer", "--output", "--include", "--verbose", "--timeout",
    ]

    private static var usualOptions: [CommandPage.Entry] {
        let options = CommandPage(.request).options
        return usualNames.compactMap { name in options.first { $0.names.contains(name) } }
    }

    static func text(for verb: RequestVerb) -> String { text(CommandPage(verb)) }

    static func text(for verb: TransferVerb) -> String { text(CommandPage(verb)) }

    static func text<Arguments: CommandArguments>(for command: Arguments.Type) -> String {
        text(CommandPage(command))
    }

    static func text(_ page: CommandPage) -> String {
        let head = ["Usage: godwit \(page.usage) [OPTION…]", "\(page.summary).", page.notes].compactMap(\.self)
        return (head.map { "\($0)\n" } + sections(page) + [exitCodes]).joined(separator: "\n")
    }

    private static func sections(_ page: CommandPage) -> [String] {
        page.groups.map { group in
            "\(group.title):\n" + group.options.map { line("  \($0.usage)", $0.summary) }.joined()
        }
    }

    static var exitCodes: String {
        "Exit codes:\n"
            + ExitCode.allCases.map { code in
                let number = String(code.rawValue)
                return "  \(String(repeating: " ", count: 3 - number.count))\(number)  \(code.meaning)\n"
            }.joined()
    }

    /// A term and its meaning in two columns. The second column is wrapped.
    static func line(_ term: String, _ meaning: String) -> String {
        var lines = [""]
        for word in meaning.split(separator: " ") {
            if let last = lines.last, !last.isEmpty, last.count + word.count >= width - column { lines.append("") }
            lines[lines.count - 1] += (lines.last == "" ? "" : " ") + word
        }
        let indent = String(repeating: " ", count: column)
        let isWide = term.count + 2 > column
        let head = isWide ? "\(term)\n\(indent)" : term + String(repeating: " ", count: column - term.count)
        return head + lines.joined(separator: "\n\(indent)") + "\n"
    }
}
