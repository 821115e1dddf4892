import Godwit
import GodwitSupport
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("B7 a hundred interruptions", .timeLimit(.minutes(15)))
struct InterruptionTests {
    private let folder = TemporaryFolder()

    /// 256 MiB where there is time.
    private static let size = soaks ? 256 << 20 : 4 << 20
    private static let soaks = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil
    /// What one interruption may cost, in bytes that are sent again.
    private static let cost = 1 << 20

    @Test(
        "B7 after 100 broken connections the content is complete, and hardly a byte was sent twice",
        arguments: [
            false, true,
        ])
    func cuts(resets: Bool) async throws {
        let content = Content(Self.size)
        let dice = Mutex(SeededGenerator(seed: 42))
        let turn = Turn()
        let server = try await MockServer { route in
            route.get("/a").reply { request in
                let limit = dice.withLock { Int.random(in: 1...(Self.size / 60), using: &$0) }
                return content.answer(request, cutAfter: turn.next() < 100 ? limit : nil, reset: resets)
            }
        }
        let api = APIClient.eager(server, attempts: resets ? 50 : 3)
        let download = api.download(Endpoint<Void>.get("a"), to: folder.path("a")) {
            // Not optimised, the digest of 256 MiB takes minutes; what came is compared byte by byte below.
            if !Self.soaks { $0.digest = ContentDigest(sha256: SHA256.digest(content.data)) }
        }
        #expect(try await Data(contentsOf: download.file) == content.data)
        let interruptions = server.requestCount - 1
        #expect(interruptions >= 30)
        #expect(content.bytesSent <= Self.size + interruptions * (resets ? min(Self.cost, Self.size / 60) : 0))
    }

    @Test("B7 paused at random points and resumed by new clients, the content is complete")
    func pauses() async throws {
        let content = Content(Self.size)
        let turn = Turn()
        let server = try await MockServer { route in
            route.get("/a").reply { request in
                // The first takes far longer than a pause, so that there is one however busy the machine is.
                let answer = content.answer(request)
                return turn.next() == 0 ? answer.throttled(bytesPerSecond: 100_000) : answer
            }
        }
        var dice = SeededGenerator(seed: 7)
        var download = APIClient.eager(server).download(Endpoint<Void>.get("a"), to: folder.path("a")) {
            $0.progressInterval = .zero
        }
        var pauses = 0
        for round in 0..<100 {
            let place = round == 0 ? 1 : Int64.random(in: 0..<Int64(Self.size), using: &dice)
            await download.reach(place)
            guard let ticket = try? await download.pause() else { break }
            pauses += 1
            let data = try JSONEncoder().encode(ticket)
            download = APIClient.eager(server).resume(try JSONDecoder().decode(DownloadTicket.self, from: data))
        }
        #expect(try await Data(contentsOf: download.file) == content.data)
        #expect(pauses > 0)
    }

    @Test("B7 nginx: paused and resumed with If-Range", .enabled(if: nginx != nil, "needs nginx: script/servers"))
    func realServer() async throws {
        let base = try #require(Self.nginx)
        let whole = try await APIClient(baseURL: base).send(Endpoint<Data>.get("1m.bin"))
        let requests = Mutex<[HTTPRequest]>([])
        let api = APIClient(baseURL: base) {
            $0.attemptMiddleware.append(
                Watching(requests: { request in
                    requests.withLock { $0.append(request) }
                }))
        }
        let first = api.download(Endpoint<Void>.get("1m.bin"), to: folder.path("a")) { $0.progressInterval = .zero }
        await first.reach(1)
        let ticket = try? await first.pause()
        let file = try await (ticket.map { api.resume($0) } ?? first).file
        #expect(try Data(contentsOf: file) == whole)
        if let ticket, ticket.offset > 0, ticket.offset < whole.count {
            #expect(requests.withLock { $0.last?.fields[.range] } == "bytes=\(ticket.offset)-")
        }
    }

    private static let nginx = ProcessInfo.processInfo.environment["GODWIT_TEST_NGINX_HTTP"]

    private struct Watching: Middleware {
        let requests: @Sendable (HTTPRequest) -> Void

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            requests(call.request)
            return try await next(call)
        }
    }
}
