import Godwit

/// Sends a file.
struct UploadCommand {
    private let arguments: TransferArguments
    private let command: Command
    private let log: ExchangeLog

    init(_ arguments: TransferArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        log = ExchangeLog(verbose: arguments.request.isVerbose ? command.errors : nil)
    }

    func run() async throws(CommandFailure) -> ExitCode {
        var request = arguments.request
        request.url = arguments.urls.first ?? ""
        request.method = request.method ?? .put
        let builder = RequestBuilder(arguments: request, of: command)
        let (endpoint, removals) = (try builder.endpoint(), try builder.removals())
        let login = try command.login(request)
        let (transport, client) = try CommandFailure.network { () throws(NetworkError) in
            let transport = try command.makeTransport(request.access)
            return (
                transport,
                try builder.client(
                    over: transport, recording: [log], without: removals, signingIn: login, jar: builder.cookieJar())
            )
        }
        let result = await outcome(of: client.upload(endpoint, body: content))
        await transport.shutdown(.cancelling)
        await login?.end()
        if request.showsTiming { await command.showTiming(of: log) }
        client.cookieJar?.saveAtEnd()
        return try await tell(result)
    }

    private var content: RequestBody {
        guard arguments.file == "-" else { return .file(at: URL(filePath: arguments.file)) }
        return .stream(.stream(once: InputChunks(source: command.input)))
    }

    private func outcome(of upload: Upload<Data>) async -> Result<Response<Data>, NetworkError> {
        await withTaskCancellationHandler {
            guard command.errors.isTerminal, !arguments.request.isQuiet else { return }
            let display = ProgressDisplay(output: command.errors, count: 1)
            let name = arguments.file == "-" ? "standard input" : URL(filePath: arguments.file).lastPathComponent
            for await progress in upload.progress { await display.show(progress, of: name, at: 0) }
        } onCancel: {
            upload.cancel()
        }
        do throws(NetworkError) { return .success(try await upload.response) } catch { return .failure(error) }
    }

    private func tell(_ result: Result<Response<Data>, NetworkError>) async throws(CommandFailure) -> ExitCode {
        switch result {
        case .success(let response):
            let answer = HTTPResponse(
                head: response.head, body: .bytes(response.value), metrics: response.metrics, request: response.request)
            if arguments.request.reportsAsJSON {
                let body = ResponseReport.Body.bytes(response.value)
                let report = ResponseReport.report(answer, body, metrics: response.metrics)
                try await command.write(Data((report.text(.compact) + "\n").utf8))
            } else if !arguments.request.isQuiet {
                try await BodyPrinter(output: command.output, layout: .automatic).print(answer)
            }
            return .success
        case .failure(let error):
            if arguments.request.reportsAsJSON {
                try await command.write(Data((ResponseReport.report(error).text(.compact) + "\n").utf8))
            }
            throw .network(error)
        }
    }
}
