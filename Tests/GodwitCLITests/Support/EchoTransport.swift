import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport

/// Answers each request with a fixed body, and with what was sent as header fields.
struct EchoTransport: HTTPTransport {
    /// As a reply: the body that was sent.
    static let sentBody = "sent body"

    let reply: String

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let body = try await request.body?.collect(upTo: 1 << 20) ?? Data()
        var head = HTTPResponseHead(status: .ok)
        head.fields["X-Body"] = body.map { String($0, radix: 16) }.joined(separator: "-")
        head.fields["X-Type"] = request.fields[.contentType] ?? "-"
        let text = reply == Self.sentBody ? body : Data(reply.utf8)
        return HTTPResponse(head: head, body: .bytes(text), request: request)
    }

    /// Runs a request file over this transport. No pause takes time.
    static func run(
        _ text: String, in folder: TemporaryFolder, reply: String, _ arguments: [String] = []
    ) async throws -> Run {
        let file = try folder.write(text, to: "a.hurl")
        let (output, errors) = (CapturedOutput(), CapturedOutput())
        var command = Command(input: ScriptedInput([]), output: output, errors: errors, environment: [:]) { _ in
            EchoTransport(reply: reply)
        }
        command.clock = ImmediateClock()
        let code = await command.run(["run", file] + arguments)
        return Run(code: code, output: output.text, errors: errors.text)
    }
}
