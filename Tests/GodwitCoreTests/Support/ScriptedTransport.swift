import GodwitCore
import Synchronization

/// A transport whose answers are a closure; keeps the contract on fields, and what it was asked to send.
final class ScriptedTransport: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) async throws(NetworkError) -> HTTPResponse

    private let answer: Answer
    private let sent = Mutex<[HTTPRequest]>([])
    private let mode = Mutex<ShutdownMode?>(nil)

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Answers everything with one response.
    convenience init(_ status: Int = 200, _ body: String = "", _ fields: HTTPFields = [:]) {
        self.init { request throws(NetworkError) in .reply(to: request, status, body, fields) }
    }

    /// Answers with one response after the other; the last one again and again.
    convenience init(_ responses: [@Sendable (HTTPRequest) -> HTTPResponse]) {
        let next = Atomic(0)
        self.init { request throws(NetworkError) in
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            return responses[min(index, responses.count - 1)](request)
        }
    }

    var requests: [HTTPRequest] { sent.withLock { $0 } }
    var shutdownMode: ShutdownMode? { mode.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if let fault = request.fieldFault { throw NetworkError(fault, phase: .building, request: request) }
        sent.withLock { $0.append(request) }
        return try await answer(request)
    }

    func shutdown(_ mode: ShutdownMode) async {
        self.mode.withLock { $0 = mode }
    }
}

extension HTTPResponse {
    /// A buffered response.
    static func reply(
        to request: HTTPRequest, _ status: Int = 200, _ body: String = "", _ fields: HTTPFields = [:]
    ) -> HTTPResponse {
        HTTPResponse(
            head: HTTPResponseHead(status: HTTPStatus(status) ?? .internalServerError, fields: fields),
            body: .bytes(Data(body.utf8)), request: request)
    }

    /// A redirect.
    static func redirect(
        of request: HTTPRequest, _ status: Int = 302, to location: String
    ) -> HTTPResponse {
        reply(to: request, status, "moved", [.location: location])
    }
}

extension HTTPBody {
    /// All of it as text.
    func text() async throws(NetworkError) -> String {
        String(decoding: try await collect(upTo: .max), as: UTF8.self)
    }
}
