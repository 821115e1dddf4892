import Godwit

/// What is recorded of a command's requests: heads for `--verbose`, times for `--timing`, and the archive of `--har`.
struct Observation {
    let log: ExchangeLog
    /// Writes the archive while requests are sent, so that it is readable at any time.
    let recorder: HARRecorder?
    private let showsTiming: Bool
    private let wantsHTTP3: Bool
    private let command: Command

    init(_ arguments: RequestArguments, of command: Command) {
        self.command = command
        showsTiming = arguments.showsTiming
        wantsHTTP3 = arguments.access.offersHTTP3
        log = ExchangeLog(arguments, of: command)
        recorder = arguments.archive.map { HARRecorder(file: URL(filePath: $0), options: Self.archiveOptions) }
    }

    /// Records only the log.
    init(_ log: ExchangeLog, of command: Command) {
        self.log = log
        self.command = command
        recorder = nil
        showsTiming = false
        wantsHTTP3 = false
    }

    /// Like developer tools: with bodies.
    private static var archiveOptions: HAROptions {
        var options = HAROptions()
        options.bodyLimit = 1 << 20
        return options
    }

    /// Draws the times, says why HTTP/3 was not used if it was asked for, and ends the archive. Returns why the archive can't be written.
    func conclude() async -> Result<Void, CommandFailure> {
        if showsTiming { await command.showTiming(of: log) }
        if wantsHTTP3, let reason = log.exchanges.last?.metrics?.http3Fallback {
            await command.report("HTTP/3 was not used: \(reason)")
        }
        return Result { () throws(CommandFailure) in
            try CommandFailure.network { () throws(NetworkError) in try recorder?.flush() }
        }
    }
}
