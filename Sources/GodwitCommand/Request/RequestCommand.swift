import Godwit

/// Sends one request and prints the response.
struct RequestCommand {
    /// The maximum bytes of a body that is held in memory, for `--json-output` and `--cache`.
    private static let reportLimit = 64 << 20
    /// The maximum bytes of an error body that are read for the error message.
    private static let explanationLimit = 64 << 10

    private let arguments: RequestArguments
    private let command: Command
    private let log: ExchangeLog
    private let recorder: HARRecorder?

    init(_ arguments: RequestArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        log = ExchangeLog(verbose: arguments.isVerbose ? command.errors : nil)
        recorder = arguments.archive.map { _ in HARRecorder(options: Self.archiveOptions) }
    }

    func run() async throws(CommandFailure) -> ExitCode {
        let result = await outcome()
        if arguments.showsTiming { await command.showTiming(of: log) }
        // A failed exchange is saved too, and its error has precedence over one of the archive.
        let archived = Result { () throws(CommandFailure) in try saveArchive() }
        do throws(CommandFailure) {
            let code = try result.get()
            try archived.get()
            return code
        } catch {
            if arguments.reportsAsJSON, case .network(let error) = error {
                try await print(ResponseReport.report(error))
            }
            throw error
        }
    }

    private func outcome() async -> Result<ExitCode, CommandFailure> {
        do throws(CommandFailure) { return .success(try await exchange()) } catch { return .failure(error) }
    }

    /// Like developer tools: with bodies that are in memory.
    private static var archiveOptions: HAROptions {
        var options = HAROptions()
        options.bodyLimit = 1 << 20
        return options
    }

    private func saveArchive() throws(CommandFailure) {
        guard let recorder, let path = arguments.archive else { return }
        try CommandFailure.network { () throws(NetworkError) in try recorder.save(to: URL(filePath: path)) }
    }

    private func exchange() async throws(CommandFailure) -> ExitCode {
        let builder = RequestBuilder(arguments: arguments, of: command)
        let endpoint = try builder.endpoint()
        // The recorder is last, so that it also records what the transport adds.
        let open = try builder.open(recording: recorder.map { [log, $0] } ?? [log])
        return try await CommandFailure.run { () async throws(CommandFailure) in
            var request = try CommandFailure.network { () throws(NetworkError) in
                try open.client.request(for: endpoint)
            }
            for name in try builder.removals() { request.fields.remove(name) }
            if !arguments.checks.isEmpty { return try await check(request, from: open.client) }
            guard let file = try destination(of: request.url) else {
                return try await show(try await send(request, delivery: delivery, from: open.client))
            }
            return try await save(request, to: file, from: open.client)
        } finally: {
            await open.end()
        }
    }

    /// Sends a request whose response is checked, so its body is in memory.
    private func check(_ request: HTTPRequest, from client: APIClient) async throws(CommandFailure) -> ExitCode {
        if arguments.destination != .output { throw .usage(UsageError("--expect and --capture don't write files")) }
        let delivery = Delivery.buffered(limit: Self.reportLimit)
        let response = try await send(request, delivery: delivery, from: client)
        let body = try await CommandFailure.network { () async throws(NetworkError) in
            try await response.body.collect(upTo: Self.reportLimit)
        }
        let duration = log.exchanges.compactMap { $0.metrics?.total }.reduce(.zero, +)
        let checked = CheckedResponse(response, body: body, duration: duration)
        let code = try await conclude(response, checked)
        let failures = arguments.checks.failures(in: checked)
        for failure in failures { await command.report(lines: failure) }
        return failures.isEmpty ? code : .checkFailed
    }

    /// Prints the captures, or else the response.
    private func conclude(
        _ response: HTTPResponse, _ checked: CheckedResponse
    ) async throws(CommandFailure) -> ExitCode {
        let checks = arguments.checks
        if checks.captures.isEmpty { return try await show(response) }
        let isError = checked.status >= 400 && !checks.testsStatus
        if isError { await command.report("\(NetworkError(response, body: checked.body))") }
        switch checks.captured(from: checked, asJSON: arguments.reportsAsJSON) {
        case .success(let text): try await command.print(text)
        case .failure(let failure):
            await command.report(failure.message)
            return .checkFailed
        }
        return isError ? .httpStatus : .success
    }

    /// A streamed body is printed as it arrives; only a buffered one can be cached.
    private var delivery: Delivery {
        arguments.cache == nil ? .streamed : .buffered(limit: Self.reportLimit)
    }

    private func destination(of url: HTTPURL) throws(CommandFailure) -> FileDestination? {
        switch arguments.destination {
        case .output: return nil
        case .file(let path): return try FileDestination(path, existing: arguments.existingFile)
        case .remoteName:
            let name = String(url.path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
            guard !name.isEmpty else { throw .usage(UsageError("the URL has no file name for -O; use -o FILE")) }
            return try FileDestination(name, existing: arguments.existingFile)
        }
    }

    private func send(
        _ request: HTTPRequest, delivery: Delivery, from client: APIClient
    ) async throws(CommandFailure) -> HTTPResponse {
        var request = request
        request.delivery = delivery
        let sent = request
        return try await CommandFailure.network { () async throws(NetworkError) in try await client.send(sent) }
    }

    private func save(
        _ request: HTTPRequest, to file: FileDestination, from client: APIClient
    ) async throws(CommandFailure) -> ExitCode {
        defer { file.discard() }
        let response = try await send(request, delivery: file.delivery, from: client)
        guard response.head.status.isSuccessful else { return try await show(response) }
        try file.finish()
        if arguments.reportsAsJSON {
            try await print(ResponseReport.report(response, .file(file.path), metrics: metrics(of: response)))
        } else if arguments.includesHead {
            try await command.print(HeadText.plain(response))
        }
        return .success
    }

    /// Prints a response. The exit code tells whether the server accepted the request.
    private func show(_ response: HTTPResponse) async throws(CommandFailure) -> ExitCode {
        let isError = response.head.status.code >= 400
        let hidesBody = arguments.isQuiet || isError && arguments.dropsErrorBody
        var explanation = Data()
        if arguments.reportsAsJSON {
            explanation = try await CommandFailure.network { () async throws(NetworkError) in
                try await response.body.collect(upTo: Self.reportLimit)
            }
            let body = hidesBody ? ResponseReport.Body.omitted : .bytes(explanation)
            try await print(ResponseReport.report(response, body, metrics: metrics(of: response)))
        } else {
            if arguments.includesHead { try await command.print(HeadText.plain(response)) }
            if hidesBody, isError {
                explanation = await beginning(of: response)
            } else {
                let output: any OutputSink = hidesBody ? NoOutput() : command.output
                try await BodyPrinter(output: output, layout: arguments.layout).print(response)
            }
        }
        guard isError, !arguments.checks.testsStatus else { return .success }
        await command.report("\(NetworkError(response, body: explanation))")
        return .httpStatus
    }

    /// Reads the beginning of an error body that is not printed, for the message. A lost connection ends it.
    private func beginning(of response: HTTPResponse) async -> Data {
        var beginning = Data()
        do throws(NetworkError) {
            for try await chunk in response.body {
                beginning += chunk
                if beginning.count >= Self.explanationLimit { break }
            }
        } catch {
            return beginning
        }
        return beginning
    }

    /// The metrics of the whole exchange, which a streamed response does not contain yet.
    private func metrics(of response: HTTPResponse) -> TransferMetrics {
        var metrics = log.exchanges.last?.metrics ?? response.metrics
        metrics.redirectCount = response.metrics.redirectCount
        return metrics
    }

    private func print(_ json: JSONText) async throws(CommandFailure) {
        let layout: JSONText.Layout = command.output.isTerminal && arguments.layout != .compact ? .pretty : .compact
        try await command.print(json.text(layout) + "\n")
    }
}

/// Discards what is written.
private struct NoOutput: OutputSink {
    var isTerminal: Bool { false }

    func write(_ data: Data) {}
}
