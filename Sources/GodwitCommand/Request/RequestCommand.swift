import Godwit

/// Sends one request and writes what comes back.
struct RequestCommand {
    /// The most bytes of a body that is held, for `--json-output` and `--cache`.
    private static let reportLimit = 64 << 20
    /// The most of a body that says why a call failed.
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
        let archived = Result { () throws(CommandFailure) in try saveArchive() }
        do throws(CommandFailure) {
            let code = try result.get()
            try archived.get()
            return code
        } catch {
            if arguments.reportsAsJSON, case .network(let error) = error {
                try await write(ResponseReport.report(error))
            }
            throw error
        }
    }

    /// As developer tools keep them: with bodies, as far as they are in memory.
    private static var archiveOptions: HAROptions {
        var options = HAROptions()
        options.bodyLimit = 1 << 20
        return options
    }

    /// Writes the archive, also of an exchange that failed: then it is most wanted.
    private func saveArchive() throws(CommandFailure) {
        guard let recorder, let path = arguments.archive else { return }
        try CommandFailure.network { () throws(NetworkError) in try recorder.save(to: URL(filePath: path)) }
    }

    private func outcome() async -> Result<ExitCode, CommandFailure> {
        do throws(CommandFailure) {
            return .success(try await exchange())
        } catch {
            return .failure(error)
        }
    }

    private func exchange() async throws(CommandFailure) -> ExitCode {
        let builder = RequestBuilder(arguments: arguments, of: command)
        let endpoint = try builder.endpoint()
        let removals = try builder.removals()
        let login = try command.login(arguments)
        let transport = try CommandFailure.network { () throws(NetworkError) in
            try command.makeTransport(arguments.access)
        }
        let client = try CommandFailure.network { () throws(NetworkError) in
            try builder.client(
                over: transport, recording: recording, without: removals, signingIn: login, jar: builder.cookieJar())
        }
        var request = try CommandFailure.network { () throws(NetworkError) in try client.request(for: endpoint) }
        for name in removals { request.fields.remove(name) }
        let result = await answer(to: request, from: client)
        await transport.shutdown(.cancelling)
        await login?.end()
        client.cookieJar?.saveAtEnd()
        return try result.get()
    }

    /// The recorder stands last: directly above the transport it also keeps what that adds.
    private var recording: [any Middleware] {
        recorder.map { [log, $0] } ?? [log]
    }

    private func answer(to request: HTTPRequest, from client: APIClient) async -> Result<ExitCode, CommandFailure> {
        do throws(CommandFailure) {
            guard let file = try destination(of: request.url) else {
                return .success(try await show(try await send(request, delivery: delivery, from: client)))
            }
            return .success(try await save(request, to: file, from: client))
        } catch {
            return .failure(error)
        }
    }

    /// A body on its way to the output is passed on as it comes; only one that is held as a whole can be kept.
    private var delivery: Delivery {
        arguments.cache == nil ? .streamed : .buffered(limit: Self.reportLimit)
    }

    private func destination(of url: HTTPURL) throws(CommandFailure) -> FileDestination? {
        switch arguments.destination {
        case .output: return nil
        case .file(let path): return try FileDestination(path, existing: arguments.existingFile)
        case .remoteName:
            let name = String(url.path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
            guard !name.isEmpty else { throw .usage(UsageError("the URL names no file for -O; use -o FILE")) }
            return try FileDestination(name, existing: arguments.existingFile)
        }
    }

    private func send(
        _ request: HTTPRequest, delivery: Delivery, from client: APIClient
    ) async throws(CommandFailure) -> HTTPResponse {
        var request = request
        request.delivery = delivery
        do throws(NetworkError) {
            return try await client.send(request)
        } catch {
            throw .network(error)
        }
    }

    private func save(
        _ request: HTTPRequest, to file: FileDestination, from client: APIClient
    ) async throws(CommandFailure) -> ExitCode {
        defer { file.discard() }
        let response = try await send(request, delivery: file.delivery, from: client)
        guard response.head.status.isSuccessful else { return try await show(response) }
        try file.finish()
        if arguments.reportsAsJSON {
            try await write(ResponseReport.report(response, .file(file.path), metrics: metrics(of: response)))
        } else if arguments.includesHead {
            try await command.write(Data(HeadText.plain(response).utf8))
        }
        return .success
    }

    /// Writes an answer to the output, and tells by the exit code whether the server took the request.
    private func show(_ response: HTTPResponse) async throws(CommandFailure) -> ExitCode {
        let isError = response.head.status.code >= 400
        let hidesBody = arguments.isQuiet || isError && arguments.dropsErrorBody
        var explanation = Data()
        if arguments.reportsAsJSON {
            let data = try await content(of: response)
            explanation = data
            let body = hidesBody ? ResponseReport.Body.omitted : .bytes(data)
            try await write(ResponseReport.report(response, body, metrics: metrics(of: response)))
        } else {
            if arguments.includesHead { try await command.write(Data(HeadText.plain(response).utf8)) }
            if hidesBody, isError {
                explanation = await beginning(of: response)
            } else {
                let output: any OutputSink = hidesBody ? NoOutput() : command.output
                try await BodyPrinter(output: output, layout: arguments.layout).print(response)
            }
        }
        guard isError else { return .success }
        await command.report("\(NetworkError(response, body: explanation))")
        return .httpStatus
    }

    /// What an error says that is not printed; an answer that breaks off ends it.
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

    private func content(of response: HTTPResponse) async throws(CommandFailure) -> Data {
        do throws(NetworkError) {
            return try await response.body.collect(upTo: Self.reportLimit)
        } catch {
            throw .network(error)
        }
    }

    /// The metrics of the whole exchange, which a streamed response does not hold yet.
    private func metrics(of response: HTTPResponse) -> TransferMetrics {
        var metrics = log.exchanges.last?.metrics ?? response.metrics
        metrics.redirectCount = response.metrics.redirectCount
        return metrics
    }

    private func write(_ json: JSONText) async throws(CommandFailure) {
        let layout: JSONText.Layout = command.output.isTerminal && arguments.layout != .compact ? .pretty : .compact
        try await command.write(Data((json.text(layout) + "\n").utf8))
    }
}

/// Takes everything and keeps nothing.
private struct NoOutput: OutputSink {
    var isTerminal: Bool { false }

    func write(_ data: Data) {}
}
