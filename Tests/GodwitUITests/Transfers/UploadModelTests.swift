import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V2 upload model", .timeLimit(.minutes(15)))
@MainActor
struct UploadModelTests {
    private let gate = Gate()

    private func api() -> (APIClient, MockTransport) {
        let mock = MockTransport { [gate] request in
            let number = try await gate.pass()
            return number == 2 ? .status(503) : .text("\(request.bodyByteCount) bytes")
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 }
        return (api, mock)
    }

    @Test("V2 an upload shows what was sent, then what the server says; a second start does nothing meanwhile")
    func uploads() async throws {
        let (api, mock) = api()
        let model = UploadModel(api, Endpoint<String>.put("avatar"))
        model.start(.data(Data(repeating: 1, count: 70_000)))
        model.start(.data(Data()))
        #expect(model.isRunning)
        try await gate.waitForBeginning(of: 1)
        gate.open(1)
        await until { !model.isRunning }
        #expect(model.progress?.completed == 70_000)
        #expect(model.progress?.fraction == 1)
        #expect(model.state.value == "70000 bytes")
        #expect(mock.requestCount == 1)
    }

    @Test("V2 a failed upload keeps the last value; a canceled one is silent")
    func failsAndCancels() async throws {
        let (api, mock) = api()
        let model = UploadModel(api, Endpoint<String>.put("avatar"))
        gate.open(1)
        gate.open(2)
        model.start(.data(Data("a".utf8)))
        await until { !model.isRunning }
        model.start(.data(Data("b".utf8)))
        await until { !model.isRunning }
        #expect(model.error?.kind == .server(status: 503))
        #expect(model.state.value == "1 bytes")
        model.start(.data(Data("c".utf8)))
        try await gate.waitForBeginning(of: 3)
        model.cancel()
        #expect("\(model.state)" == "loaded(\"1 bytes\")")
        #expect(model.progress == nil)
        try await mock.waitUntilExchangesEnd()
        #expect(model.error == nil)
    }
}
