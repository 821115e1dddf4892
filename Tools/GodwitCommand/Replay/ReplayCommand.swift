import Godwit
import GodwitTesting

/// Sends recorded requests to a server, one after another, and prints how its responses differ from the recorded ones.
struct ReplayCommand {
    /// The maximum size of a body in bytes.
    private static let bodyLimit = 64 << 20

    let arguments: ReplayArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        let cassette = try RecordingFile.cassette(arguments.file)
        for reason in cassette.leftOut { await command.report("\(arguments.file): left out \(reason)") }
        let all = cassette.exchanges
        let exchanges = all.filter { arguments.host == nil || $0.request.url.host == arguments.host?.lowercased() }
        guard !exchanges.isEmpty else { throw .file("\(arguments.file) has no exchange to send") }
        let fields = try arguments.fields.headerFields(of: "replay")
        let base = try base()
        let transport = try command.transport(for: arguments.access)
        let client = client(base, over: transport)
        let timeouts = arguments.timeouts
        let sent = exchanges.filter { arguments.sendsAllMethods || $0.request.method.isSafe }
        var differing = 0
        try await CommandFailure.run { () async throws(CommandFailure) in
            for exchange in sent {
                var request = try Self.request(exchange.request, to: base, adding: fields)
                request.options.timeouts = timeouts
                let lines = try await differences(from: exchange, sending: request, by: client)
                differing += lines.isEmpty ? 0 : 1
                try await print(request, lines)
            }
        } finally: {
            await transport.shutdown(.cancelling)
        }
        try await summarize(sent: sent.count, differing: differing, skipped: exchanges.count - sent.count)
        return differing == 0 ? .success : .outdated
    }

    private func summarize(sent: Int, differing: Int, skipped: Int) async throws(CommandFailure) {
        let rest = skipped == 0 ? "" : ", \(skipped) not sent (see --all-methods)"
        try await command.print("\(sent) sent, \(differing) differ\(differing == 1 ? "s" : "")\(rest)\n")
    }

    private func print(_ request: HTTPRequest, _ lines: [String]) async throws(CommandFailure) {
        let text = ["\(request): \(lines.isEmpty ? "same" : "differs")"] + lines.map { "  \($0)" }
        try await command.print(text.map { TerminalText.escaped($0) + "\n" }.joined())
    }

    /// A server that can't be reached ends the command; another failure is a difference.
    private func differences(
        from exchange: RecordedExchange, sending request: HTTPRequest, by client: APIClient
    ) async throws(CommandFailure) -> [String] {
        do throws(NetworkError) {
            let recorded = try await exchange.response.body.collect(upTo: Self.bodyLimit)
            let response = try await client.send(request)
            let body = try await response.body.collect(upTo: Self.bodyLimit)
            return ResponseComparison(
                recorded: (exchange.response.head, recorded), received: (response.head, body),
                ignoring: arguments.ignored
            ).lines
        } catch {
            let ends: Set<ExitCode> = [.unreachable, .interrupted, .usage]
            if ends.contains(ExitCode(error.kind)) { throw .network(error) }
            return ["failed: \(error.description)"]
        }
    }

    /// A client that sends each request once, as it is. Cookies of responses are sent back, as by what was recorded.
    private func client(_ base: HTTPURL, over transport: any HTTPTransport) -> APIClient {
        APIClient(baseURL: base, transport: transport) { configuration in
            configuration.userAgent = "godwit/\(Command.version)"
            configuration.requestIDs = .off
            configuration.retry.maximumAttempts = 1
            configuration.cookies = .memory
            configuration.cache = .off
            configuration.clock = command.clock
            // A user who types http allows it for this host.
            if base.scheme == .http { configuration.plaintextHosts = [base.host] }
        }
    }

    private func base() throws(CommandFailure) -> HTTPURL {
        let url: HTTPURL
        do throws(InvalidURL) {
            url = try HTTPURL(arguments.target)
        } catch {
            throw .usage(UsageError("--against needs a URL: \(error.reason)", command: "replay"))
        }
        guard url.query == nil else {
            throw .usage(UsageError("--against needs a URL without a query", command: "replay"))
        }
        return url
    }

    /// The recorded request on another server. Credentials belong to the recorded one, and are left out.
    private static func request(
        _ recorded: HTTPRequest, to base: HTTPURL, adding fields: HTTPFields
    ) throws(CommandFailure) -> HTTPRequest {
        var root = base.absoluteString
        while root.hasSuffix("/") { root.removeLast() }
        return try CommandFailure.network { () throws(NetworkError) in
            var request = try HTTPRequest(
                method: recorded.method, url: root + recorded.url.target, body: recorded.body,
                delivery: .buffered(limit: bodyLimit))
            for field in recorded.fields
            where !field.name.isSensitive && field.value != "<redacted>" && !skippedNames.contains(field.name) {
                request.fields.append(field)
            }
            for field in fields { request.fields[field.name] = field.value }
            request.options.redirects = .block
            return request
        }
    }

    /// What the client negotiates itself, and what would make the response depend on an earlier one.
    private static let skippedNames: Set<HTTPField.Name> = [
        "Accept-Encoding", "If-None-Match", "If-Modified-Since", "Origin", "Referer", "Cookie", "Proxy-Authorization",
        "User-Agent", "Proxy-Connection",
    ]
}
