import GodwitCore
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("V2 A6 downloads of a former account", .timeLimit(.minutes(15)))
@MainActor
struct DownloadAccountTests {
    private let folder: TemporaryFolder
    private let clock = TestClock()
    private let mock: MockTransport
    private let api: APIClient

    init() throws {
        folder = TemporaryFolder()
        let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let mock = MockTransport(clock: clock) { routes in
            routes.get("/a.bin").reply { .ranged(data, for: $0, etag: "\"v1\"").throttled(bytesPerSecond: 100_000) }
        }
        self.mock = mock
        api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = 1
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
    }

    /// A download that was paused after its first bytes.
    private func paused() async throws -> (DownloadModel, DownloadTicket) {
        let model = DownloadModel(api, Endpoint<Void>.get("a.bin"), to: folder.url.appending(path: "a.bin")) {
            $0.progressInterval = .zero
        }
        model.start()
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        await until { (model.progress?.completed ?? 0) > 0 }
        await model.pause()
        guard case .paused(let ticket) = model.state else { throw NetworkError(.cancelled, phase: .receiving) }
        return (model, ticket)
    }

    private func hasPart(_ ticket: DownloadTicket) -> Bool {
        FileManager.default.fileExists(atPath: ticket.partialFile.path)
    }

    @Test("V2 A6 a model of a ticket doesn't resume for the next account, and what was received is discarded")
    func ticket() async throws {
        let (_, ticket) = try await paused()
        let model = DownloadModel(api, resuming: ticket)
        #expect(hasPart(ticket))
        try await api.signIn(AccessToken(access: "bob"))
        #expect("\(model.state)" == "idle" && !hasPart(ticket))
        let count = mock.requestCount
        for _ in 1...2 {
            model.start()
            #expect(model.error?.kind == .cancelled && model.error?.underlying is AccountChanged)
        }
        #expect(mock.requestCount == count && !model.isRunning)
    }

    @Test("V2 A6 what a paused download has received is discarded when the account changes; the next one starts over")
    func pausedDownload() async throws {
        let (model, ticket) = try await paused()
        try await api.signOut()
        #expect("\(model.state)" == "idle" && model.progress == nil && !hasPart(ticket))
        try await api.signIn(AccessToken(access: "bob"))
        model.start()
        #expect(model.isRunning)
        while model.isRunning {
            clock.advanceToNextSleeper()
            await Task.yield()
        }
        #expect(mock.requests.last?.fields[.range] == nil)
        guard case .finished(let file) = model.state else { return #expect(Bool(false), "\(model.state)") }
        try await api.signOut()
        #expect("\(model.state)" == "idle" && FileManager.default.fileExists(atPath: file.path))
    }

    @Test("V2 cancel discards what a paused download has received, also one of a ticket")
    func cancels() async throws {
        let (model, ticket) = try await paused()
        model.cancel()
        #expect("\(model.state)" == "idle" && model.progress == nil && !hasPart(ticket))
        let (_, second) = try await paused()
        let resumed = DownloadModel(api, resuming: second)
        resumed.cancel()
        #expect("\(resumed.state)" == "idle" && !hasPart(second))
    }
}
