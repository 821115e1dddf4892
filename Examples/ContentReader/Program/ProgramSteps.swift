import ContentReaderKit
import Godwit
import GodwitBackground
import GodwitTesting

/// The steps of the tour that need another program or the testing kit, which an app doesn't contain.
enum ProgramSteps {
    static let all = [background, mockServer, cassette, testClock]

    private static let background = TourStep(name: "background") { api in
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let session = BackgroundSession(identifier: "tour") {
            $0.directory = folder.appending(path: "state")
            $0.idleTime = .seconds(1)
        }
        let job = try await session.download(api.request(for: Endpoint<Void>.get("files/guide")), to: folder)
        for try await event in session.events where event.job == job {
            try await session.acknowledge(event)
            guard case .downloaded(let file) = event.outcome else {
                throw Deviation(description: "\(event.outcome)")
            }
            let size = try Data(contentsOf: file).count
            try expect(size == 2 << 20, "the file has \(size) bytes")
            break
        }
        return "another process, godwit-transferd, downloaded 2 MiB and kept the result"
    }

    private static let mockServer = TourStep(name: "mock server") { _ in
        let server = try await MockServer { route in
            route.get("/tides").replies([
                .bytes(Data(count: 5000)).reset(after: .bytes(1000)), .status(.tooManyRequests), .json(["high": 6.5]),
            ])
        }
        let api = APIClient(baseURL: server.url) {
            $0.retry.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(1))
        }
        let high = try await api.send(Endpoint<[String: Double]>.get("tides"))["high"]
        let count = server.requests.count
        await server.stop()
        try expect(high == 6.5 && count == 3, "\(count) requests, and \(high as Any)")
        return "a connection reset after 1000 bytes, a 429, then the answer: 3 attempts of one call"
    }

    private static let cassette = TourStep(name: "cassette") { api in
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, base) = (folder.appending(path: "article.json"), try api.request(for: Endpoint<Void>.get("")).url)
        let recorder = try Cassette(at: file, mode: .record)
        let online = APIClient(baseURL: base, preset: .content) { $0.attemptMiddleware.append(recorder) }
        let recorded = try await online.send(.articles(perPage: 1)).items
        let player = try Cassette(at: file)
        let nothing = MockTransport { $0.any("*").optional().fail(.offline(.noPath)) }
        let offline = APIClient(baseURL: base, transport: nothing) {
            $0.json = api.configuration.json
            $0.attemptMiddleware.append(player)
        }
        let played = try await offline.send(.articles(perPage: 1)).items
        try expect(played == recorded, "played \(played)")
        return "a call is recorded to a file, and answered from there without a network"
    }

    private static let testClock = TourStep(name: "test clock") { _ in
        let mock = MockTransport {
            $0.get("/tides").replies([
                MockResponse(status: .serviceUnavailable, fields: [.retryAfter: "30"]), .json(["high": 6.5]),
            ])
        }
        let (clock, start) = (TestClock(), ContinuousClock.now)
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.clock = clock }
        let call = Task { try await api.send(Endpoint<[String: Double]>.get("tides")) }
        let pause = try await clock.nextSleep()
        clock.advance(by: pause)
        _ = try await call.value
        let passed = ContinuousClock.now - start
        return "a retry after \(pause.components.seconds) s, tested in \(passed.short)"
    }

    private static func temporaryFolder() throws(Deviation) -> URL {
        guard let folder = ContentReaderProgram.temporaryFolder() else {
            throw Deviation(description: "can't make a temporary folder")
        }
        return folder
    }
}
