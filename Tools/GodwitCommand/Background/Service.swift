import Godwit
import GodwitBackground

/// The arguments of `transfers service`.
struct ServiceArguments: CommandArguments {
    enum Action: String, CaseIterable, Sendable {
        case install, uninstall, status
    }

    static let usage = "transfers service install|uninstall|status"
    static let summary = "Let systemd start the transfer process, so that jobs continue after a restart"
    static let notes: String? = """
        install writes the units to ~/.config/systemd/user and enables them with systemctl --user. To continue jobs while you are
        logged out, run: loginctl enable-linger.
        """

    var action = Action.status
    /// The folder with the queue and its socket; `nil` means the user's default.
    var folder: String?
    /// The path of godwit-transferd; `nil` searches for it.
    var program: String?
    var wantsHelp = false

    mutating func take(_ words: [String]) throws(UsageError) {
        guard words.count <= 1 else { throw UsageError("service takes one action: install, uninstall or status") }
        guard let word = words.first else { return }
        guard let action = Action(rawValue: word) else {
            throw UsageError("unknown action \"\(word)\"; service takes install, uninstall or status")
        }
        self.action = action
    }

    static let options = [
        OptionGroup<Self>(
            title: "Service",
            options: [
                .value("--queue", of: "DIR", help: "The folder of the queue, with mode 0700. Default: the user's") {
                    $0.folder = $1
                },
                .value("--program", of: "FILE", help: "The godwit-transferd to start. Default: search for it") {
                    $0.program = $1
                },
                helpOption,
            ])
    ]
}

#if os(Linux)
/// Installs and removes the systemd units that start the transfer process.
struct ServiceCommand {
    let arguments: ServiceArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        let service = service
        let status = try await CommandFailure.network { () async throws(NetworkError) in
            switch arguments.action {
            case .install: try await service.install()
            case .uninstall: try await service.uninstall()
            case .status: try service.status()
            }
        }
        try await command.print(Self.text(status))
        if let fault = status.managerFault {
            let advice = arguments.action == .install ? "; the units take effect when you log in next" : ""
            await command.report("warning: \(fault)\(advice)")
        }
        return .success
    }

    private var service: BackgroundService {
        var configuration = BackgroundConfiguration()
        configuration.directory = arguments.folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
        configuration.program = arguments.program.map { URL(filePath: $0) }
        return BackgroundService(configuration, variables: command.environment.all)
    }

    private static func text(_ status: BackgroundService.Status) -> String {
        var lines = status.files.map { "installed  \($0.path)" }
        if lines.isEmpty { lines.append("not installed") }
        if !status.files.isEmpty, !status.isCurrent { lines.append("outdated   install it again") }
        switch (status.process, status.isOutdated) {
        case (let process?, false): lines.append("running    process \(process)")
        case (let process?, true): lines.append("running    process \(process), an older version")
        case (nil, _): lines.append("not running")
        }
        return lines.map { TerminalText.escaped($0) + "\n" }.joined()
    }
}
#else
/// Explains that other systems need no service.
struct ServiceCommand {
    let arguments: ServiceArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        throw .usage(UsageError("this system transfers in the background without a service", command: "transfers"))
    }
}
#endif
