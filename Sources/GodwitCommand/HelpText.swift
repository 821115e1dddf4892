/// The texts behind `--help`, made of the tables of commands, options and exit codes.
enum HelpText {
    private static let column = 30
    private static let width = 96

    static let overview = """
        Usage: godwit COMMAND [OPTION…] …

        Commands:
        \(RequestVerb.allCases.map { line("  \($0.name) \($0.usage)", $0.summary) }.joined())\
        \(TransferVerb.allCases.map { line("  \($0.name) \($0.usage)", $0.summary) }.joined())\
        \(line("  transfers \(JobsArguments.usage)", JobsArguments.summary))\
        \(line("  transfers \(ServiceArguments.usage)", ServiceArguments.summary))\
        \(line("  login", LoginArguments.summary))\
        \(line("  ws \(SocketArguments.usage)", SocketArguments.summary))\
          godwit COMMAND --help         shows a command's options
          godwit --version              shows the version

        Examples:
          godwit get https://api.example.com/v1/articles page==2 --timing
          godwit post :8080/articles title='Spring tides' tags:='["sea"]' Authorization:"Bearer $TOKEN"
          godwit get https://api.example.com/export -o export.ndjson
          godwit download https://example.com/big.iso --resume --digest sha-256:9f86d08…
          godwit sse https://api.example.com/live --json-output

        \(exitCodes)
        """

    static func text(for verb: RequestVerb) -> String {
        """
        Usage: godwit \(verb.name) \(verb.usage) [OPTION…]

        \(verb.summary)

        \(RequestItem.help)
        \(RequestArguments.options(of: verb).map(section).joined(separator: "\n"))
        \(exitCodes)
        """
    }

    static func text(for verb: TransferVerb) -> String {
        """
        Usage: godwit \(verb.name) \(verb.usage) [OPTION…]

        \(verb.summary)

        \(TransferArguments.options(of: verb).map(section).joined(separator: "\n"))
        \(exitCodes)
        """
    }

    static let login = """
        Usage: godwit login \(LoginArguments.usage) [OPTION…]

        \(LoginArguments.summary)

        \(LoginArguments.options.map(section).joined(separator: "\n"))
        \(exitCodes)
        """

    static let jobs = """
        Usage: godwit transfers \(JobsArguments.usage) [OPTION…]

        \(JobsArguments.summary)

        An ID is the beginning of one that list shows. follow ends when no job is left that goes on by itself; what it has
        told is forgotten.

        \(JobsArguments.options.map(section).joined(separator: "\n"))
        \(exitCodes)
        """

    static let service = """
        Usage: godwit transfers \(ServiceArguments.usage) [OPTION…]

        \(ServiceArguments.summary)

        The units are written to ~/.config/systemd/user and enabled by systemctl --user. To have jobs continue while nobody
        is logged in: loginctl enable-linger.

        \(ServiceArguments.options.map(section).joined(separator: "\n"))
        \(exitCodes)
        """

    static let socket = """
        Usage: godwit ws \(SocketArguments.usage) [OPTION…]

        \(SocketArguments.summary)

        \(SocketArguments.options.map(section).joined(separator: "\n"))
        \(exitCodes)
        """

    private static func section<Arguments>(_ group: OptionGroup<Arguments>) -> String {
        "\(group.title):\n" + group.options.map { line("  \($0.usage)", $0.summary) }.joined()
    }

    private static var exitCodes: String {
        "Exit codes:\n"
            + ExitCode.allCases.map { code in
                let number = String(code.rawValue)
                return "  \(String(repeating: " ", count: 3 - number.count))\(number)  \(code.meaning)\n"
            }.joined()
    }

    /// A term and what it means, in two columns; the second is wrapped.
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
