public import Godwit
import GodwitSupport

/// The `godwit` command without its process: takes arguments, writes to sinks, returns an exit code.
///
/// ```swift
/// let command = Command(input: input, output: output, errors: errors)
/// let code = await command.run(["get", "https://api.example.com/v1/articles", "page==2"])
/// ```
///
/// If the task is canceled, the exchange ends and `run` returns ``ExitCode/interrupted``.
public struct Command: Sendable {
    /// Makes the transport for the access that the options describe.
    public typealias TransportMaker = @Sendable (ServerAccess) throws(NetworkError) -> any HTTPTransport

    /// The version that `--version` prints.
    public static let version = LibraryVersion.current

    let input: any InputSource
    let output: any OutputSink
    let errors: any OutputSink
    let environment: EnvironmentVariables
    let makeTransport: TransportMaker

    /// Measures the pauses between attempts.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Receives problems of stores, such as a cache on a read-only disk. A run prints them to standard error at its end.
    public var diagnostics = Diagnostics()

    /// Makes a command.
    ///
    /// - Parameters:
    ///   - input: Read for a body given as `-`.
    ///   - output: Receives response bodies and requested reports.
    ///   - errors: Receives errors and the output of `--verbose` and `--timing`.
    ///   - environment: May contain the client secret. `nil` (the default) means the process's environment.
    ///   - makeTransport: Makes the platform's transport by default.
    public init(
        input: any InputSource, output: any OutputSink, errors: any OutputSink,
        environment: [String: String]? = nil,
        makeTransport: @escaping TransportMaker = { access throws(NetworkError) in try access.platformTransport() }
    ) {
        self.input = input
        self.output = output
        self.errors = errors
        self.environment = EnvironmentVariables(environment)
        self.makeTransport = makeTransport
    }

    /// Runs one command line, without the program's name, and returns the exit code.
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
            let config = arguments.contains("--no-config") ? .none : try ConfigFile.read(environment)
            return try await perform(Instruction(parsing: arguments, config: config))
        } catch {
            if let message = error.message(of: arguments) { await report(message) }
            return error.exitCode
        }
    }

    private func perform(_ instruction: Instruction) async throws(CommandFailure) -> ExitCode {
        switch instruction {
        case .version: try await print("godwit \(Self.version)\n")
        case .help(let text), .text(let text): try await print(text)
        case .request(let arguments): return try await RequestCommand(arguments, of: self).run()
        case .transfer(let arguments) where arguments.isInBackground:
            return try await HandoverCommand(arguments: arguments, command: self).run()
        case .jobs(let arguments): return try await JobsCommand(arguments, of: self).run()
        case .service(let arguments): return try await ServiceCommand(arguments: arguments, command: self).run()
        case .transfer(let arguments) where arguments.verb == .download:
            return try await DownloadCommand(arguments, of: self).run()
        case .transfer(let arguments): return try await UploadCommand(arguments, of: self).run()
        case .login(let arguments): return try await LoginCommand(arguments: arguments, command: self).run()
        case .events(let arguments): return try await EventsCommand(arguments, of: self).run()
        case .paginate(let arguments): return try await PaginateCommand(arguments, of: self).run()
        case .graphQL(let arguments): return try await GraphQLCommand(arguments, of: self).run()
        case .cookies(let arguments): return try await CookieCommand(arguments: arguments, command: self).run()
        case .cache(let arguments): return try await CacheCommand(arguments: arguments, command: self).run()
        case .socket(let arguments): return try await SocketCommand(arguments: arguments, command: self).run()
        case .run(let arguments): return try await RunCommand(arguments: arguments, command: self).run()
        case .mock(let arguments): return try await MockCommand(arguments, of: self).run()
        case .replay(let arguments): return try await ReplayCommand(arguments: arguments, command: self).run()
        case .record(let arguments): return try await RecordCommand(arguments: arguments, command: self).run()
        case .generate(let arguments): return try await GenerateCommand(arguments: arguments, command: self).run()
        case .inspect(let arguments): return try await InspectCommand(arguments: arguments, command: self).run()
        }
        return .success
    }

    /// Prints a text. On a terminal, what that would act on is escaped, as servers may have sent it.
    ///
    /// - Parameter colors: Those of the text, whose parts are escaped then.
    func print(_ text: String, colors: Colors = .none) async throws(CommandFailure) {
        let isEscaped = !output.isTerminal || colors != .none
        try await write(Data((isEscaped ? text : TerminalText.escapedLines(text)).utf8))
    }

    /// Prints an object on one line.
    func print(_ json: OrderedJSON) async throws(CommandFailure) {
        try await print(json.text(.compact) + "\n")
    }

    func write(_ data: Data) async throws(CommandFailure) {
        do throws(OutputError) {
            try await output.write(data)
        } catch {
            throw .output(error)
        }
    }

    func transport(for access: ServerAccess) throws(CommandFailure) -> any HTTPTransport {
        try CommandFailure.network { () throws(NetworkError) in try makeTransport(access) }
    }

    /// Draws the timing of each exchange. A failure to write is ignored, as for all diagnostics.
    func showTiming(of log: ExchangeLog) async {
        for exchange in log.exchanges { try? await errors.write(Data(Waterfall(exchange: exchange).text.utf8)) }
    }

    /// Prints one line to standard error. A failure to write is ignored.
    func report(_ message: String) async {
        try? await errors.write(Data("godwit: \(TerminalText.escaped(message))\n".utf8))
    }

    /// Prints a message of several lines to standard error.
    func report(lines message: String) async {
        let lines = message.split(separator: "\n").map { TerminalText.escaped(String($0)) }
        try? await errors.write(Data("godwit: \(lines.joined(separator: "\n"))\n".utf8))
    }
}
