import Godwit
import GodwitTesting
import GodwitURLSession
import GodwitURLSessionTesting

enum URLSessionSnippets {
    static func transport() throws -> APIClient {
        // snippet: urlsession-transport
        let transport = try URLSessionTransport {
            $0.maximumConnectionsPerHost = 8
            $0.adjust = { $0.httpAdditionalHeaders = ["X-Lab": "1"] }
        }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport)
        // end
        return api
    }

    static func rules(_ current: String, _ backup: String, _ container: URL, _ password: String) throws
        -> any HTTPTransport
    {
        // snippet: urlsession-rules
        let transport = try URLSessionTransport {
            $0.tls.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
            $0.tls.clientCertificates["bank.example"] = .pkcs12(.file(container), password: password)
        }
        // end
        return transport
    }

    static func stub(_ url: URL, _ clock: TestClock) async throws -> (Data, [MockRequest]) {
        // snippet: urlsession-stub
        let mock = MockTransport(clock: clock) {
            $0.get("/articles/1").reply(.json(["id": 1, "title": "Tides"]))
            $0.get("/flaky").replies([.failure(.timedOut(.inactivity)), .text("at last")])
            $0.get("/slow").reply(.text("late"), after: .seconds(30))
        }
        let stub = URLSessionStub(answeredBy: mock)
        let session = URLSession(configuration: stub.configuration)
        let (data, _) = try await session.data(from: url)
        // end
        return (data, mock.requests)
    }
}
