import Godwit
import GodwitSupport

/// Sends the requests of one file in order.
struct FileRun {
    /// The maximum bytes of a response body.
    private static let bodyLimit = 64 << 20

    let file: RequestFile
    let arguments: RunArguments
    let command: Command
    let transport: any HTTPTransport
    let jar: CookieJar
    let redactor: Redactor

    private var root: FileRoot {
        let folder = URL(filePath: file.source.name).deletingLastPathComponent().path
        return FileRoot(arguments.fileRoot ?? folder)
    }

    func run(_ initial: Variables) async -> FileResult {
        var result = FileResult(source: file.source)
        var variables = initial
        for (index, entry) in file.entries.enumerated() {
            await Redactor.$current.withValue(redactor) {
                await run(entry, number: index + 1, &variables, &result)
            }
            result.isInterrupted = Task.isCancelled
            let stops = result.isInterrupted || !arguments.continuesOnError && !result.hasPassed
            if stops {
                result.unsentCount = file.entries.count - index - 1
                break
            }
        }
        return result
    }

    private func run(
        _ entry: RequestEntry, number: Int, _ variables: inout Variables, _ result: inout FileResult
    ) async {
        let title = "\(entry.method) \(entry.url.literal ?? "…")"
        var outcome = EntryResult(number: number, title: title, offset: entry.offset)
        var options = EntryOptions(
            redirects: arguments.request.redirects, timeouts: arguments.request.timeouts,
            retries: arguments.request.retries, retryInterval: arguments.retryInterval)
        do throws(CheckFailure) {
            try options.apply(entry.options, &variables)
        } catch {
            outcome.failures = [error]
            result.entries.append(outcome)
            return
        }
        if options.isSkipped || options.repetitions == 0 {
            outcome.isSkipped = true
            result.entries.append(outcome)
            return
        }
        for _ in 0..<options.repetitions {
            let sent = await attempts(of: entry, options, outcome, &variables)
            result.entries.append(sent)
            if !sent.hasPassed || Task.isCancelled { return }
        }
    }

    /// Sends a request until it passes or its retries are used up.
    private func attempts(
        of entry: RequestEntry, _ options: EntryOptions, _ start: EntryResult, _ variables: inout Variables
    ) async -> EntryResult {
        await sleep(options.delay)
        var result = start
        for attempt in 0...options.retries {
            if attempt > 0 { await sleep(options.retryInterval) }
            if Task.isCancelled { return result }
            var changed = variables
            result = start
            result.attempts = attempt + 1
            await send(entry, options, &result, &changed)
            if result.hasPassed {
                variables = changed
                return result
            }
        }
        return result
    }

    private func sleep(_ duration: Duration) async {
        // Cancellation ends the pause, and the caller checks for it.
        if duration > .zero { try? await command.clock.sleep(for: duration) }
    }

    private func send(
        _ entry: RequestEntry, _ options: EntryOptions, _ result: inout EntryResult, _ variables: inout Variables
    ) async {
        let builder = EntryRequest(entry: entry, variables: variables, root: root)
        let sent: Result<CheckedResponse, CommandFailure>
        do throws(CheckFault) {
            let url = try builder.url()
            result.title = "\(entry.method) \(url)"
            sent = await send(try builder.endpoint(user: options.user), to: url, builder, options)
        } catch {
            result.failures = [CheckFailure(offset: entry.offset, message: error.message)]
            return
        }
        switch sent {
        case .failure(.network(let error)): result.error = error
        case .failure(let failure):
            let message = failure.message() ?? "the request was interrupted"
            result.failures = [CheckFailure(offset: entry.offset, message: message)]
        case .success(let response):
            result.status = response.status
            result.duration = .milliseconds(response.milliseconds)
            guard let expected = entry.response else { return }
            let checks = ResponseChecks(expected: expected, response: response, root: root)
            result.failures = checks.failures(&variables, redactor)
        }
    }

    private func send(
        _ endpoint: Endpoint<Data>, to url: String, _ builder: EntryRequest, _ options: EntryOptions
    ) async -> Result<CheckedResponse, CommandFailure> {
        var request = arguments.request
        request.url = url
        request.redirects = options.redirects
        request.timeouts = options.timeouts
        // This run retries by itself: a client would not repeat a POST.
        request.retries = 0
        let log = ExchangeLog(
            verbose: request.isVerbose ? RedactedOutput(output: command.errors, redactor: redactor) : nil)
        return await Result.catching { () async throws(CommandFailure) in
            let client = try RequestBuilder(arguments: request, of: command).client(
                over: transport, Observation(log, of: command), jar: jar)
            defer { client.hstsStore?.saveAtEnd() }
            return try await exchange(endpoint, client, log, builder)
        }
    }

    private func exchange(
        _ endpoint: Endpoint<Data>, _ client: APIClient, _ log: ExchangeLog, _ builder: EntryRequest
    ) async throws(CommandFailure) -> CheckedResponse {
        try await CommandFailure.network { () async throws(NetworkError) in
            var request = try client.request(for: endpoint)
            if !builder.hasBodyType, !builder.namesContentType { request.fields.remove(.contentType) }
            request.delivery = .buffered(limit: Self.bodyLimit)
            let response = try await client.send(request)
            let body = try await response.body.collect(upTo: Self.bodyLimit)
            let duration = log.exchanges.compactMap { $0.metrics?.total }.reduce(.zero, +)
            return CheckedResponse(response, body: body, duration: duration)
        }
    }
}
