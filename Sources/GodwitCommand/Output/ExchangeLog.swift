import Godwit
import Synchronization

/// Records each request and response at the transport, for `--verbose` and `--timing`.
final class ExchangeLog: Middleware {
    private let state = Mutex<[Exchange]>([])
    private let verbose: (any OutputSink)?

    /// - Parameter verbose: Receives the heads as they pass; `nil` prints nothing.
    init(verbose: (any OutputSink)?) {
        self.verbose = verbose
    }

    var exchanges: [Exchange] { state.withLock(\.self) }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let index = state.withLock { exchanges in
            exchanges.append(Exchange(request: call.request))
            return exchanges.count - 1
        }
        await show(HeadText.verbose(call.request))
        var call = call
        let handler = call.request.options.onEvent
        call.request.options.onEvent = { [self] event in
            handler?(event)
            if case .finished(let metrics) = event { state.withLock { $0[index].metrics = metrics } }
        }
        let response = try await next(call)
        state.withLock { $0[index].head = response.head }
        await show(HeadText.verbose(response))
        return response
    }

    private func show(_ text: @autoclosure () -> String) async {
        // A closed output must not end the exchange.
        try? await verbose?.write(Data(text().utf8))
    }
}

/// The heads of requests and responses as text.
enum HeadText {
    /// The head of a response as the server sent it, for standard output.
    static func plain(_ response: HTTPResponse) -> String {
        statusLine(response) + "\r\n"
            + response.head.fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
    }

    /// The head of a request for `--verbose`, without secrets.
    static func verbose(_ request: HTTPRequest) -> String {
        lines("> ", [request.description] + request.fields.map(\.description))
    }

    /// The head of a response for `--verbose`, without secrets.
    static func verbose(_ response: HTTPResponse) -> String {
        let fields = response.head.fields.map { redacted($0, of: response.request) }
        return lines("< ", [statusLine(response)] + fields)
    }

    private static func statusLine(_ response: HTTPResponse) -> String {
        "\(response.metrics.protocolVersion?.rawValue ?? "HTTP") \(response.head.status)"
    }

    private static func lines(_ mark: String, _ lines: [String]) -> String {
        lines.map { "\(mark)\(TerminalText.safe($0))\n" }.joined() + "\(mark.dropLast())\n"
    }

    /// URLs in fields may contain secrets too; a request's description redacts them.
    private static func redacted(_ field: HTTPField, of request: HTTPRequest) -> String {
        guard [.location, .contentLocation].contains(field.name) else { return field.description }
        guard let url = try? request.url.resolving(field.value) else { return "\(field.name): <redacted>" }
        let target = HTTPRequest(url: url).description.drop { $0 != " " }.dropFirst()
        return "\(field.name): \(target)"
    }
}

/// One exchange of a run, as far as it is known. A redirected request causes several.
struct Exchange: Sendable {
    let request: HTTPRequest
    var head: HTTPResponseHead?
    var metrics: TransferMetrics?
}
