import Godwit
import GodwitInspector
import GodwitTesting

/// Serves a file on loopback until the command is interrupted, and follows its changes.
struct MockCommand {
    /// How often the file is checked.
    private static let interval = Duration.milliseconds(500)

    private let arguments: MockArguments
    private let command: Command
    private let file: MockFile

    init(_ arguments: MockArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        file = MockFile(arguments.file, host: arguments.host)
    }

    func run() async throws(CommandFailure) -> ExitCode {
        let content = try file.read()
        let log = ServerLog()
        let page = try await CommandFailure.network { () async throws(NetworkError) in
            arguments.page == .own ? try await InspectorPage() : nil
        }
        try await CommandFailure.run { () async throws(CommandFailure) in
            try await serve(content, log, page)
        } finally: {
            await page?.stop()
        }
        return .interrupted
    }

    private func serve(
        _ content: MockFile.Content, _ log: ServerLog, _ page: InspectorPage?
    ) async throws(CommandFailure) {
        let server = try await start(content, log, page)
        try await CommandFailure.run { () async throws(CommandFailure) in
            if let path = arguments.authority { try await FileDestination.write(server.authority ?? "", to: path) }
            try await command.print("\(server.url) serves \(content.summary) of \(arguments.file)\n")
            await report(content.omissions)
            if let page { await command.report("requests are shown on \(page.url.absoluteString)") }
            try await log.print(to: command) { await watch(server, content.watch) }
        } finally: {
            await server.stop()
        }
    }

    private func start(
        _ content: MockFile.Content, _ log: ServerLog, _ page: InspectorPage?
    ) async throws(CommandFailure) -> MockServer {
        var options = MockServer.Options()
        options.address = .ipv4(port: arguments.port)
        options.clock = command.clock
        options.recordLimit = 0
        if arguments.isSecure { options.tls = .init() }
        options.inspector = page?.inspector
        options.onResponse = { request, status in log.add(request, status) }
        let complete = options
        return try await CommandFailure.network { () async throws(NetworkError) in
            try await MockServer(complete) { content.add($0) }
        }
    }

    /// The first ones: a large document may have hundreds.
    private func report(_ omissions: [String]) async {
        for omission in omissions.prefix(3) { await command.report(omission) }
        if omissions.count > 3 { await command.report("and \(omissions.count - 3) more notes on the file") }
    }

    /// Replaces the routes when the file changes. An invalid file leaves the old ones.
    private func watch(_ server: MockServer, _ watch: MockFile.Watch) async {
        var watch = watch
        while (try? await command.clock.sleep(for: Self.interval)) != nil {
            guard watch.hasChanged() else { continue }
            do throws(CommandFailure) {
                let content = try file.read()
                server.setRoutes { content.add($0) }
                watch = content.watch
                await report(content.omissions)
                await command.report("\(arguments.file) changed; serving \(content.summary)")
            } catch {
                await command.report("\(error.message() ?? ""); still serving what it was before")
            }
        }
    }
}
