import Godwit
import GodwitSupport

/// What is recorded of a command's requests: heads for `--verbose`, times for `--timing`, and the archive of `--har`.
struct Observation {
    let log: ExchangeLog
    /// Writes the archive while requests are sent, so that it is readable at any time.
    let recorder: HARRecorder?
    private let showsTiming: Bool
    private let command: Command

    init(_ arguments: RequestArguments, of command: Command) {
        self.command = command
        showsTiming = arguments.showsTiming
        log = ExchangeLog(arguments, of: command)
        recorder = arguments.archive.map { HARRecorder(file: URL(filePath: $0), options: Self.archiveOptions) }
    }

    /// Records only the log.
    init(_ log: ExchangeLog, of command: Command) {
        self.log = log
        self.command = command
        recorder = nil
        showsTiming = false
    }

    /// Like developer tools: with bodies.
    private static var archiveOptions: HAROptions {
        var options = HAROptions()
        options.bodyLimit = 1 << 20
        return options
    }

    /// Runs a body, then draws the times and ends the archive, whatever the outcome. An error of the body has precedence over one of
    /// the archive.
    func conclude<Value>(
        _ body: () async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        let result = await Result.catching(body)
        let concluded = await conclude()
        let value = try result.get()
        try concluded.get()
        return value
    }

    /// Draws the times, and ends the archive. Returns why the archive can't be written.
    func conclude() async -> Result<Void, CommandFailure> {
        if showsTiming { await command.showTiming(of: log) }
        return Result { () throws(CommandFailure) in
            try CommandFailure.network { () throws(NetworkError) in try recorder?.flush() }
        }
    }
}
