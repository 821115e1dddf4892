import Godwit
import GodwitBackground

/// Adds downloads or an upload to the background queue, without waiting for them.
struct HandoverCommand {
    let arguments: TransferArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        try await renewToken()
        // A job could report an unreadable file only with an event.
        try CommandFailure.network { () throws(NetworkError) in try arguments.request.access.checkFiles() }
        for url in arguments.urls {
            let name = JobReport.name(try await handOver(url))
            if arguments.request.reportsAsJSON {
                try await command.print(.object(["job": .string(name), "url": .string(url)]))
            } else if !arguments.request.isQuiet {
                try await command.print("\(name)\n")
            }
        }
        return .success
    }

    /// The job reads the token's file, and cannot refresh the token.
    private func renewToken() async throws(CommandFailure) {
        guard let login = try command.login(arguments.request) else { return }
        try await CommandFailure.run { () async throws(CommandFailure) in
            try await login.renew()
        } finally: {
            await login.end()
        }
    }

    private func handOver(_ url: String) async throws(CommandFailure) -> BackgroundJob.ID {
        let request = try await request(for: url)
        let session = arguments.background.makeSession(
            plaintextHosts: request.url.scheme == .http ? [request.url.host] : [], command.diagnostics)
        let (file, arguments) = (URL(filePath: arguments.file), arguments)
        return try await CommandFailure.network { () async throws(NetworkError) in
            guard arguments.verb == .download else {
                return try await session.upload(request, fromFile: file) { $0.take(arguments) }
            }
            return try await session.download(request, to: arguments.destinationURL) { $0.take(arguments) }
        }
    }

    private func request(for url: String) async throws(CommandFailure) -> HTTPRequest {
        var request = arguments.request
        request.url = url
        request.method = arguments.verb == .download ? .get : request.method ?? .put
        let builder = RequestBuilder(arguments: request, of: command)
        let endpoint = try await builder.endpoint()
        let client = try builder.client(over: NoTransport())
        return try CommandFailure.network { () throws(NetworkError) in try client.request(for: endpoint) }
    }
}

extension BackgroundJobOptions {
    fileprivate mutating func take(_ arguments: TransferArguments) {
        let access = arguments.request.access
        isDiscretionary = arguments.background.isDiscretionary
        existingFile = arguments.existingFile
        digest = arguments.digest
        parallelRanges = arguments.connections
        tls.authorities = access.authorities.map { URL(filePath: $0) }
        tls.pins = access.pins
        tls.certificate = access.certificate.map { URL(filePath: $0) }
        tls.key = access.key.map { URL(filePath: $0) }
        tokenFile = arguments.request.tokenFile.map { URL(filePath: $0) }
    }
}

/// For a client that only builds requests.
private struct NoTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        throw NetworkError(.shutdown, phase: .sending, request: request)
    }
}
