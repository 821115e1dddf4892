#if OpenAPI
import Godwit
import GodwitOpenAPI
import GodwitTesting
import HTTPTypes
import OpenAPIRuntime
import Testing

/// Middlewares of swift-openapi-runtime in a Godwit client.
@Suite("Middlewares of swift-openapi-runtime")
struct MiddlewareTests {
    /// Signs what it sees.
    private struct Signing: ClientMiddleware {
        func intercept(
            _ request: HTTPTypes.HTTPRequest, body: OpenAPIRuntime.HTTPBody?, baseURL: URL, operationID: String,
            next:
                @Sendable (HTTPTypes.HTTPRequest, OpenAPIRuntime.HTTPBody?, URL) async throws -> (
                    HTTPTypes.HTTPResponse, OpenAPIRuntime.HTTPBody?
                )
        ) async throws -> (HTTPTypes.HTTPResponse, OpenAPIRuntime.HTTPBody?) {
            var signed = request
            if let name = HTTPTypes.HTTPField.Name("X-Signature") {
                signed.headerFields[name] = "\(request.method) \(baseURL)\(request.path ?? "") \(operationID)"
            }
            var (response, body) = try await next(signed, body, baseURL)
            response.headerFields[.server] = "checked"
            return (response, body)
        }
    }

    /// Fails, or answers itself.
    private struct Answering: ClientMiddleware {
        struct Refused: Error {}
        let body: OpenAPIRuntime.HTTPBody?

        func intercept(
            _ request: HTTPTypes.HTTPRequest, body: OpenAPIRuntime.HTTPBody?, baseURL: URL, operationID: String,
            next:
                @Sendable (HTTPTypes.HTTPRequest, OpenAPIRuntime.HTTPBody?, URL) async throws -> (
                    HTTPTypes.HTTPResponse, OpenAPIRuntime.HTTPBody?
                )
        ) async throws -> (HTTPTypes.HTTPResponse, OpenAPIRuntime.HTTPBody?) {
            guard let own = self.body else { throw Refused() }
            return (HTTPTypes.HTTPResponse(status: .accepted), own)
        }
    }

    @Test("I2 one in a Godwit client sees each attempt, changes request and response, and keeps body and metrics")
    func attempts() async throws {
        let mock = MockTransport { $0.put("/v1/birds").replies([.status(503), .text("sent")]) }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock) {
            $0.attemptMiddleware.append(ClientMiddlewareBridge(Signing()))
            $0.clock = ImmediateClock()
        }
        var request = GodwitCoreRequest(
            method: .put, url: try HTTPURL("https://api.example.com/v1/birds?a=1"), body: "bird")
        request.options.operationID = "createBird"
        let response = try await api.send(request)
        #expect(response.head.fields[.server] == "checked")
        #expect(response.metrics.attempt == 2)
        #expect(try await response.body.collect(upTo: 100) == Data("sent".utf8))
        let signature = "PUT https://api.example.com/v1/birds?a=1 createBird"
        #expect(mock.requests.map { $0.fields["X-Signature"] } == [signature, signature])
        #expect(mock.requests.map(\.text) == ["bird", "bird"])
    }

    @Test("I2 one that answers itself sends nothing, and one that throws is .invalidRequest with its error")
    func answers() async throws {
        let mock = MockTransport { $0.any("*").optional().reply(.text("x")) }
        let transport = Chain([ClientMiddlewareBridge(Answering(body: "own"))], over: mock)
        let request = GodwitCoreRequest(url: try HTTPURL("https://api.example.com/"))
        let response = try await transport.send(request)
        #expect(response.head.status == .accepted)
        #expect(try await response.body.collect(upTo: 100) == Data("own".utf8))
        let refusing = Chain([ClientMiddlewareBridge(Answering(body: nil))], over: mock)
        let error = try await #require(throws: NetworkError.self) { _ = try await refusing.send(request) }
        #expect(error.underlying is Answering.Refused)
        #expect(mock.requestCount == 0)
    }

    private typealias GodwitCoreRequest = Godwit.HTTPRequest
}
#endif
