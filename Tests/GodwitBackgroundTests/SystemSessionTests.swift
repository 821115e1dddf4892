import Godwit
import GodwitBackground
import GodwitSupport
import GodwitTesting
import Synchronization
import TestSupport
import Testing

/// What is Apple's alone is left out: a system of the test's stands in the place of URLSession.
@Suite("BackgroundSession on the system's transfers")
struct SystemSessionTests {
    private let bench = SystemBench()

    @Test("B8 a download is handed to the system, and its file moved to its destination")
    func download() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let id = try await session.download(bench.request(), to: bench.path("a"))
        let order = try #require(system.orders.first)
        #expect(order.label.job == id)
        #expect(order.spec.url.absoluteString == "https://example.com/a")
        #expect(order.spec.fields[.authorization] == "Bearer s3cret")
        #expect(order.resumeData == nil && order.earliest == nil)
        #expect(try await session.jobs().map(\.state) == [.queued])
        system.listener?.progressed(order.label, to: 3, of: 7)
        let job = try #require(try await session.jobs().first)
        #expect(job.state == .running)
        #expect(job.progress == TransferProgress(completed: 3, total: 7))
        system.listener?.received(try bench.write("content", to: "tmp"), order.label, .status(200))
        system.listener?.answered(order.label, .status(200), Data())
        let event = try #require(try await session.nextEvent())
        #expect(event.job == id)
        #expect(event.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == Data("content".utf8))
        #expect(try await session.jobs().map(\.state) == [.ended])
        #expect(bench.written.allSatisfy { !$0.contains("s3cret") })
        try await session.acknowledge(event)
        #expect(try await session.jobs().isEmpty)
        #expect(bench.written.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.path).sorted() == ["a", "store"])
    }

    @Test("B8 received content whose destination was taken meanwhile is removed, and the job ends")
    func taken() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        try await session.download(bench.request(), to: bench.path("a"))
        let label = try #require(system.orders.first?.label)
        _ = try bench.write("old", to: "a")
        system.listener?.received(try bench.write("content", to: "tmp"), label, .status(200))
        let event = try #require(try await session.nextEvent())
        let isFailed = if case .failed = event.outcome { true } else { false }
        #expect(isFailed)
        #expect(bench.data("a") == Data("old".utf8))
        #expect(bench.data(".a.godwit-part") == nil)
    }

    @Test("B8 a download into a folder gets the server's name, made safe")
    func named() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        try await session.download(bench.request(), to: bench.folder)
        let label = try #require(system.orders.first?.label)
        let head = HTTPResponseHead.status(200, [.contentDisposition: "attachment; filename=\"../b.txt\""])
        system.listener?.received(try bench.write("x", to: "tmp"), label, head)
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("b.txt")))
    }

    @Test("B8 an upload's event has the server's response")
    func upload() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let file = try bench.write("sent", to: "b")
        try await session.upload(bench.request("https://example.com/a", .put), fromFile: file)
        let label = try #require(system.orders.first?.label)
        system.listener?.answered(label, .status(201), Data("thanks".utf8))
        #expect(try await session.nextEvent()?.outcome == .uploaded(status: 201, answer: Data("thanks".utf8)))
    }

    @Test("B8 a pause keeps the system's resume data, also for the next run")
    func pause() async throws {
        let system = FakeSystem(remains: Data("remains".utf8))
        let session = bench.session(try bench.run(system))
        let id = try await session.download(bench.request(), to: bench.path("a"))
        let label = try #require(system.orders.first?.label)
        try await session.pause(id)
        #expect(system.cancelled == [label])
        system.listener?.failed(label, .cancelled, resumeData: nil)
        #expect(try await session.state(of: id) == .paused)

        let later = FakeSystem()
        let again = bench.session(try bench.run(later))
        #expect(try await again.state(of: id) == .paused)
        try await again.resume(id)
        let order = try #require(later.orders.first)
        #expect(order.resumeData == Data("remains".utf8))
        #expect(order.label.attempt == label.attempt + 1)
        later.listener?.received(try bench.write("x", to: "tmp"), order.label, .status(206))
        #expect(try await again.nextEvent()?.outcome == .downloaded(bench.path("a")))
    }

    @Test("B8 content that completes during a pause is still used")
    func pausedLate() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let id = try await session.download(bench.request(), to: bench.path("a"))
        try await session.pause(id)
        system.listener?.received(
            try bench.write("x", to: "tmp"), try #require(system.orders.first?.label), .status(200))
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("a")))
    }

    @Test("B8 an upload that must not be sent twice is not paused")
    func unpausable() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let id = try await session.upload(
            bench.request("https://example.com/a", .post), fromFile: bench.write("1", to: "b"))
        try await session.pause(id)
        #expect(try await session.state(of: id) == .queued)
        #expect(system.cancelled.isEmpty)
    }

    @Test("B8 a canceled job has its event, and late results are ignored")
    func cancel() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let id = try await session.download(bench.request(), to: bench.path("a"))
        let label = try #require(system.orders.first?.label)
        try await session.cancel(id)
        #expect(system.cancelled == [label])
        system.listener?.received(try bench.write("x", to: "tmp"), label, .status(200))
        system.listener?.failed(label, .cancelled, resumeData: nil)
        let events = try await session.missedEvents()
        #expect(events.map(\.outcome) == [.failed(.cancelled)])
        #expect(bench.data("a") == nil)
        await #expect(throws: NetworkError.self) { try await session.cancel(BackgroundJob.ID()) }
    }

    @Test("B8 a temporary rejection is retried after Retry-After, up to eight times")
    func refusals() async throws {
        let system = FakeSystem()
        let now = Date(timeIntervalSince1970: 1_000_000)
        let session = bench.session(try bench.run(system) { $0.now = { now } })
        let id = try await session.download(bench.request(), to: bench.path("a"))
        let refusal = HTTPResponseHead.status(503, [.retryAfter: "30"])
        for count in 1...7 {
            let order = try #require(system.orders.last)
            #expect(order.label.attempt == count)
            system.listener?.answered(order.label, refusal, Data())
            #expect(system.orders.last?.earliest == now.addingTimeInterval(30))
            #expect(try await session.state(of: id) == .retrying)
        }
        // What an earlier task tells late changes nothing.
        system.listener?.answered(system.orders[0].label, refusal, Data())
        #expect(system.orders.count == 8)
        system.listener?.answered(try #require(system.orders.last?.label), refusal, Data())
        guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
            Issue.record("no failure")
            return
        }
        #expect(failure.status == 503 && failure.label == "server")
    }

    @Test("B8 M4 however long the server asks to wait, a job is tried again after an hour")
    func bound() async throws {
        let system = FakeSystem()
        let now = Date(timeIntervalSince1970: 1_000_000)
        let session = bench.session(try bench.run(system) { $0.now = { now } })
        try await session.download(bench.request(), to: bench.path("a"))
        let refusal = HTTPResponseHead.status(503, [.retryAfter: "31536000"])
        system.listener?.answered(try #require(system.orders.last?.label), refusal, Data())
        #expect(system.orders.last?.earliest == now.addingTimeInterval(3600))
    }

    @Test("B8 a permanent rejection is an event")
    func refused() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        try await session.download(bench.request("https://example.com/a?token=s3cret"), to: bench.path("a"))
        let label = try #require(system.orders.first?.label)
        // The system has a file for the page that says it.
        system.listener?.received(try bench.write("no such thing", to: "tmp"), label, .status(404))
        system.listener?.answered(label, .status(404), Data())
        guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
            Issue.record("no failure")
            return
        }
        #expect(failure.label == "not_found" && failure.status == 404)
        #expect(!failure.reason.contains("s3cret"))
        #expect(bench.data("a") == nil)
    }

    @Test("B8 after a network error a download continues with the resume data")
    func networkFailure() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        try await session.download(bench.request(), to: bench.path("a"))
        for kind in [.transport(.connectionLost("")), .offline(.noPath), .cancelled] as [NetworkError.Kind] {
            let label = try #require(system.orders.last?.label)
            system.listener?.failed(label, kind, resumeData: Data("r\(label.attempt)".utf8))
            #expect(system.orders.last?.label.attempt == label.attempt + 1)
            #expect(system.orders.last?.resumeData == Data("r\(label.attempt)".utf8))
        }
        // What was left is gone: it begins anew.
        system.listener?.failed(try #require(system.orders.last?.label), .file(reason: ""), resumeData: nil)
        #expect(system.orders.count == 5 && system.orders.last?.resumeData == nil)
        let label = try #require(system.orders.last?.label)
        system.listener?.failed(label, .insecure(.certificateExpired), resumeData: nil)
        guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
            Issue.record("no failure")
            return
        }
        #expect(failure.label.hasPrefix("insecure"))
    }

    @Test("B8 an upload that may have arrived is not sent twice", arguments: [HTTPMethod.post, .put], [false, true])
    func interrupted(method: HTTPMethod, hasKey: Bool) async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        var request = try bench.request("https://example.com/a", method)
        if hasKey { request.options.idempotencyKey = "k" }
        try await session.upload(request, fromFile: bench.write("1", to: "b"))
        system.listener?.failed(
            try #require(system.orders.last?.label), .transport(.cannotConnect("")), resumeData: nil)
        #expect(system.orders.count == 2)
        system.listener?.failed(
            try #require(system.orders.last?.label), .transport(.connectionLost("")), resumeData: nil)
        guard method == .post, !hasKey else {
            #expect(system.orders.count == 3)
            return
        }
        #expect(system.orders.count == 2)
        #expect(try await session.missedEvents().map(\.outcome) == [.failed(.interrupted)])
    }

    @Test("B8 unexpected content fails, and is removed")
    func digest() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        try await session.download(bench.request(), to: bench.path("a")) {
            $0.digest = ContentDigest(sha256: SHA256.digest("other".utf8))
        }
        system.listener?.received(
            try bench.write("x", to: "tmp"), try #require(system.orders.first?.label), .status(200))
        guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
            Issue.record("no failure")
            return
        }
        #expect(failure.label == "invalid_response")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.path) == ["store"])
    }

    @Test("B8 a job that can't succeed is not handed to the system")
    func obstacles() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        try await session.download(bench.request(), to: bench.write("old", to: "a"))
        try await session.download(bench.request("http://example.com/b"), to: bench.path("b"))
        let labels = try await session.missedEvents().map { event in
            if case .failed(let failure) = event.outcome { failure.label } else { "" }
        }
        #expect(labels.first == "file" && labels.last?.hasPrefix("insecure") == true)
        #expect(system.orders.isEmpty)
        #expect(bench.data("a") == Data("old".utf8))
    }

    @Test("B8 a job past its deadline fails, and its task is canceled")
    func deadline() async throws {
        let (clock, system) = (TestClock(), FakeSystem())
        let session = bench.session(try bench.run(system) { $0.clock = clock })
        try await session.download(bench.request(), to: bench.path("a")) { $0.timeLimit = .seconds(60) }
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(61))
        #expect(try await session.nextEvent()?.outcome == .failed(.outOfTime))
        await eventually { system.cancelled == system.orders.map(\.label) }
    }

    @Test("B8 rules that the system would ignore are rejected")
    func unsupported() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        var request = try bench.request()
        request.options.redirects = .block
        let blocked = request
        let changes: [@Sendable (inout BackgroundJobOptions) -> Void] = [
            { _ in }, { $0.tls.authorities = URL(filePath: "/ca.pem") },
        ]
        for (index, change) in changes.enumerated() {
            let asked = index == 0 ? blocked : try bench.request()
            let error = await #expect(throws: NetworkError.self) {
                try await session.download(asked, to: bench.path("a"), configure: change)
            }
            guard case .unsupported = error?.kind else {
                Issue.record("another error: \(String(describing: error))")
                continue
            }
        }
        let transfers = try bench.run(system)
        await #expect(throws: NetworkError.self) {
            try await BackgroundSession(identifier: "", link: SystemLink("") { transfers }).jobs()
        }
        #expect(system.orders.isEmpty)
    }

    @Test("B8 the token of a file goes to the system as it is at each attempt, and is never saved")
    func token() async throws {
        let system = FakeSystem(remains: Data("remains".utf8))
        let session = bench.session(try bench.run(system))
        let tokens = FileTokenStore(at: bench.path("token"))
        try tokens.save(AccessToken(access: "first", type: "bearer"))
        var request = try bench.request()
        request.fields[.authorization] = nil
        let id = try await session.download(request, to: bench.path("a")) { $0.tokenFile = bench.path("token") }
        #expect(system.orders.last?.spec.fields[.authorization] == "Bearer first")
        // A paused download: what the system resumes has the first token, so a 401 starts it anew, once.
        try await session.pause(id)
        try tokens.save(AccessToken(access: "second"))
        try await session.resume(id)
        let resumed = try #require(system.orders.last)
        #expect(resumed.resumeData != nil)
        system.listener?.answered(resumed.label, .status(401), Data())
        await eventually { system.orders.count == 3 }
        let last = try #require(system.orders.last)
        #expect(last.resumeData == nil)
        #expect(last.spec.fields[.authorization] == "Bearer second")
        #expect(bench.written.allSatisfy { !$0.contains("first") && !$0.contains("second") })
        system.listener?.answered(last.label, .status(401), Data())
        #expect(try await failure(of: session).label == "unauthorized")
    }

    @Test("B8 without a readable token, or over plain http, a job fails, and the system gets nothing")
    func noToken() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let token = bench.path("token")
        let prepare: [(label: String, url: String, () throws -> Void)] = [
            ("unauthorized", "https://example.com/a", {}),
            ("file", "https://example.com/a", { try Data("{}".utf8).write(to: token) }),
            (
                "insecure", "http://example.com/a",
                {
                    try FileManager.default.removeItem(at: token)
                    try FileTokenStore(at: token).save(AccessToken(access: "t"))
                }
            ),
        ]
        for (label, url, prepare) in prepare {
            try prepare()
            let request = HTTPRequest(url: try HTTPURL(url))
            try await session.download(request, to: bench.path(label)) { $0.tokenFile = token }
            #expect(try await failure(of: session).label.hasPrefix(label))
        }
        #expect(system.orders.isEmpty)
        // Also to a host that plain http is allowed for.
        var options = BackgroundJobOptions()
        options.tokenFile = token
        let plain = HTTPRequest(url: try HTTPURL("http://example.com/a"))
        let spec = try TransferSpec(download: plain, to: bench.path("a"), options, BackgroundConfiguration())
        let error = #expect(throws: NetworkError.self) { try spec.withStoredToken() }
        #expect(error?.kind == .insecure(.plaintext(host: "example.com")))
    }

    /// Acknowledges the first event, which has to be a failure.
    private func failure(of session: BackgroundSession) async throws -> BackgroundFailure {
        let event = try #require(try await session.nextEvent())
        try await session.acknowledge(event)
        let failure: BackgroundFailure? = if case .failed(let failure) = event.outcome { failure } else { nil }
        return try #require(failure)
    }

    @Test("B8 a job with a known ID is not added again")
    func sameJob() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let id = BackgroundJob.ID()
        for _ in 0..<3 { try await session.download(bench.request(), to: bench.path("a")) { $0.id = id } }
        #expect(system.orders.count == 1)
        #expect(try await session.jobs().count == 1)
    }

    @Test("B8 the system's handler is called when all events are delivered and all files moved")
    func delivered() async throws {
        let system = FakeSystem()
        let transfers = try bench.run(system)
        let session = bench.session(transfers)
        try await session.download(bench.request(), to: bench.path("a"))
        let told = Watched(0)
        transfers.whenDelivered(.standard) { told.update { $0 += 1 } }
        transfers.whenDelivered(.discretionary) { told.update { $0 += 100 } }
        #expect(told.value == 0)
        system.listener?.received(
            try bench.write("x", to: "tmp"), try #require(system.orders.first?.label), .status(200))
        system.listener?.delivered(.standard)
        try await told.wait { $0 > 0 }
        #expect(told.value == 1)
        #expect(try await session.missedEvents().map(\.outcome) == [.downloaded(bench.path("a"))])
        system.listener?.delivered(.standard)
        #expect(told.value == 1)
    }

    @Test("B8 finish ends every loop, a canceled task ends its own, and the session can be used again")
    func loops() async throws {
        let session = bench.session(try bench.run(FakeSystem()))
        let loop = Task { try await session.nextEvent() }
        let other = Task { try await session.nextEvent() }
        _ = try await session.jobs()
        other.cancel()
        #expect(try await other.value == nil)
        try await session.finish()
        // A loop that had not begun by then ends with the next.
        let end = Task { try await loop.value == nil }
        try await session.finish()
        loop.cancel()
        #expect(try await end.value)
        #expect(try await session.jobs().isEmpty)
    }

    @Test(
        "B8 URLSession's errors map to the same kinds as in other engines",
        arguments: [
            (-999, "cancelled", false), (-1001, "timed_out.inactivity", true), (-1003, "transport", true),
            (-1005, "transport", true), (-1009, "offline", true), (-1022, "insecure", false),
            (-1202, "insecure", false), (-1100, "file", false), (-1007, "redirect", false), (0, "transport", false),
        ])
    func failures(code: Int, label: String, isRetryable: Bool) {
        let kind = SystemFailure.kind(code: code, detail: "words", host: "example.com")
        let error = NetworkError(kind, phase: .receiving)
        #expect(error.shortDescription.hasPrefix(label))
        #expect(error.isRetryable == isRetryable)
    }
}
