public import Godwit

/// The `godwit` command without its process: arguments go in, bytes come out of the sinks, an exit code comes back.
///
/// ```swift
/// let command = Command(input: input, output: output, errors: errors)
/// let code = await command.run(["get", "https://api.example.com/v1/articles", "page==2"])
/// ```
///
/// Cancelling the task ends the exchange and returns ``ExitCode/interrupted``.
public struct Command: Sendable {
    /// Makes the transport of a run, for the way to the server that its options name.
    public typealias TransportMaker = @Sendable (ServerAccess) throws(NetworkError) -> any HTTPTransport

    /// What stands behind `--version`.
    public static let version = "0.1"

    let input: any InputSource
    let output: any OutputSink
    let errors: any OutputSink
    let environment: [String: String]
    let makeTransport: TransportMaker

    /// What pauses between attempts are measured by.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Receives what stores can't do, such as a cache on a read-only disk. Printed to standard error at the end of a run.
    ///
    /// An instance of its own by default.
    public var diagnostics = Diagnostics()

    /// Makes a command.
    ///
    /// - Parameters:
    ///   - input: Where content given as `-` is read from.
    ///   - output: Where response bodies go, and nothing else that was not asked for.
    ///   - errors: Where errors, `--verbose` and `--timing` go.
    ///   - environment: Where a client's secret may stand; the process's own by default.
    ///   - makeTransport: The platform's own by default.
    public init(
        input: any InputSource, output: any OutputSink, errors: any OutputSink,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        makeTransport: @escaping TransportMaker = { access throws(NetworkError) in try access.platformTransport() }
    ) {
        self.input = input
        self.output = output
        self.errors = errors
        self.environment = environment
        self.makeTransport = makeTransport
    }

    /// Runs one command line, without the program's name, and returns how the program should end.
    public func run(_ arguments: [String]) async -> ExitCode {
        let known = Set(diagnostics.recent)
        let code = await outcome(of: arguments)
        for diagnostic in diagnostics.recent where !known.contains(diagnostic) {
            await report("warning: \(diagnostic)")
        }
        return code
    }

    private func outcome(of arguments: [String]) async -> ExitCode {
        do throws(CommandFailure) {
            return try await perform(Instruction(parsing: arguments))
        } catch {
            if let message = error.message { await report(message) }
            return error.exitCode
        }
    }

    private func perform(_ instruction: Instruction) async throws(CommandFailure) -> ExitCode {
        switch instruction {
        case .version: try await print("godwit \(Self.version)\n")
        case .help(let text): try await print(text)
        case .request(let arguments): return try await RequestCommand(arguments, of: self).run()
        case .transfer(let arguments) where arguments.isInBackground:
            return try await HandoverCommand(arguments, of: self).run()
        case .jobs(let arguments): return try await JobsCommand(arguments, of: self).run()
        case .service(let arguments): return try await ServiceCommand(arguments, of: self).run()
        case .transfer(let arguments) where arguments.verb == .download:
            return try await DownloadCommand(arguments, of: self).run()
        case .transfer(let arguments): return try await UploadCommand(arguments, of: self).run()
        case .login(let arguments): return try await LoginCommand(arguments, of: self).run()
        case .events(let arguments): return try await EventsCommand(arguments, of: self).run()
        case .socket(let arguments): return try await SocketCommand(arguments, of: self).run()
        }
        return .success
    }

    func print(_ text: String) async throws(CommandFailure) {
        try await write(Data(text.utf8))
    }

    func write(_ data: Data) async throws(CommandFailure) {
        do throws(OutputError) {
            try await output.write(data)
        } catch {
            throw .output(error)
        }
    }

    /// Draws where the time of each exchange went. As with every diagnosis, that nobody reads it is no failure.
    func showTiming(of log: ExchangeLog) async {
        for exchange in log.exchanges { try? await errors.write(Data(Waterfall(exchange: exchange).text.utf8)) }
    }

    /// One line on standard error. That nobody reads it is no failure of its own.
    func report(_ message: String) async {
        try? await errors.write(Data("godwit: \(TerminalText.safe(message))\n".utf8))
    }
}
