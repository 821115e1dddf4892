import Godwit
import GodwitGenerator
import GodwitSupport

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
    case paginate(RequestArguments)
    case graphQL(RequestArguments)
    case cookies(CookieArguments)
    case cache(CacheArguments)
    case socket(SocketArguments)
    case generate(GenerateArguments)
    case run(RunArguments)
    case mock(MockArguments)
    case replay(ReplayArguments)
    case record(RecordArguments)
    case inspect(InspectArguments)

    /// What `godwit man` and `godwit completion` print.
    case text(String)

    private static let commands = CommandPage.names + ["events"]

    /// - Parameter config: The user's defaults.
    init(parsing arguments: [String], config: ConfigFile = .none) throws(CommandFailure) {
        do throws(UsageError) {
            self = try Self.parse(arguments, config)
        } catch {
            throw .usage(error)
        }
    }

    private static func parse(_ arguments: [String], _ config: ConfigFile) throws(UsageError) -> Instruction {
        guard let name = arguments.first else { throw UsageError("no command given") }
        switch name {
        case "--version": return .version
        case "help", "--help", "-h":
            guard arguments.count > 1 else { return .help(HelpText.overview) }
            if arguments[1] == "all" { return .help(HelpText.all) }
            if let topic = HelpTopic(rawValue: arguments[1]) { return .help(topic.text) }
            // HTTPie's -h shows the head.
            if RequestArguments.isAddress(arguments[1]) { throw UsageError("-h shows help; for the head, use -I") }
            guard commands.contains(arguments[1]) else { throw HelpTopic.unknown(arguments[1], commands) }
            if let page = CommandPage.all.first(where: { $0.name == arguments[1] && $0.options.isEmpty }) {
                return .help(HelpText.text(page))
            }
            return try parse(["--help"], of: arguments[1], config)
        case "completion": return .text(try Completion.text(arguments.dropFirst().first))
        case "man": return .text(ManualPage.text)
        default: break
        }
        if !commands.contains(name), isRequest(name, arguments.count) {
            do throws(UsageError) {
                return try request(arguments[...], .request, config)
            } catch {
                throw UsageError(error.reason, command: "request")
            }
        }
        return try parse(arguments.dropFirst(), of: name, config)
    }

    /// Whether a line without a command is a request: it starts with a URL, a method in capitals or an option.
    private static func isRequest(_ word: String, _ count: Int) -> Bool {
        let isMethod = count > 1 && word.count > 2 && word.allSatisfy { $0.isASCII && $0.isUppercase }
        return isMethod || RequestArguments.isAddress(word) || word.hasPrefix("-")
    }

    private static func request(
        _ line: ArraySlice<String>, _ verb: RequestVerb, _ config: ConfigFile
    ) throws(UsageError) -> Instruction {
        let parsed = try RequestArguments(parsing: line, verb: verb, config: config)
        if parsed.wantsHelp { return .help(HelpText.text(for: verb)) }
        if parsed.takesServerName { return .transfer(try TransferArguments(downloadOf: parsed)) }
        switch verb {
        case .sse: return .events(parsed)
        case .paginate: return .paginate(parsed)
        case .graphql: return .graphQL(parsed)
        default: return .request(parsed)
        }
    }

    /// One word with spaces is a whole command, as copied.
    private static func curl(_ line: ArraySlice<String>) throws(UsageError) -> Instruction {
        var words = line
        if line.count == 1, let whole = line.first, whole.contains(where: \.isWhitespace) {
            do throws(ShellWords.Fault) {
                words = try ShellWords.split(whole)[...]
            } catch {
                throw UsageError("the curl command: \(error)")
            }
        }
        if words.first == "$" || words.first == "%" { words.removeFirst() }
        if words.first == "curl" { words.removeFirst() }
        let parsed = try RequestArguments(curl: words)
        if parsed.wantsHelp { return .help(HelpText.text(for: .request)) }
        return parsed.takesServerName ? .transfer(try TransferArguments(downloadOf: parsed)) : .request(parsed)
    }

    private static func parse(
        _ line: ArraySlice<String>, of name: String, _ config: ConfigFile
    ) throws(UsageError) -> Instruction {
        do throws(UsageError) {
            if let verb = TransferVerb(rawValue: name) {
                let parsed = try TransferArguments(parsing: line, verb: verb)
                return parsed.request.wantsHelp ? .help(HelpText.text(for: verb)) : .transfer(parsed)
            }
            if let verb = name == "events" ? .sse : RequestVerb(rawValue: name) {
                return try request(line, verb, config)
            }
            switch name {
            case "curl": return try curl(line)
            case "generate": return try read(line, as: Instruction.generate)
            case "run": return try read(line, as: Instruction.run)
            case "mock": return try read(line, as: Instruction.mock)
            case "replay": return try read(line, as: Instruction.replay)
            case "record": return try read(line, as: Instruction.record)
            case "inspect": return try read(line, as: Instruction.inspect)
            case "cookies": return try read(line, as: Instruction.cookies)
            case "cache": return try read(line, as: Instruction.cache)
            case "login": return try read(line, as: Instruction.login)
            case "transfers" where line.first == "service": return try read(line.dropFirst(), as: Instruction.service)
            case "transfers": return try read(line, as: Instruction.jobs)
            case "ws": return try read(line, as: Instruction.socket)
            default: break
            }
        } catch {
            throw UsageError(error.reason, command: name)
        }
        throw UsageError("unknown command \"\(name)\"\(Suggestion.text(for: name, among: commands))")
    }

    private static func read<Arguments: CommandArguments>(
        _ line: ArraySlice<String>, as instruction: (Arguments) -> Instruction
    ) throws(UsageError) -> Instruction {
        let parsed = try Arguments(parsing: line)
        return parsed.wantsHelp ? .help(HelpText.text(for: Arguments.self)) : instruction(parsed)
    }
}
