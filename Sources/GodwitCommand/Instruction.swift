import Godwit

/// The parsed command line.
enum Instruction {
    case version
    case help(String)
    case request(RequestArguments)
    case transfer(TransferArguments)
    case jobs(JobsArguments)
    case service(ServiceArguments)
    case login(LoginArguments)
    case events(RequestArguments)
    case socket(SocketArguments)
    case generate(GenerateArguments)
    case run(RunArguments)
    case mock(MockArguments)
    case replay(ReplayArguments)
    case record(RecordArguments)
    case inspect(InspectArguments)

    private static let commands =
        RequestVerb.allCases.map(\.rawValue) + TransferVerb.allCases.map(\.rawValue) + [
            "events", "generate", "inspect", "login", "mock", "record", "replay", "run", "transfers", "ws",
        ]

    init(parsing arguments: [String]) throws(CommandFailure) {
        do throws(UsageError) {
            self = try Self.parse(arguments)
        } catch {
            throw .usage(error)
        }
    }

    private static func parse(_ arguments: [String]) throws(UsageError) -> Instruction {
        guard let name = arguments.first else { throw UsageError("no command given") }
        switch name {
        case "--version": return .version
        case "--help", "-h": return .help(HelpText.overview)
        case "help":
            guard arguments.count > 1 else { return .help(HelpText.overview) }
            return try parse(["--help"], of: arguments[1])
        default: return try parse(arguments.dropFirst(), of: name)
        }
    }

    private static func parse(_ line: ArraySlice<String>, of name: String) throws(UsageError) -> Instruction {
        do throws(UsageError) {
            if let verb = TransferVerb(rawValue: name) {
                let parsed = try TransferArguments(parsing: line, verb: verb)
                return parsed.request.wantsHelp ? .help(HelpText.text(for: verb)) : .transfer(parsed)
            }
            if let verb = name == "events" ? .sse : RequestVerb(rawValue: name) {
                let parsed = try RequestArguments(parsing: line, verb: verb)
                if parsed.wantsHelp { return .help(HelpText.text(for: verb)) }
                return verb == .sse ? .events(parsed) : .request(parsed)
            }
            switch name {
            case "generate": return try read(line, as: Instruction.generate)
            case "run": return try read(line, as: Instruction.run)
            case "mock": return try read(line, as: Instruction.mock)
            case "replay": return try read(line, as: Instruction.replay)
            case "record": return try read(line, as: Instruction.record)
            case "inspect": return try read(line, as: Instruction.inspect)
            case "login": return try read(line, as: Instruction.login)
            case "transfers" where line.first == "service": return try read(line.dropFirst(), as: Instruction.service)
            case "transfers": return try read(line, as: Instruction.jobs)
            case "ws": return try read(line, as: Instruction.socket)
            default: break
            }
        } catch {
            throw UsageError(error.reason, command: name)
        }
        let isURL = name.contains("/") || name.contains(":")
        let hint = isURL ? " (did you mean godwit get \(name)?)" : Suggestion.text(for: name, among: commands)
        throw UsageError("unknown command \"\(name)\"\(hint)")
    }

    private static func read<Arguments: CommandArguments>(
        _ line: ArraySlice<String>, as instruction: (Arguments) -> Instruction
    ) throws(UsageError) -> Instruction {
        let parsed = try Arguments(parsing: line)
        return parsed.wantsHelp ? .help(HelpText.text(for: Arguments.self)) : instruction(parsed)
    }
}
