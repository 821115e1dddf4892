import Godwit
import GodwitSupport

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
        request.method = request.method ?? (resumes ? .post : .put)
        let builder = try await RequestBuilder.inSession(request, of: command)
        let endpoint = try await builder.endpoint()
        let open = try builder.open(observation)
        let code = try await observation.conclude { () async throws(CommandFailure) in
            let result =
                resumes
                ? await outcome(of: open.client.upload(source, to: .resumable(endpoint, configure: configure)))
                : await outcome(of: open.client.uploading(endpoint, body: body))
            await open.end()
            return try await report(result)
        }
        try builder.saveSession()
        return code
    }

    private var resumes: Bool { arguments.leftover == .resume }

    private var source: URL { URL(filePath: arguments.file) }

    private func configure(_ options: inout UploadOptions) {
        options.parallelParts = arguments.connections
        if let size = arguments.chunkSize { options.chunkSize = Int64(size) << 20 }
        options.ticketFile = source.deletingLastPathComponent().appending(
            path: ".\(CompanionName.stem(of: source.lastPathComponent)).godwit-upload")
    }

    private var body: RequestBody {
        guard arguments.file == "-" else { return .file(at: source) }
        return .stream(.stream(once: InputChunks(source: command.input)))
    }

    private func outcome(of upload: Upload<Data>) async -> Result<Response<Data>, NetworkError> {
        await withTaskCancellationHandler {
            await show(upload.progress)
        } onCancel: {
            upload.cancel()
        }
        return await Result.catching { () async throws(NetworkError) in try await upload.response }
    }

    /// If the command is interrupted, the ticket is kept for the next run.
    private func outcome(of upload: ResumableUpload<Data>) async -> Result<Response<Data>, NetworkError> {
        await show(upload.progress)
        let result = await Result.catching { () async throws(NetworkError) in try await upload.response }
        if case .success = result, !upload.startOvers.isEmpty, !arguments.request.isQuiet {
            await command.report("the server lost what it had, and the upload started over")
        }
        return result
    }

    private func show(_ updates: ProgressUpdates) async {
        guard command.errors.isTerminal, !arguments.request.isQuiet else { return }
        let display = ProgressDisplay(output: command.errors, count: 1)
        let name = arguments.file == "-" ? "standard input" : source.lastPathComponent
        for await progress in updates { await display.show(progress, of: name, at: 0) }
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
