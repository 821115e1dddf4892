import GodwitCore
import GodwitTesting
import Testing

@Suite("M5 coalescing", .timeLimit(.minutes(15)))
struct CoalescingTests {
    private let coalescing = Coalescing { $0.fields["X-Account"] ?? "" }
    private let gate = Watched(false)

    /// A chain whose transport answers when the gate opens.
    private func gated() -> (Chain, MockTransport) {
        let mock = MockTransport { [gate] request in
            try await gate.wait { $0 }
            return .text(request.path)
        }
        return (Chain([coalescing], over: mock), mock)
    }

    private func request(_ change: (inout HTTPRequest) throws -> Void = { _ in }) throws -> HTTPRequest {
        var request = HTTPRequest(url: try HTTPURL("https://a.com/1"), fields: [.accept: "text/plain"])
        try change(&request)
        return request
    }

    private func waitForCallers(_ count: Int) async {
        while coalescing.waitingCount != count { await Task.yield() }
    }

    @Test("M5 thousands of identical requests share one transfer and its response")
    func shared() async throws {
        let (chain, mock) = gated()
        let request = try request()
        let tasks = (0..<5000).map { _ in Task { try await chain.send(request).body.collect(upTo: 100) } }
        await waitForCallers(5000)
        gate.update { $0 = true }
        for task in tasks { #expect(try await task.value == Data("/1".utf8)) }
        #expect(mock.requestCount == 1)
        #expect(coalescing.waitingCount == 0)
    }

    @Test("M5 all get the same error")
    func sharedError() async throws {
        let gate = gate
        let mock = MockTransport { _ in
            try await gate.wait { $0 }
            throw NetworkError(.timedOut(.connect), phase: .connecting)
        }
        let chain = Chain([coalescing], over: mock)
        let request = try request()
        let tasks = (0..<20).map { _ in Task { await chain.status(request) } }
        await waitForCallers(20)
        gate.update { $0 = true }
        for task in tasks { #expect(await task.value == .failure(.init(kind: .timedOut(.connect)))) }
        #expect(mock.requestCount == 1)
    }

    @Test("M5 responses are not kept: a request after the end is sent")
    func notKept() async throws {
        let (chain, mock) = gated()
        gate.update { $0 = true }
        for _ in 1...2 { #expect(await chain.status(try request()) == .success(200)) }
        #expect(mock.requestCount == 2)
    }

    struct Difference: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var apply: @Sendable (inout HTTPRequest) throws -> Void
    }

    @Test(
        "M5 requests that may have different responses are sent separately",
        arguments: [
            Difference(testDescription: "method") { $0.method = .head },
            Difference(testDescription: "URL") { $0.url = try HTTPURL("https://a.com/1?x") },
            Difference(testDescription: "origin") { $0.url = try HTTPURL("https://b.com/1") },
            Difference(testDescription: "Accept") { $0.fields[.accept] = "text/html" },
            Difference(testDescription: "Accept-Language") { $0.fields[.acceptLanguage] = "de" },
            Difference(testDescription: "Authorization") { $0.fields[.authorization] = "Bearer b" },
            Difference(testDescription: "Cookie") { $0.fields[.cookie] = "a=1" },
            Difference(testDescription: "Range") { $0.fields[.range] = "bytes=0-1" },
            Difference(testDescription: "any field") { $0.fields["X-Tenant"] = "2" },
            Difference(testDescription: "identity") { $0.fields["X-Account"] = "2" },
            Difference(testDescription: "authentication") { $0.options.authentication = .none },
            Difference(testDescription: "cookies off") { $0.options.cookies = .off },
            Difference(testDescription: "cache policy") { $0.options.cachePolicy = .reloadIgnoringCache },
            Difference(testDescription: "redirects") { $0.options.redirects = .block },
            Difference(testDescription: "waiting for a network") { $0.options.connectivity = .wait(upTo: nil) },
            Difference(testDescription: "failing without a network") { $0.options.connectivity = .failFast },
            Difference(testDescription: "networks") { $0.options.allowedNetworks = [] },
            Difference(testDescription: "time-outs") { $0.options.timeouts.total = .seconds(1) },
            Difference(testDescription: "response limit") { $0.options.responseLimit.encoded = 10 },
            Difference(testDescription: "retries") { $0.options.retry = .never },
            Difference(testDescription: "priority") { $0.options.priority = .high },
            Difference(testDescription: "idempotency key") { $0.options.idempotencyKey = "k" },
            Difference(testDescription: "compression") { $0.options.compression = .gzip() },
            Difference(testDescription: "buffer limit") { $0.delivery = .buffered(limit: 10) },
        ])
    func different(difference: Difference) async throws {
        let (chain, mock) = gated()
        let (first, second) = (try request(), try request(difference.apply))
        let tasks = [first, second].map { request in Task { await chain.status(request) } }
        await waitForCallers(2)
        gate.update { $0 = true }
        for task in tasks { #expect(await task.value == .success(200)) }
        #expect(mock.requestCount == 2)
    }

    @Test("M5 every option that a transport reads is compared, unless it can't affect a shared transfer")
    func allOptions() throws {
        let compared: Set = ["timeouts", "responseLimit", "priority"]
        // A status is accepted or not after the answer; requests with the others are never shared.
        let others: Set = ["acceptedStatuses", "upgrade", "onEvent", "onHeadSent", "expectContinue"]
        // The options of middlewares, compared one by one.
        let box = try #require(Mirror(reflecting: RequestOptions()).descendant("box", "storage", "value"))
        let names = Mirror(reflecting: box).children.compactMap(\.label)
        #expect(Set(names) == compared.union(others).union(["ids", "others", "bits"]))
    }

    @Test("M5 an option of a user's own middleware is compared; one that can't be compared isn't shared")
    func ownOptions() async throws {
        struct Opaque: RequestOption {
            static let defaultValue = Opaque()
        }
        #expect(try await transfers { $0.options[Tenant.self] = "a" } == 2)
        #expect(try await transfers { $0.options[Opaque.self] = Opaque() } == 3)
        #expect(try await transfers { $0.options[Label.self] = "a" } == 1)
    }

    /// How many transfers one request and two with a change lead to.
    private func transfers(_ change: (inout HTTPRequest) -> Void) async throws -> Int {
        gate.update { $0 = false }
        let (chain, mock) = gated()
        let tasks = try [request(), request(change), request(change)].map { request in
            Task { await chain.status(request) }
        }
        await waitForCallers(3)
        gate.update { $0 = true }
        for task in tasks { #expect(await task.value == .success(200)) }
        return mock.requestCount
    }

    @Test(
        "M5 a request that can't be shared is sent each time",
        arguments: [
            Difference(testDescription: "POST") { $0.method = .post },
            Difference(testDescription: "content") { $0.body = "x" },
            Difference(testDescription: "streamed") { $0.delivery = .streamed },
            Difference(testDescription: "progress") { $0.options.onEvent = { _ in } },
            Difference(testDescription: "upgrade") { $0.options.upgrade = ProtocolUpgrade(to: "websocket") },
            Difference(testDescription: "redirect closure") {
                $0.options.redirects = .decide { proposed, _ in proposed }
            },
        ])
    func unshared(difference: Difference) async throws {
        let (chain, mock) = gated()
        let request = try request(difference.apply)
        let tasks = (0..<2).map { _ in Task { await chain.status(request) } }
        while mock.requestCount < 2 { await Task.yield() }
        gate.update { $0 = true }
        for task in tasks { #expect(await task.value == .success(200)) }
        #expect(mock.requestCount == 2)
    }

    @Test("M5 fields that only identify the call are not compared")
    func namingFields() async throws {
        let (chain, mock) = gated()
        let requests = try (0..<3).map { index in
            try request {
                $0.fields[.requestID] = "\(index)"
                $0.fields["traceparent"] = "00-\(index)"
            }
        }
        let tasks = requests.map { request in Task { await chain.status(request) } }
        await waitForCallers(3)
        gate.update { $0 = true }
        for task in tasks { #expect(await task.value == .success(200)) }
        #expect(mock.requestCount == 1)
    }

    @Test("M5 one caller's cancellation doesn't affect the others, even the first one's", arguments: [0, 1, 2])
    func oneCancelled(index: Int) async throws {
        let (chain, mock) = gated()
        let request = try request()
        var tasks: [Task<Result<Int, Chain.Failure>, Never>] = []
        for count in 1...3 {
            tasks.append(Task { await chain.status(request) })
            await waitForCallers(count)
        }
        tasks[index].cancel()
        #expect(await tasks[index].value == .failure(.init(kind: .cancelled)))
        gate.update { $0 = true }
        for (other, task) in tasks.enumerated() where other != index { #expect(await task.value == .success(200)) }
        #expect(mock.requestCount == 1)
    }

    @Test("M5 the last caller's cancellation cancels the transfer, and the next request starts another")
    func allCancelled() async throws {
        let (chain, mock) = gated()
        let request = try request()
        let tasks = (0..<3).map { _ in Task { await chain.status(request) } }
        await waitForCallers(3)
        try await mock.waitForRequests()
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .failure(.init(kind: .cancelled))) }
        try await mock.waitUntilExchangesEnd()
        let another = Task { await chain.status(request) }
        try await mock.waitForRequests(count: 2)
        gate.update { $0 = true }
        #expect(await another.value == .success(200))
        #expect(mock.requestCount == 2)
    }

    @Test("M5 an already canceled call sends nothing")
    func cancelledBefore() async throws {
        let (chain, mock) = gated()
        let request = try request()
        let result = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await chain.status(request)
        }.value
        #expect(result == .failure(.init(kind: .cancelled)))
        #expect(mock.requestCount == 0)
    }

    @Test(
        "M5 thousands of callers with random cancellations: all end, only the canceled ones fail", arguments: [1, 2, 3])
    func storm(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let mock = MockTransport { request in
            for _ in 0..<(request.queryValue("turns").flatMap { Int($0) } ?? 0) { await Task.yield() }
            return .status(200)
        }
        let chain = Chain([coalescing], over: mock)
        let requests = try (0..<6).map { HTTPRequest(url: try HTTPURL("https://a.com/?turns=\($0 * 2)")) }
        var tasks: [Task<Result<Int, Chain.Failure>, Never>] = []
        var cancelled: Set<Int> = []
        for index in 0..<4000 {
            let request = requests[Int.random(in: 0..<6, using: &random)]
            tasks.append(Task { await chain.status(request) })
            if Int.random(in: 0..<3, using: &random) == 0 {
                let victim = Int.random(in: max(0, index - 10)...index, using: &random)
                tasks[victim].cancel()
                cancelled.insert(victim)
            }
            if Int.random(in: 0..<6, using: &random) == 0 { await Task.yield() }
        }
        for (index, task) in tasks.enumerated() {
            let result = await task.value
            #expect(
                result == .success(200) || (cancelled.contains(index) && result == .failure(.init(kind: .cancelled))))
        }
        #expect(coalescing.waitingCount == 0)
    }
}

private enum Tenant: RequestOption {
    static let defaultValue = ""
}

private enum Label: RequestOption {
    static let defaultValue = ""
    static let affectsResponse = false
}
