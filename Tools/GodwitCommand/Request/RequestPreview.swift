import Godwit
import Synchronization

/// Keeps the request that would be sent, with all that the client adds, and answers it itself.
final class RequestPreview: HTTPTransport {
    private let transport: any HTTPTransport
    private let kept = Mutex<HTTPRequest?>(nil)

    /// - Parameter transport: The transport that would send the request, and knows what it would add.
    init(over transport: any HTTPTransport) {
        self.transport = transport
    }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        kept.withLock { $0 = request }
        return HTTPResponse(head: HTTPResponseHead(status: .noContent), request: request)
    }

    func forwardsLoopback(_ origin: Origin) -> Bool { transport.forwardsLoopback(origin) }

    func shutdown(_ mode: ShutdownMode) async {
        await transport.shutdown(mode)
    }

    /// The request as text: as it would be sent over HTTP/1.1, or as a curl command.
    func text(_ arguments: RequestArguments, _ colors: Colors) async -> String {
        guard let request = kept.withLock(\.self) else { return "" }
        if arguments.printing == .curl {
            return request.curlCommand(secrets: arguments.showsSecrets ? .shown : .hidden) + "\n"
        }
        let target = arguments.showsSecrets ? Self.target(of: request) : HeadText.target(of: request)
        var text = "\(request.method) \(target) HTTP/1.1\r\n"
        for field in Array(transport.addedFields(for: request)) + Array(request.fields) {
            let line = arguments.showsSecrets ? "\(field.name): \(field.value)" : field.description
            text += colors.field(field.name.rawName, String(line.dropFirst(field.name.rawName.count + 2))) + "\r\n"
        }
        text += "\r\n"
        guard let body = request.body else { return text }
        let isReadable =
            arguments.showsSecrets && body.isReplayable && body.length.map { $0 <= PrintedBody.limit } == true
        if isReadable, let data = try? await body.collect(upTo: PrintedBody.limit),
            let shown = String(validating: data, as: UTF8.self)
        {
            return text + (colors == .none ? shown : TerminalText.escapedLines(shown)) + "\n"
        }
        return text + (await PrintedBody.shown(body, of: request)) + "\n"
    }

    private static func target(of request: HTTPRequest) -> String {
        String(request.url.absoluteString.dropFirst(request.url.origin.description.count))
    }
}
