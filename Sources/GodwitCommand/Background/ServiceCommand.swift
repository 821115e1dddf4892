#if os(Linux)
import Godwit

/// Installs and removes the units by which systemd starts the process that transfers.
struct ServiceCommand {
    private let arguments: ServiceArguments
    private let command: Command

    init(_ arguments: ServiceArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
    }

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
        if let fault = status.managerFault { await command.report("warning: \(fault)\(advice)") }
        return .success
    }

    private var service: BackgroundService {
        var configuration = BackgroundConfiguration()
        configuration.directory = arguments.folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
        configuration.program = arguments.program.map { URL(filePath: $0) }
        return BackgroundService(configuration, variables: command.environment)
    }

    private var advice: String {
        arguments.action == .install ? "; the units take effect when you log in next" : ""
    }

    private static func text(_ status: BackgroundService.Status) -> String {
        var lines = status.files.map { "installed  \($0.path)" }
        if lines.isEmpty { lines.append("not installed") }
        if !status.files.isEmpty, !status.isCurrent { lines.append("outdated   install it again") }
        switch (status.process, status.isOutdated) {
        case (let process?, false): lines.append("running    process \(process)")
        case (let process?, true): lines.append("running    process \(process), of an older version")
        case (nil, _): lines.append("not running")
        }
        return lines.map { TerminalText.safe($0) + "\n" }.joined()
    }
}
#else
/// Says that other systems transfer by themselves.
struct ServiceCommand {
    init(_ arguments: ServiceArguments, of command: Command) {}

    func run() async throws(CommandFailure) -> ExitCode {
        throw .usage(UsageError("this system transfers in the background by itself", command: "transfers"))
    }
}
#endif
