/// The texts of `--help`, generated from the tables of commands, options and exit codes.
enum HelpText {
    private static let column = 30
    private static let width = 96

    static let overview = """
        Usage: godwit [METHOD] URL [ITEM…] [OPTION…]
               godwit COMMAND …

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
          godwit get https://api.example.com/export -o export.ndjson
          godwit download https://example.com/big.iso --resume --digest sha-256:9f86d08…
          godwit sse https://api.example.com/live --json-output
          godwit generate --openapi openapi.yaml --into Museum

        \(exitCodes)
        """

    static func text(for verb: RequestVerb) -> String { text(CommandPage(verb)) }

    static func text(for verb: TransferVerb) -> String { text(CommandPage(verb)) }

    static func text<Arguments: CommandArguments>(for command: Arguments.Type) -> String {
        text(CommandPage(command))
    }

    static func text(_ page: CommandPage) -> String {
        let sections = page.groups.map { group in
            "\(group.title):\n" + group.options.map { line("  \($0.usage)", $0.summary) }.joined()
        }
        let head = ["Usage: godwit \(page.usage) [OPTION…]", "\(page.summary).", page.notes].compactMap(\.self)
        return (head.map { "\($0)\n" } + sections + [exitCodes]).joined(separator: "\n")
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
