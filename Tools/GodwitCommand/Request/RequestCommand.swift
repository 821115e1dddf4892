import Godwit
import GodwitSupport
import Synchronization

/// Sends one request and prints the response.
struct RequestCommand {
    /// The maximum bytes of a body that is held in memory, for `--json-output` and `--cache`.
    static let reportLimit = 64 << 20
    /// The maximum bytes of an error body that are read for the error message.
    private static let explanationLimit = 64 << 10

    let arguments: RequestArguments
    let command: Command
    private let observation: Observation

    init(_ arguments: RequestArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        observation = Observation(arguments, of: command)
    }

    var log: ExchangeLog { observation.log }

    func run() async throws(CommandFailure) -> ExitCode {
        do throws(CommandFailure) {
            return try await observation.conclude(exchange)
        } catch {
            if arguments.reportsAsJSON, case .network(let error) = error {
                try await print(ResponseReport.report(error))
            }
            throw error
        }
    }

    private func exchange() async throws(CommandFailure) -> ExitCode {
        var builder = try await RequestBuilder.inSession(arguments, of: command)
        builder.takesPipedInput = PipedInput(command: command).isBody(of: builder.arguments)
        if arguments.printing != .nothing { return try await preview(builder) }
        let code = try await send(with: builder)
        try builder.saveSession()
        return code
    }

    private func send(with builder: RequestBuilder) async throws(CommandFailure) -> ExitCode {
        let endpoint = try await builder.endpoint()
        let open = try builder.open(observation)
        return try await CommandFailure.run { () async throws(CommandFailure) in
            let request = try Self.request(endpoint, builder, open.client)
            if arguments.runs.repeats, request.body.map({ !$0.isReplayable }) == true {
                throw .usage(
                    UsageError("a streamed body can be sent only once; --repeat and --watch need it in a file"))
            }
            var code = ExitCode.success
            var number = 0
            repeat {
                if number > 0, let pause = arguments.runs.pause { try await wait(pause) }
                let outcome = try await sendOnce(request, from: open.client)
                if outcome != .success { code = outcome }
                number += 1
            } while arguments.runs.continues(after: number)
            await open.finishValidations(arguments)
            return code
        } finally: {
            await open.end()
        }
    }

    private static func request(
        _ endpoint: Endpoint<Data>, _ builder: RequestBuilder, _ client: APIClient
    ) throws(CommandFailure) -> HTTPRequest {
        var request = try CommandFailure.network { () throws(NetworkError) in try client.request(for: endpoint) }
        for name in try builder.removals() { request.fields.remove(name) }
        return request
    }

    /// Sends once. A watch reports a failure and continues.
    private func sendOnce(_ request: HTTPRequest, from client: APIClient) async throws(CommandFailure) -> ExitCode {
        do throws(CommandFailure) {
            if !arguments.checks.isEmpty { return try await check(request, from: client) }
            guard let file = try destination(of: request.url) else {
                return try await show(try await send(request, delivery: delivery, from: client))
            }
            return try await save(request, to: file, from: client)
        } catch {
            guard arguments.runs.pause != nil, case .network = error, let message = error.message() else { throw error }
            await command.report(message)
            return error.exitCode
        }
    }

    private func wait(_ pause: Duration) async throws(CommandFailure) {
        do {
            try await command.clock.sleep(for: pause)
        } catch {
            throw .output(.cancelled)
        }
    }

    /// Prints the request that would be sent.
    private func preview(_ builder: RequestBuilder) async throws(CommandFailure) -> ExitCode {
        let endpoint = try await builder.endpoint()
        let real = try command.transport(for: builder.arguments.access)
        let preview = RequestPreview(over: real)
        let open = try builder.open { _ in preview }
        try await CommandFailure.run { () async throws(CommandFailure) in
            let request = try Self.request(endpoint, builder, open.client)
            _ = try await send(request, delivery: .buffered, from: open.client)
            try await command.print(await preview.text(arguments, colors), colors: colors)
        } finally: {
            await open.transport.shutdown(.cancelling)
            await open.login?.end()
        }
        return .success
    }

    private var colors: Colors { arguments.color.colors(for: command.output, command.environment) }

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

    func send(
        _ request: HTTPRequest, delivery: Delivery, from client: APIClient
    ) async throws(CommandFailure) -> HTTPResponse {
        var request = request
        request.delivery = delivery
        let sent = request
        let response = try await CommandFailure.network { () async throws(NetworkError) in try await client.send(sent) }
        if arguments.isVerbose, let status = response.metrics.cacheStatus {
            try? await command.errors.write(Data(HeadText.cached(status).utf8))
        }
        return response
    }

    private func save(
        _ request: HTTPRequest, to file: FileDestination, from client: APIClient
    ) async throws(CommandFailure) -> ExitCode {
        defer { file.discard() }
        let special = try file.openSpecial()
        let response = try await send(request, delivery: special == nil ? file.delivery : .streamed, from: client)
        if special == nil, !response.head.status.isSuccessful {
            let code = try await show(response)
            await command.report("\(file.path) was not written, as HTTP \(response.head.status.code) is not a success")
            return code
        }
        var explanation = Data()
        if let special {
            explanation = try await copy(response, to: special, of: file)
        } else {
            try file.finish()
        }
        if arguments.reportsAsJSON {
            try await print(ResponseReport.report(response, .file(file.path), metrics: metrics(of: response)))
        } else if arguments.includesHead {
            try await printHead(of: response)
        }
        try await printReport(of: response)
        return await exitCode(of: response, explanation)
    }

    /// Writes a body of any status into a device or pipe, which nothing is lost by. Returns the beginning of an error's.
    private func copy(
        _ response: HTTPResponse, to special: StreamDescriptor, of file: FileDestination
    ) async throws(CommandFailure) -> Data {
        let isError = response.head.status.code >= 400
        if isError, arguments.dropsErrorBody { return await beginning(of: response) }
        var beginning = Data()
        var chunks = response.body.makeAsyncIterator()
        let next = { () async throws(NetworkError) in try await chunks.next() }
        while let chunk = try await CommandFailure.network(next) {
            if isError { beginning += chunk.prefix(Self.explanationLimit - beginning.count) }
            try await file.write(chunk, to: special)
        }
        return beginning
    }

    /// Prints a response. The exit code tells whether the server accepted the request.
    func show(_ response: HTTPResponse) async throws(CommandFailure) -> ExitCode {
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
            if arguments.includesHead { try await printHead(of: response) }
            if hidesBody, isError {
                explanation = await beginning(of: response)
            } else {
                let output = ReadOutput(hidesBody ? nil : command.output, limit: isError ? Self.explanationLimit : 0)
                let printer = BodyPrinter(output: output, layout: arguments.layout, colors: colors)
                let notice = try await printer.print(response)
                explanation = output.beginning
                if notice != nil || isError && arguments.report == nil { await endLine(after: output.last) }
                if let notice { await command.report(notice) }
            }
        }
        try await printReport(of: response)
        return await exitCode(of: response, explanation)
    }

    /// Whether the server accepted the request, after a message if it didn't.
    private func exitCode(of response: HTTPResponse, _ explanation: Data) async -> ExitCode {
        guard response.head.status.code >= 400, !arguments.checks.testsStatus else { return .success }
        await command.report("\(NetworkError(response, body: explanation))")
        return .httpStatus
    }

    /// An error must not stand in the body's last line, where both go to one file or pipe.
    private func endLine(after last: UInt8?) async {
        guard let last, last != UInt8(ascii: "\n"), let file = command.output.file, file == command.errors.file else {
            return
        }
        try? await command.errors.write(Data("\n".utf8))
    }

    private func printHead(of response: HTTPResponse) async throws(CommandFailure) {
        try await command.print(HeadText.plain(response, colors: colors), colors: colors)
    }

    /// Prints the text of `-w`.
    private func printReport(of response: HTTPResponse) async throws(CommandFailure) {
        guard let report = arguments.report else { return }
        try await command.print(report.text(response, metrics(of: response), url: arguments.url))
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
        metrics.upgradeCount = response.metrics.upgradeCount
        metrics.cacheStatus = response.metrics.cacheStatus
        return metrics
    }

    private func print(_ json: OrderedJSON) async throws(CommandFailure) {
        let layout: OrderedJSON.Layout = command.output.isTerminal && arguments.layout != .compact ? .pretty : .compact
        try await command.print(json.text(layout, colors: colors) + "\n", colors: colors)
    }
}

/// Passes a body on, and keeps its beginning and its last byte.
private final class ReadOutput: OutputSink {
    private let base: (any OutputSink)?
    private let limit: Int
    private let kept = Mutex((beginning: Data(), last: UInt8?.none))

    /// - Parameter base: `nil` discards what is written.
    init(_ base: (any OutputSink)?, limit: Int) {
        self.base = base
        self.limit = limit
    }

    var isTerminal: Bool { base?.isTerminal ?? false }

    var beginning: Data { kept.withLock(\.beginning) }

    var last: UInt8? { kept.withLock(\.last) }

    func write(_ data: Data) async throws(OutputError) {
        kept.withLock { kept in
            kept.beginning += data.prefix(limit - kept.beginning.count)
            kept.last = data.last ?? kept.last
        }
        try await base?.write(data)
    }
}
