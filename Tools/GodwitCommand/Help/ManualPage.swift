/// The manual page in roff, generated from the tables of commands, options, topics and exit codes.
enum ManualPage {
    static var text: String {
        """
        .TH GODWIT 1 "" "godwit \(Command.version)" "User commands"
        .SH NAME
        godwit \\- send HTTP requests, transfer files, follow events
        .SH SYNOPSIS
        .B godwit
        [\\fIMETHOD\\fR] \\fIURL\\fR [\\fIITEM\\fR ...] [\\fIOPTION\\fR ...]
        .br
        .B godwit
        \\fICOMMAND\\fR ...
        .SH COMMANDS

        """ + CommandPage.all.map(command).joined() + HelpTopic.allCases.map(section).joined()
    }

    /// The options of the methods are the same, so they are listed once.
    private static func command(_ page: CommandPage) -> String {
        let head = ".TP\n.B \(escaped(page.usage))\n\(escaped(page.summary)).\n"
        if page.repeatsOptions || page.options.isEmpty { return head }
        let options = page.options.map { ".TP\n.B \(escaped($0.usage))\n\(escaped($0.summary)).\n" }
        return head + ".RS\n" + options.joined() + ".RE\n"
    }

    private static func section(_ topic: HelpTopic) -> String {
        let lines = topic.text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
        return
            ".SH \(topic.rawValue.uppercased().replacing("-", with: " "))\n.nf\n\(lines.joined(separator: "\n"))\n.fi\n"
    }

    /// A line must not start with a control character of roff.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        // Other characters than those of ASCII depend on the options of roff.
        let portable = plain.unicodeScalars.map { scalar in
            let code = String(scalar.value, radix: 16, uppercase: true)
            return scalar.isASCII
                ? String(scalar) : "\\[u\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)]"
        }.joined()
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + portable : portable
    }
}
