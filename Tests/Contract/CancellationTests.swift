import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: cancellation", .timeLimit(.minutes(15)))
struct CancellationTests {
    /// Starts a request in a task of its own.
    private func start(_ request: HTTPRequest, on transport: any HTTPTransport) -> Task<NetworkError?, Never> {
        Task { await transport.failure(of: request) }
    }

    private func expectCancelled(_ error: NetworkError?, _ location: SourceLocation = #_sourceLocation) {
        #expect(error?.kind == .cancelled, sourceLocation: location)
        #expect(error?.userMessage == nil, sourceLocation: location)
    }

    @Test("T1 a task that is cancelled already sends nothing", arguments: Subject.allCases)
    func beforeStart(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        let task = Task { [url = server.url] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await transport.failure(of: .get(url))
        }
        expectCancelled(await task.value)
        #expect(try await transport.stillWorks(with: server))
        #expect(server.requestCount == 1)
    }

    @Test("T1 while it connects", arguments: Subject.allCases, ["http", "https"])
    func connecting(_ subject: Subject, _ scheme: String) async throws {
        let full = try Listener.full()
        let transport = try subject.make()
        let request = HTTPRequest.get(try HTTPURL("\(scheme)://127.0.0.1:\(full.url.port)"))
        let tasks = (0..<4).map { _ in start(request, on: transport) }
        try await Task.sleep(for: .milliseconds(50))
        for task in tasks { task.cancel() }
        for task in tasks { expectCancelled(await task.value) }
    }

    @Test("T1 while it waits for the answer", arguments: Subject.allCases)
    func waiting(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/ok").reply(.text("ok"))
            $0.any("*").reply(.hang)
        }
        let transport = try subject.make()
        let task = start(.get(server.url), on: transport)
        try await server.waitForRequests()
        task.cancel()
        expectCancelled(await task.value)
        try await server.waitUntilConnectionsClose()
        #expect(try await transport.stillWorks(with: server))
    }

    @Test("T1 while it waits for a connection to be free", arguments: Subject.allCases)
    func queued(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/ok").reply(.text("ok"))
            $0.any("*").reply(.hang)
        }
        let transport = try subject.make { $0.connectionsPerHost = 1 }
        let first = start(.get(server.url), on: transport)
        try await server.waitForRequests()
        let queued = (0..<10).map { _ in start(.get(server.url), on: transport) }
        try await Task.sleep(for: .milliseconds(50))
        for task in queued { task.cancel() }
        for task in queued { expectCancelled(await task.value) }
        #expect(server.requestCount == 1)
        first.cancel()
        expectCancelled(await first.value)
        #expect(try await transport.stillWorks(with: server))
    }

    @Test("T1 in the middle of a body", arguments: Subject.allCases, ["buffered", "streamed", "file"])
    func receiving(_ subject: Subject, _ name: String) async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { $0.any("*").reply(.endlessChunks(every: .milliseconds(5))) }
        let transport = try subject.make()
        let received = Watched(Int64(0))
        var request = HTTPRequest.get(server.url)
        request.delivery = name == "file" ? .file(folder.path("a")) : name == "streamed" ? .streamed : .buffered
        request.options.onEvent = { event in
            if case .received(let count, _) = event { received.update { $0 = count } }
        }
        let task = start(request, on: transport)
        try await received.wait { $0 > 300 }
        task.cancel()
        expectCancelled(await task.value)
        try await server.waitUntilConnectionsClose()
    }

    @Test("R2 leaving the loop over a body closes the connection within 100 ms", arguments: Subject.allCases)
    func leavingTheLoop(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.endlessChunks(every: .milliseconds(1))) }
        let transport = try subject.make()
        try await expectClosing(of: server) {
            let response = try await transport.get(server.url, .streamed)
            for try await _ in response.body { break }
        }
    }

    @Test("R2 an unread body ends when it is released", arguments: Subject.allCases)
    func droppedBody(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/ok").reply(.text("ok"))
            $0.any("*").reply(.endlessChunks(every: .milliseconds(1)))
        }
        let transport = try subject.make()
        _ = try await transport.get(server.url, .streamed)
        try await server.waitUntilConnectionsClose()
        #expect(try await transport.stillWorks(with: server))
    }

    @Test("R2 collecting stops at its limit and ends the transfer", arguments: Subject.allCases)
    func collectLimit(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.endlessChunks(every: .milliseconds(1))) }
        let response = try await subject.make().get(server.url, .streamed)
        let error = await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 1000) }
        #expect(error?.kind == .tooLarge(limit: 1000))
        try await server.waitUntilConnectionsClose()
    }

    @Test("T1 cancelling after the answer does no harm", arguments: Subject.allCases)
    func afterwards(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        for _ in 0..<20 {
            let task = start(.get(server.url), on: transport)
            #expect(await task.value == nil)
            task.cancel()
        }
        #expect(server.connectionCount == 1)
    }

    @Test("T1 the reader of a stream sees .cancelled even where chunks are waiting", arguments: Subject.allCases)
    func cancelledReader(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.endlessChunks(every: .zero)) }
        let transport = try subject.make()
        let task = Task { [url = server.url] in
            await failure { () async throws(NetworkError) in
                let response = try await transport.get(url, .streamed)
                for try await _ in response.body { withUnsafeCurrentTask { $0?.cancel() } }
            }?.kind
        }
        #expect(await task.value == .cancelled)
        try await server.waitUntilConnectionsClose()
    }

    @Test("T1 2,000 requests cancelled at random lose nothing and leak nothing", arguments: Subject.allCases)
    func random(_ subject: Subject) async throws {
        await #expect(processExitsWith: .success) { [subject] in
            let server = try await MockServer {
                $0.get("/ok").reply(.text("ok"))
                $0.get("/small").reply(.text("small"))
                $0.get("/large").reply(.bytes(Data(count: 200_000)))
                $0.get("/slow").reply(.text("slow").delayed(by: .milliseconds(1)))
                $0.put("/upload").reply(.text("thanks"))
            }
            // One for the process, which a transport starts when it has kept a connection for a while.
            _ = SystemPathMonitor.shared
            // The first ones make the language runtime open descriptors of its own.
            try await cancelAtRandom(100, on: subject, server)
            try await server.waitUntilConnectionsClose()
            let before = try await Usage.settled(to: Usage.now())
            try await cancelAtRandom(2000, on: subject, server)
            try await server.waitUntilConnectionsClose()
            let after = try await Usage.settled(to: before)
            #expect(after.descriptors <= before.descriptors, "\(before) \(after)")
            #expect(after.memory - before.memory < 100 << 20)
        }
    }
}

/// Sends requests of every kind, 32 at once, and cancels each after up to two milliseconds; each must come back with
/// its answer or `.cancelled`.
private func cancelAtRandom(_ count: Int, on subject: Subject, _ server: MockServer) async throws {
    let transport = try subject.make()
    let requests: [HTTPRequest] = [
        .get(try server.at("/small")), .get(try server.at("/large")), .get(try server.at("/large"), .streamed),
        .get(try server.at("/slow")), .upload(.bytes(Data(count: 50_000)), to: try server.at("/upload")),
        .upload(.stream { Source(Data(count: 10_000), times: 5) }, to: try server.at("/upload")),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<count {
            if index >= 32 { try await group.next() }
            group.addTask {
                let task = Task { await transport.failure(of: requests[index % requests.count]) }
                let delay = UInt64.random(in: 0...2000)
                if delay > 200 { try await Task.sleep(for: .microseconds(delay)) }
                task.cancel()
                let error = await task.value
                #expect(error == nil || error?.kind == .cancelled)
            }
        }
        try await group.waitForAll()
    }
    #expect(try await transport.stillWorks(with: server))
    await transport.shutdown(.cancelling)
}
