import Godwit

/// Hands downloads or an upload over to the background, and does not wait for them.
struct HandoverCommand {
    private let arguments: TransferArguments
    private let command: Command

    init(_ arguments: TransferArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
    }

    func run() async throws(CommandFailure) -> ExitCode {
        for url in arguments.urls {
            let id = try await handOver(url)
            let name = JobReport.name(id)
            let report = JSONText.object(["job": .string(name), "url": .string(url)])
            if arguments.request.reportsAsJSON {
                try await command.print("\(report.text(.compact))\n")
            } else if !arguments.request.isQuiet {
                try await command.print("\(name)\n")
            }
        }
        return .success
    }

    private func handOver(_ url: String) async throws(CommandFailure) -> BackgroundJob.ID {
        let request = try request(for: url)
        let session = arguments.background.makeSession(
            // Who types http means it.
            plaintextHosts: request.url.scheme == .http ? [request.url.host] : [])
        let (file, arguments) = (URL(filePath: arguments.file), arguments)
        return try await CommandFailure.network { () async throws(NetworkError) in
            guard arguments.verb == .download else {
                return try await session.upload(request, fromFile: file) {
                    $0.isDiscretionary = arguments.background.isDiscretionary
                }
            }
            return try await session.download(request, to: arguments.destinationURL) {
                $0.isDiscretionary = arguments.background.isDiscretionary
                $0.existingFile = arguments.existingFile
                $0.digest = arguments.digest
            }
        }
    }

    private func request(for url: String) throws(CommandFailure) -> HTTPRequest {
        var request = arguments.request
        request.url = url
        request.method = arguments.verb == .download ? .get : request.method ?? .put
        let builder = RequestBuilder(arguments: request, input: command.input, clock: command.clock)
        let endpoint = try builder.endpoint()
        return try CommandFailure.network { () throws(NetworkError) in
            try builder.client(over: NoTransport(), recording: [], without: [], jar: nil).request(for: endpoint)
        }
    }
}

/// For a client that only makes requests.
private struct NoTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        throw NetworkError(.shutdown, phase: .sending, request: request)
    }
}
