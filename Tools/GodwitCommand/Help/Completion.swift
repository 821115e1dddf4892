/// The completion scripts, generated from the tables of options.
enum Completion {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    /// - Parameter name: The shell.
    static func text(_ name: String?) throws(UsageError) -> String {
        guard let name else { throw UsageError("completion needs a shell: bash, zsh or fish") }
        switch Shell(rawValue: name) {
        case .bash?: return bash
        case .zsh?: return zsh
        case .fish?: return fish
        case nil:
            let hint = Suggestion.text(for: name, among: Shell.allCases.map(\.rawValue))
            throw UsageError("completion knows bash, zsh and fish, not \"\(name)\"\(hint)")
        }
    }

    private static let topics = (["all"] + HelpTopic.allCases.map(\.rawValue)).joined(separator: " ")

    private static let names = CommandPage.names + ["help"]

    /// All option names of a command; those of `request` serve a line without a command.
    private static func options(_ name: String) -> String {
        let entries = CommandPage.all.filter { $0.name == name }.flatMap(\.options)
        return Set(entries.flatMap(\.names)).sorted().joined(separator: " ")
    }

    private static var withOptions: [String] {
        names.filter { !options($0).isEmpty && $0 != "request" }
    }

    private static var bash: String {
        """
        # Completion of godwit for bash: godwit completion bash > ~/.local/share/bash-completion/completions/godwit
        _godwit() {
            local word="${COMP_WORDS[COMP_CWORD]}" options
            COMPREPLY=()
            if [[ $COMP_CWORD -eq 1 && $word != -* ]]; then
                COMPREPLY=($(compgen -W "\(names.joined(separator: " "))" -- "$word"))
                return
            fi
            case "${COMP_WORDS[1]}" in
        \(withOptions.map { "        \($0)) options=\"\(options($0))\" ;;" }.joined(separator: "\n"))
                help) COMPREPLY=($(compgen -W "\(names.joined(separator: " ")) \(topics)" -- "$word")); return ;;
                completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
                *) options="\(options("request"))" ;;
            esac
            if [[ $word == -* ]]; then
                COMPREPLY=($(compgen -W "$options" -- "$word"))
            else
                COMPREPLY=($(compgen -f -- "$word"))
            fi
        }
        complete -o default -F _godwit godwit

        """
    }

    private static var zsh: String {
        """
        #compdef godwit
        # Completion of godwit for zsh: godwit completion zsh > a folder of $fpath, as _godwit
        _godwit() {
            local -a commands options
            commands=(
        \(pages.map { "        '\($0.name):\(zshText($0.summary))'" }.joined(separator: "\n"))
            )
            if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
                _describe command commands
                return
            fi
            case ${words[2]} in
        \(withOptions.map { "        \($0)) options=(\(zshOptions($0))) ;;" }.joined(separator: "\n"))
                help) compadd \(names.joined(separator: " ")) \(topics); return ;;
                completion) compadd bash zsh fish; return ;;
                *) options=(\(zshOptions("request"))) ;;
            esac
            if [[ $PREFIX == -* ]]; then
                _describe -o option options
            else
                _files
            fi
        }
        compdef _godwit godwit

        """
    }

    /// One page for each name.
    private static var pages: [CommandPage] {
        names.compactMap { name in CommandPage.all.first { $0.name == name } }
    }

    private static func zshOptions(_ name: String) -> String {
        let entries = CommandPage.all.filter { $0.name == name }.flatMap(\.options)
        return entries.flatMap { entry in entry.names.map { "'\($0):\(zshText(entry.summary))'" } }
            .joined(separator: " ")
    }

    private static func zshText(_ text: String) -> String {
        text.replacing("'", with: "’").replacing(":", with: "\\:")
    }

    private static var fish: String {
        let commands = pages.map { page in
            "complete -c godwit -n __fish_use_subcommand -a \(page.name) -d '\(fishText(page.summary))'\n"
        }
        let options = (withOptions + ["request"]).flatMap { name in
            let place =
                name == "request"
                ? "not __fish_seen_subcommand_from \(withOptions.joined(separator: " "))"
                : "__fish_seen_subcommand_from \(name)"
            return CommandPage.all.filter { $0.name == name }.flatMap(\.options).map { entry in
                let words = entry.names.map { $0.hasPrefix("--") ? "-l \($0.dropFirst(2))" : "-s \($0.dropFirst())" }
                let value = entry.placeholder == nil ? "" : " -r"
                return "complete -c godwit -n '\(place)' \(words.joined(separator: " "))\(value)"
                    + " -d '\(fishText(entry.summary))'\n"
            }
        }
        return "# Completion of godwit for fish: godwit completion fish > ~/.config/fish/completions/godwit.fish\n"
            + commands.joined() + options.joined()
            + "complete -c godwit -n '__fish_seen_subcommand_from help' -a '\(topics)'\n"
            + "complete -c godwit -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n"
    }

    private static func fishText(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}
