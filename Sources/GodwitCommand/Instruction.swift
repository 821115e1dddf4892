import Godwit

/// What a command line asks for.
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

    init(parsing arguments: [String]) throws(CommandFailure) {
        do throws(UsageError) {
            self = try Self.parse(arguments)
        } catch {
            throw .usage(error)
        }
    }

    private static func parse(_ arguments: [String]) throws(UsageError) -> Instruction {
        guard let name = arguments.first else { throw UsageError("a command is missing", command: nil) }
        switch name {
        case "--version": return .version
        case "--help", "-h": return .help(HelpText.overview)
        case "login": return try parseLogin(arguments.dropFirst())
        case "transfers": return try parseJobs(arguments.dropFirst())
        case "ws": return try parseSocket(arguments.dropFirst())
        case "help": return .help(try help(on: arguments.dropFirst().first))
        default: break
        }
        if let verb = TransferVerb(rawValue: name) { return try parse(arguments.dropFirst(), for: verb) }
        return try parse(arguments.dropFirst(), for: command(named: name))
    }

    private static func parse(
        _ arguments: ArraySlice<String>, for verb: TransferVerb
    ) throws(UsageError) -> Instruction {
        do throws(UsageError) {
            let parsed = try TransferArguments(parsing: arguments, verb: verb)
            return parsed.request.wantsHelp ? .help(HelpText.text(for: verb)) : .transfer(parsed)
        } catch {
            throw UsageError(error.reason, command: verb.name)
        }
    }

    private static func parse(
        _ arguments: ArraySlice<String>, for command: RequestVerb
    ) throws(UsageError) -> Instruction {
        do throws(UsageError) {
            let parsed = try RequestArguments(parsing: arguments, verb: command)
            if parsed.wantsHelp { return .help(HelpText.text(for: command)) }
            return command == .sse ? .events(parsed) : .request(parsed)
        } catch {
            throw UsageError(error.reason, command: command.name)
        }
    }

    private static func parseLogin(_ arguments: ArraySlice<String>) throws(UsageError) -> Instruction {
        do throws(UsageError) {
            let parsed = try LoginArguments(parsing: arguments)
            return parsed.wantsHelp ? .help(HelpText.login) : .login(parsed)
        } catch {
            throw UsageError(error.reason, command: "login")
        }
    }

    private static func parseJobs(_ arguments: ArraySlice<String>) throws(UsageError) -> Instruction {
        do throws(UsageError) {
            if arguments.first == "service" {
                let parsed = try ServiceArguments(parsing: arguments.dropFirst())
                return parsed.wantsHelp ? .help(HelpText.service) : .service(parsed)
            }
            let parsed = try JobsArguments(parsing: arguments)
            return parsed.wantsHelp ? .help(HelpText.jobs) : .jobs(parsed)
        } catch {
            throw UsageError(error.reason, command: "transfers")
        }
    }

    private static func parseSocket(_ arguments: ArraySlice<String>) throws(UsageError) -> Instruction {
        do throws(UsageError) {
            let parsed = try SocketArguments(parsing: arguments)
            return parsed.wantsHelp ? .help(HelpText.socket) : .socket(parsed)
        } catch {
            throw UsageError(error.reason, command: "ws")
        }
    }

    private static func help(on name: String?) throws(UsageError) -> String {
        guard let name else { return HelpText.overview }
        if let verb = TransferVerb(rawValue: name) { return HelpText.text(for: verb) }
        if name == "login" { return HelpText.login }
        if name == "ws" { return HelpText.socket }
        if name == "transfers" { return HelpText.jobs }
        return HelpText.text(for: try command(named: name))
    }

    private static func command(named name: String) throws(UsageError) -> RequestVerb {
        if let verb = RequestVerb(named: name) { return verb }
        let hint = name.contains("/") || name.contains(":") ? "; did you mean: godwit get \(name)" : ""
        throw UsageError("there is no command \"\(name)\"\(hint)", command: nil)
    }
}
