import Godwit
import GodwitTesting
import PeerSupport
import Testing

/// Where a client's credentials go, by what reaches the servers and what would leave the machine.
@Suite("Contract: credentials stay with their origin", .timeLimit(.minutes(15)))
struct CredentialTravelTests {
    /// Another origin than `http://127.0.0.1:PORT`, by one of its three parts.
    enum Target: String, CaseIterable, Sendable, Codable {
        case path, port, host, scheme

        func location(from own: MockServer, _ other: MockServer) -> String {
            switch self {
            case .path: "/there"
            case .port: "\(other.url)there"
            case .host: "http://localhost:\(own.url.port)/there"
            case .scheme: "https://127.0.0.1:\(own.url.port)/there"
            }
        }
    }

    /// Keeps each request as the transport gets it.
    private struct Recorder: Middleware {
        let requests = Watched<[HTTPRequest]>([])

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            requests.update { $0.append(call.request) }
            return try await next(call)
        }
    }

    private static let credentials: [(String, Credential)] = [
        ("bearer", .bearer("top-secret")), ("basic", .basic(user: "bird", password: "top-secret")),
        ("field", .apiKey("top-secret", field: "X-Service-Credential")),
        ("query", .apiKey("top-secret", queryItem: "apiKey")),
    ]

    @Test(
        "A1 T6 a redirect takes credentials along within the origin alone: status by what changes",
        arguments: [301, 302, 303, 307, 308], Target.allCases)
    func travel(_ status: Int, _ target: Target) async throws {
        let subject = Subject.sockets
        for (name, credential) in Self.credentials {
            let other = try await MockServer { $0.any("*").reply(.text("other")) }
            let location = Watched("")
            let own = try await MockServer { route in
                route.any("/here").reply { _ in .redirect(to: location.value, status: HTTPStatus(status) ?? .found) }
                route.any("/there").reply(.text("own"))
            }
            location.update { $0 = target.location(from: own, other) }
            let recorder = Recorder()
            let api = APIClient(baseURL: own.url, transport: try subject.make()) {
                $0.authentication = .credential(credential)
                $0.attemptMiddleware = [recorder]
                $0.retry.maximumAttempts = 1
            }
            for method in [HTTPMethod.get, .post] {
                recorder.requests.update { $0 = [] }
                _ = await api.result(of: Endpoint<Void>(method: method, path: "here", accept: "*/*") { _, _, _ in })
                let carried = recorder.requests.value.map(Self.carriesSecret)
                // The query of a redirect is the server's to choose.
                let goesAlong = target == .path && name != "query"
                #expect(carried == [true, goesAlong], "\(name) \(method) \(status) \(target)")
            }
            #expect(other.requests.allSatisfy { !Self.carriesSecret($0) }, "\(name) \(status)")
            await api.shutdown(.finishing)
        }
    }

    private static func carriesSecret(_ request: HTTPRequest) -> Bool {
        holdsSecret(request.url.absoluteString + request.fields.map { " \($0.value)" }.joined())
    }

    private static func carriesSecret(_ request: MockRequest) -> Bool {
        holdsSecret(request.target + request.fields.map { " \($0.value)" }.joined())
    }

    private static func holdsSecret(_ text: String) -> Bool {
        text.contains("top-secret") || text.contains(Data("bird:top-secret".utf8).base64EncodedString())
    }
}
