import Godwit

/// Uploads a file.
struct UploadCommand {
    private let arguments: TransferArguments
    private let command: Command
    private let observation: Observation

    init(_ arguments: TransferArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        observation = Observation(arguments.request, of: command)
    }

    func run() async throws(CommandFailure) -> ExitCode {
        var request = arguments.request
        request.url = arguments.urls.first ?? ""
        request.method = request.method ?? .put
        let builder = try RequestBuilder.inSession(request, of: command)
        let endpoint = try builder.endpoint()
        let open = try builder.open(observation)
        let result = await outcome(of: open.client.uploading(endpoint, body: body))
        await open.end()
        let concluded = await observation.conclude()
        let code = try await report(result)
        try concluded.get()
        try builder.saveSession()
        return code
    }

    private var body: RequestBody {
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

    private func report(_ result: Result<Response<Data>, NetworkError>) async throws(CommandFailure) -> ExitCode {
        switch result {
        case .success(let response):
            let received = HTTPResponse(
                head: response.head, body: .bytes(response.value), metrics: response.metrics, request: response.request)
            if arguments.request.reportsAsJSON {
                let body = ResponseReport.Body.bytes(response.value)
                try await command.print(ResponseReport.report(received, body, metrics: response.metrics))
            } else if !arguments.request.isQuiet {
                try await BodyPrinter(output: command.output, layout: .automatic).print(received)
            }
            return .success
        case .failure(let error):
            if arguments.request.reportsAsJSON { try await command.print(ResponseReport.report(error)) }
            throw .network(error)
        }
    }
}
