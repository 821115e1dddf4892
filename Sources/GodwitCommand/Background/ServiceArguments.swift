import Godwit

/// What the command line of `transfers service` says.
struct ServiceArguments: Sendable {
    /// What is to be done with the service.
    enum Action: String, CaseIterable, Sendable {
        case install, uninstall, status
    }

    static let usage = "service install|uninstall|status"
    static let summary = "has systemd start the process that transfers, so that jobs continue after a restart"

    var action = Action.status
    /// The folder with queue and socket; nil for the user's own.
    var folder: String?
    /// The program that transfers; nil to look for it.
    var program: String?
    var wantsHelp = false

    init(parsing line: ArraySlice<String>) throws(UsageError) {
        var parser = OptionParser(Self.options)
        let words = try parser.parse(line, into: &self)
        if wantsHelp { return }
        guard words.count <= 1 else { throw UsageError("service takes one of install, uninstall and status") }
        guard let word = words.first else { return }
        guard let action = Action(rawValue: word) else {
            throw UsageError("unknown action \"\(word)\"; service takes install, uninstall or status")
        }
        self.action = action
    }

    /// The options, as `--help` shows them.
    static let options = [
        OptionGroup<Self>(
            title: "Service",
            options: [
                .value("--queue", of: "DIR", help: "the folder with the queue, of mode 0700; the user's own by default")
                {
                    $0.folder = $1
                },
                .value("--program", of: "FILE", help: "the godwit-transferd to start; looked for by default") {
                    $0.program = $1
                },
                .flag("-h", "--help", help: "shows this") { $0.wantsHelp = true },
            ])
    ]
}
