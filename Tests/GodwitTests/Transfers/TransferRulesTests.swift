import Godwit
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

@Suite("B5 B7 rules for transfers", .timeLimit(.minutes(15)))
struct TransferRulesTests {
    private let folder = TemporaryFolder()
    private let content = Content(400_000)

    private func slowServer() async throws -> MockServer {
        try await MockServer { [content] route in
            route.get("/a").reply { request in
                request.fields.contains(.range)
                    ? content.answer(request) : content.answer(request).throttled(bytesPerSecond: 300_000)
            }
        }
    }

    private func paused(
        _ server: MockServer, _ change: @escaping @Sendable (inout RequestOptions) -> Void
    ) async throws -> DownloadTicket {
        let download = APIClient.eager(server).download(
            Endpoint<Void>.get("a").options(change), to: folder.path("a"))
        await download.reach(50_000)
        return try await download.pause()
    }

    /// The ticket as another process reads it.
    private func travelled(_ ticket: DownloadTicket) throws -> DownloadTicket {
        let read = try JSONDecoder().decode(DownloadTicket.self, from: try JSONEncoder().encode(ticket))
        #expect(read == ticket)
        return read
    }

    /// Sees the options of each request.
    private struct Seen: Middleware {
        let options = Watched<[RequestOptions]>([])

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            options.update { $0.append(call.request.options) }
            return try await next(call)
        }
    }

    @Test("B7 a resumed download keeps the networks, timeouts, limits and rules of its endpoint")
    func options() async throws {
        let server = try await slowServer()
        let ticket = try travelled(
            try await paused(server) {
                $0.allowedNetworks = [.constrained]
                $0.connectivity = .wait(upTo: .seconds(7))
                $0.timeouts.connect = .seconds(3)
                $0.timeouts.inactivity = .seconds(4)
                $0.timeouts.total = .seconds(500)
                $0.responseLimit.decoded = 500_000
                $0.redirects = .followUp(to: 2)
                $0.retry = .attempts(7)
                $0.cookies = .off
                $0.authentication = .none
                $0.priority = .low
                $0.acceptedStatuses = [299]
            })
        let seen = Seen()
        let api = APIClient.eager(server) {
            $0.middleware = [seen]
            $0.timeouts.total = .milliseconds(1)
        }
        #expect(try await Data(contentsOf: api.resume(ticket).file) == content.data)
        let options = try #require(seen.options.value.first)
        #expect(options.allowedNetworks == [.constrained] && options.connectivity == .wait(upTo: .seconds(7)))
        #expect(options.timeouts.connect == .seconds(3) && options.timeouts.inactivity == .seconds(4))
        #expect(options.timeouts.total == .seconds(500) && options.responseLimit.decoded == 500_000)
        guard case .followUp(2) = options.redirects else { Issue.record("\(options.redirects)"); return }
        #expect(options.retry == .attempts(7) && options.cookies == .off && options.authentication == .none)
        #expect(options.priority == .low && options.acceptedStatuses.contains(299))
    }

    @Test("B7 other options are those of the client that resumes, and the caller may change them")
    func clientOptions() async throws {
        let server = try await slowServer()
        let ticket = try travelled(try await paused(server) { $0.allowedNetworks = [] })
        let seen = Seen()
        let api = APIClient.eager(server) {
            $0.middleware = [seen]
            $0.timeouts.connect = .seconds(9)
            $0.options.priority = .high
        }
        let download = api.resume(ticket) { $0.allowedNetworks = .all }
        #expect(try await Data(contentsOf: download.file) == content.data)
        let options = try #require(seen.options.value.first)
        #expect(options.allowedNetworks == .all && options.timeouts.connect == .seconds(9) && options.priority == .high)
        #expect(options.timeouts.total == nil)
    }

    @Test("B7 a redirect closure is not saved: without it, redirects are blocked")
    func redirectClosure() async throws {
        let server = try await MockServer { [content] route in
            route.get("/a").reply { request in
                request.fields.contains(.range)
                    ? .redirect(to: "/b") : content.answer(request).throttled(bytesPerSecond: 300_000)
            }
            route.get("/b").reply { content.answer($0) }
        }
        let ticket = try travelled(try await paused(server) { $0.redirects = .decide { proposed, _ in proposed } })
        let api = APIClient.eager(server)
        #expect(await api.resume(ticket).failure()?.kind == .unexpectedStatus(302))
        let again = api.resume(ticket) { $0.redirects = .decide { proposed, _ in proposed } }
        #expect(try await Data(contentsOf: again.file) == content.data)
    }

    @Test("B7 a ticket with any options is decoded, and no duration traps")
    func wildOptions() async throws {
        let server = try await slowServer()
        let ticket = try await paused(server) {
            $0.timeouts.connect = .seconds(Int64.max)
            $0.timeouts.total = .seconds(1e20)
            $0.retry = .attempts(.min)
        }
        let json = try JSONEncoder().encode(ticket)
        let read = try JSONDecoder().decode(DownloadTicket.self, from: json)
        #expect(try await Data(contentsOf: APIClient.eager(server).resume(read).file) == content.data)
    }

    @Test("B7 canceling after a failure or a pause removes the received data")
    func cancelAfterEnd() async throws {
        let server = try await MockServer { [content] route in
            route.get("/cut").reply { content.answer($0, cutAfter: 100_000) }
        }
        let failed = APIClient.eager(server).download(Endpoint<Void>.get("cut").retry(.never), to: folder.path("a"))
        #expect(await failed.failure() != nil)
        #expect(try !folder.names.isEmpty)
        failed.cancel()
        #expect(try folder.names.isEmpty)
        failed.cancel()
    }

    @Test("B7 canceling a failing download at any time leaves nothing", arguments: 0..<20)
    func cancelRacingFailure(round: Int) async throws {
        let server = try await MockServer { [content] route in
            route.get("/cut").reply { content.answer($0, cutAfter: 20_000) }
        }
        let download = APIClient.eager(server).download(Endpoint<Void>.get("cut").retry(.never), to: folder.path("a"))
        if round % 2 == 0 { await download.reach(20_000) }
        for _ in 0..<(round * 20) { await Task.yield() }
        download.cancel()
        #expect(await download.failure() != nil)
        #expect(try folder.names.isEmpty)
    }

    @Test("B7 cancel keeps a complete file")
    func cancelComplete() async throws {
        let server = try await MockServer { [content] route in route.get("/a").reply { content.answer($0) } }
        let download = APIClient.eager(server).download(Endpoint<Void>.get("a"), to: folder.path("a"))
        _ = try await download.file
        download.cancel()
        #expect(try folder.names == ["a"])
    }

    @Test("B5 the client's total timeout doesn't end downloads, uploads and streams; the endpoint's own does")
    func totalLimit() async throws {
        let server = try await MockServer { [content] route in
            // Longer than the limit by far.
            route.get("/a").reply { content.answer($0).throttled(bytesPerSecond: 400_000) }
            route.post("/up").readBody(bytesPerSecond: 100_000).reply(.status(204))
        }
        let api = APIClient.eager(server) { $0.timeouts.total = .milliseconds(200) }
        let file = try await api.download(Endpoint<Void>.get("a"), to: folder.path("a")).file
        #expect(try Data(contentsOf: file) == content.data)
        var count = 0
        for try await chunk in api.stream(Endpoint<Void>.get("a")) { count += chunk.count }
        #expect(count == content.data.count)
        try await api.upload(Endpoint<Void>.post("up"), body: .data(Data(count: 50_000), type: .octetStream))
        let own = api.download(Endpoint<Void>.get("a").timeout(.milliseconds(200)).retry(.never), to: folder.path("b"))
        #expect(await own.failure()?.kind == .timedOut(.total))
        let error = await failure { () throws(NetworkError) in
            _ = try await api.send(Endpoint<Data>.get("a").retry(.never))
        }
        #expect(error?.kind == .timedOut(.total))
    }

    @Test("B7 a complete file is kept, and nothing is transferred")
    func alreadyComplete() async throws {
        let server = try await MockServer { [content] route in route.get("/a").reply { content.answer($0) } }
        try content.data.write(to: folder.path("a"))
        let download = APIClient.eager(server).download(Endpoint<Void>.get("a"), to: folder.path("a")) {
            $0.existingFile = .keepIfComplete
            $0.digest = ContentDigest(sha256: SHA256.digest(content.data))
        }
        #expect(try await download.file.path == folder.path("a").path)
        #expect(download.wasAlreadyComplete)
        #expect(server.requests.map { $0.fields[.range] } == ["bytes=400000-"])
        #expect(content.bytesSent == 0)
        #expect(try folder.names == ["a"])
    }

    @Test("B7 so is a file in a folder named by the server, and an empty file")
    func alreadyCompleteElsewhere() async throws {
        let server = try await MockServer { [content] route in
            route.get("/a").reply { _ in MockResponse.bytes(content.data) }
            route.get("/empty").reply { _ in .status(416).field(.contentRange, "bytes */0") }
        }
        try content.data.write(to: folder.path("a"))
        try Data().write(to: folder.path("empty"))
        for name in ["a", "empty"] {
            let download = APIClient.eager(server).download(Endpoint<Void>.get("\(name)"), to: folder.url) {
                $0.existingFile = .keepIfComplete
            }
            _ = try await download.file
            #expect(download.wasAlreadyComplete)
        }
    }

    @Test("B7 a file of another size or digest throws, and is kept; without a file the content is downloaded")
    func notComplete() async throws {
        let server = try await MockServer { [content] route in route.get("/a").reply { content.answer($0) } }
        let api = APIClient.eager(server)
        func download(_ digest: ContentDigest? = nil) -> Download {
            api.download(Endpoint<Void>.get("a"), to: folder.path("a")) {
                $0.existingFile = .keepIfComplete
                $0.digest = digest
            }
        }
        for size in [0, 1000, 500_000] {
            try Data(count: size).write(to: folder.path("a"))
            let first = download()
            guard case .file(let reason) = await first.failure()?.kind else { Issue.record("size \(size)"); continue }
            #expect(reason == "a exists already and is not the whole content: \(size) of 400000 bytes")
            #expect(!first.wasAlreadyComplete)
        }
        try Data(count: 400_000).write(to: folder.path("a"))
        let wrong = await download(ContentDigest(sha256: SHA256.digest(content.data))).failure()
        guard case .invalidResponse = wrong?.kind else { Issue.record("\(String(describing: wrong))"); return }
        #expect(try Data(contentsOf: folder.path("a")) == Data(count: 400_000))
        try FileManager.default.removeItem(at: folder.path("a"))
        let fresh = download()
        #expect(try await Data(contentsOf: fresh.file) == content.data)
        #expect(!fresh.wasAlreadyComplete)
    }

    @Test("B7 ranges rejected by 503 are requested again after Retry-After")
    func partsPutOff() async throws {
        let content = Content(6 << 20)
        let clock = TestClock()
        let turn = Turn()
        let server = try await MockServer { route in
            route.get("/a").reply { request in
                turn.next() == 1 ? .status(503).field(.retryAfter, "20") : content.answer(request)
            }
        }
        let api = APIClient.eager(server) { $0.clock = clock }
        let download = api.download(Endpoint<Void>.get("a").retry(.attempts(3)), to: folder.path("a")) {
            $0.parallelRanges = 2
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(20))
        #expect(try await Data(contentsOf: download.file) == content.data)
    }

    @Test("T7 more than five content codings are rejected; five are decoded or passed through")
    func codings() async throws {
        let server = try await MockServer { route in
            for count in [5, 6, 60] {
                let codings = Array(repeating: "gzip", count: count).joined(separator: ", ")
                route.get("/\(count)").reply(.text("x").field(.contentEncoding, codings))
                let lines = String(repeating: "Content-Encoding: gzip\r\n", count: count)
                route.get("/fields-\(count)").reply(.raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\(lines)\r\nx"))
            }
        }
        let api = APIClient.eager(server) { $0.retry.maximumAttempts = 1 }
        for path in ["6", "60", "fields-6", "fields-60"] {
            let error = await failure { () throws(NetworkError) in _ = try await api.send(Endpoint<Data>.get("\(path)"))
            }
            guard case .invalidResponse(let reason) = error?.kind else {
                Issue.record("\(path): \(String(describing: error))"); continue
            }
            #expect(reason.hasSuffix("nested codings; at most 5 are decoded"))
        }
    }
}
