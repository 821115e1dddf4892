extension ExchangeLog {
    /// What `-v` and `-vv` print.
    convenience init(_ arguments: RequestArguments, of command: Command) {
        self.init(
            verbose: arguments.isVerbose ? command.errors : nil, showsBodies: arguments.verbosity > 1,
            colors: arguments.color.colors(for: command.errors, command.environment))
    }
}
