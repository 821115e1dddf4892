import Godwit
import GodwitSigning
import GodwitTesting
import GodwitWire
import Testing

@Suite("AWS signatures of requests")
struct AWSSigningTests {
    private static let credentials = AWSCredentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: "hidden-1", sessionToken: "hidden-2")
    private static let signer = AWSSigner(service: "s3", region: "us-east-1") { credentials }

    @Test("A8 S6 no log, error or request of a response shows the session token")
    func secrecy() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("the token hidden-2 has expired", status: .badRequest)) }
        let lines = Watched<[String]>([])
        let api = APIClient(baseURL: "https://a.example", transport: mock) {
            $0.attemptMiddleware.append(AWSSigning(Self.signer, for: "https://a.example"))
            $0.logging.level = .bodies
            $0.logging.destination = { line in lines.update { $0.append(line) } }
        }
        let error = await #expect(throws: NetworkError.self) { try await api.send(Endpoint<JSONValue>.get("x")) }
        #expect(mock.requests.first?.fields["X-Amz-Security-Token"] == "hidden-2")
        #expect(error?.request?.fields["X-Amz-Security-Token"] == "redacted")
        var text = lines.value.joined() + "\(error as Any)"
        dump(error, to: &text)
        #expect(!lines.value.isEmpty && !text.contains("hidden"))
    }

    @Test("A8 a request with an authorization of its own isn't signed")
    func own() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("fine")) }
        let chain = Chain([AWSSigning(Self.signer, for: "https://a.example")], over: mock)
        _ = try await chain.send(try HTTPRequest(url: "https://a.example/", fields: [.authorization: "Bearer t"]))
        #expect(mock.requests.first?.fields[.authorization] == "Bearer t")
        #expect(mock.requests.first?.fields["X-Amz-Date"] == nil)
    }

    private struct Locked: Error {}

    @Test("A8 an error of the credentials reaches the caller, and nothing is sent")
    func credentialErrors() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("fine")) }
        let own = NetworkError(.timedOut(.total), phase: .middleware)
        for (thrown, kind) in [
            (Locked(), .unauthorized), (CancellationError(), .cancelled), (own, own.kind),
        ] as [(any Error, NetworkError.Kind)] {
            let signer = AWSSigner(service: "s3", region: "us-east-1") { throw thrown }
            let error = await #expect(throws: NetworkError.self) {
                try await Chain([AWSSigning(signer, for: "https://a.example")], over: mock).send(
                    HTTPRequest(url: "https://a.example/"))
            }
            #expect(error?.kind == kind)
            #expect(error?.request != nil)
        }
        #expect(mock.requestCount == 0)
    }

    @Test(
        "A8 a refusal is repeated only if the clocks differ by more than 5 minutes, and the body can be sent again",
        arguments: [
            (299.0, false, 1), (301.0, false, 2), (-301.0, false, 2), (301.0, true, 1), (31_536_000.0, false, 2),
        ])
    func skew(seconds: Double, isOnce: Bool, count: Int) async throws {
        let now = Date(timeIntervalSince1970: 1_440_938_160)
        let mock = MockTransport {
            $0.any("*").reply(
                .status(.forbidden).field(.date, HTTPDate.format(now.addingTimeInterval(seconds))))
        }
        let signer = AWSSigner(service: "s3", region: "us-east-1", payload: .unsigned, now: { now }) {
            Self.credentials
        }
        let body: HTTPBody? = isOnce ? .stream(once: AsyncStream<Data> { $0.finish() }) : nil
        let request = HTTPRequest(method: .put, url: try HTTPURL("https://a.example/"), body: body)
        let response = try await Chain([AWSSigning(signer, for: "https://a.example")], over: mock).send(request)
        #expect(response.head.status == .forbidden)
        #expect(mock.requestCount == count)
        #expect(response.metrics.attempt == count)
    }
}
