import GodwitCore
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("V2 download model", .timeLimit(.minutes(15)))
@MainActor
struct DownloadModelTests {
    private let folder = TemporaryFolder()
    private let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    private let clock = TestClock()

    private var file: URL { folder.url.appending(path: "a.bin") }

    /// Answers with the content, the first time at a pace that the test's clock sets.
    private func api(failing failures: Int = 0) -> (APIClient, MockTransport) {
        let calls = Watched(0)
        let mock = MockTransport(clock: clock) { [data] routes in
            routes.get("/a.bin").reply { request in
                let call = calls.update { calls in
                    calls += 1
                    return calls
                }
                if call <= failures { return .status(503) }
                let answer = MockResponse.ranged(data, for: request, etag: "\"v1\"")
                return call == failures + 1 ? answer.throttled(bytesPerSecond: 100_000) : answer
            }
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 }
        return (api, mock)
    }

    private func model(_ api: APIClient) -> DownloadModel {
        DownloadModel(api, Endpoint<Void>.get("a.bin"), to: file) { $0.progressInterval = .zero }
    }

    /// Waits for the first content, with one step of the clock: the rest cannot come meanwhile.
    private func receiveSome(_ model: DownloadModel) async throws {
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        await until { (model.progress?.completed ?? 0) > 0 }
    }

    /// Moves the clock until the condition holds.
    private func advance(until condition: () -> Bool) async throws {
        while !condition() {
            clock.advanceToNextSleeper()
            await Task.yield()
        }
    }

    @Test("V2 a download shows how far it is, and at last its file")
    func downloads() async throws {
        let (api, _) = api()
        let model = model(api)
        #expect("\(model.state)" == "idle")
        model.start()
        #expect(model.isRunning)
        try await advance { (model.progress?.completed ?? 0) > 0 }
        #expect(model.progress?.total == 200_000)
        try await advance { !model.isRunning }
        guard case .finished(let url) = model.state else {
            Issue.record("it is \(model.state)")
            return
        }
        #expect(try Data(contentsOf: url) == data)
        #expect(model.progress?.fraction == 1)
        model.start()
        #expect(!model.isRunning)
    }

    @Test("V2 a paused download continues where it was, also by a model of another process")
    func pauses() async throws {
        let (api, mock) = api()
        let first = model(api)
        first.start()
        try await receiveSome(first)
        await first.pause()
        guard case .paused(let ticket) = first.state else {
            Issue.record("it is \(first.state)")
            return
        }
        #expect(ticket.offset > 0)
        #expect(first.progress != nil)
        let second = DownloadModel(api, resuming: ticket)
        second.start()
        await until { !second.isRunning }
        guard case .finished = second.state else {
            Issue.record("it is \(second.state)")
            return
        }
        #expect(try Data(contentsOf: file) == data)
        #expect(mock.requests.last?.fields[.range] == "bytes=\(ticket.offset)-")
    }

    @Test("V2 a failure is reported, and starting again succeeds")
    func fails() async throws {
        let (api, mock) = api(failing: 1)
        let model = model(api)
        model.start()
        await until { !model.isRunning }
        #expect(model.error?.kind == .server(status: 503))
        model.start()
        #expect(model.error == nil)
        try await advance { !model.isRunning }
        #expect(model.error == nil)
        #expect(mock.requestCount == 2)
        #expect(try Data(contentsOf: file) == data)
    }

    @Test("V2 cancel throws away what was received, silently; nothing starts twice")
    func cancels() async throws {
        let (api, mock) = api()
        let model = model(api)
        model.start()
        model.start()
        try await receiveSome(model)
        model.cancel()
        #expect("\(model.state)" == "idle")
        #expect(model.progress == nil)
        try await mock.waitUntilExchangesEnd()
        for _ in 0..<100 { await Task.yield() }
        #expect("\(model.state)" == "idle")
        #expect(mock.requestCount == 1)
        await model.pause()
        #expect("\(model.state)" == "idle")
    }
}
