import Glibc
import Godwit
import GodwitSockets
import GodwitTesting
import PeerSupport
import Synchronization
import TestSupport
import Testing

@Suite("T2 SocketTransport's event loops", .timeLimit(.minutes(15)))
struct EventLoopTests {
    private func makeTransport(_ configure: (inout SocketConfiguration) -> Void = { _ in }) throws -> SocketTransport {
        try SocketTransport {
            $0.proxy = .none
            configure(&$0)
        }
    }

    @Test("T2 a thousand concurrent requests each get their own response")
    func thousand() async throws {
        let server = try await MockServer { request in .text(request.query ?? "") }
        let transport = try makeTransport { $0.maximumConnectionsPerHost = 100 }
        let origin = server.url.origin
        let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let response = try await transport.send(HTTPRequest(url: HTTPURL("\(origin)/?\(number)")))
                    let body = try await response.body.collect(upTo: 100)
                    return (number, String(decoding: body, as: UTF8.self))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 1000)
        #expect(answers.allSatisfy { "\($0.0)" == $0.1 })
        // On a machine under load, a connection that was idle for too long is replaced.
        #expect(server.connectionCount < 200)
    }

    @Test("T2 idle connections above the limit are closed, and kept ones are reused")
    func idleLimit() async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok").delayed(by: .milliseconds(20))) }
        let transport = try makeTransport { $0.maximumIdleConnections = 4 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask { [url = server.url] in _ = try await transport.send(HTTPRequest(url: url)) }
            }
            try await group.waitForAll()
        }
        while server.openConnectionCount > 4 { try await Task.sleep(for: .milliseconds(5)) }
        let before = server.connectionCount
        _ = try await transport.send(HTTPRequest(url: server.url))
        #expect(server.connectionCount == before)
    }

    @Test("T2 T25 many idle connections that the server closes cost nothing and break nothing")
    func closedIdle() async throws {
        let port = try HeldPort()
        let first = try await MockServer(.at(port)) { $0.any("*").reply(.text("one").delayed(by: .milliseconds(20))) }
        let transport = try makeTransport { $0.measuresTurns = true }
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask { [url = first.url] in _ = try await transport.send(HTTPRequest(url: url)) }
                }
                try await group.waitForAll()
            }
        }
        await first.stop()
        // The loop gets fifty events for unwatched connections, and must not spin: it turns for each event and each command,
        // and otherwise waits.
        let before = transport.turnCount
        for _ in 0..<100 { await onLoop(transport) {} }
        #expect(transport.turnCount - before < 300)
        let second = try await MockServer(.at(port)) { _ in .text("two") }
        let response = try await transport.send(HTTPRequest(method: .post, url: second.url, body: "x"))
        #expect(try await response.body.collect(upTo: 100) == Data("two".utf8))
        #expect(second.requestCount == 1)
    }

    @Test("T2 T25 the loop turns once for a call that is alone")
    func turnsOfOneCall() async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok").delayed(by: .milliseconds(2))) }
        let transport = try makeTransport { $0.measuresTurns = true }
        _ = try await transport.send(HTTPRequest(url: server.url))
        let before = transport.turnCount
        for _ in 0..<100 { _ = try await transport.send(HTTPRequest(url: server.url)) }
        // The caller sends, and the loop receives.
        #expect(transport.turnCount - before < 150)
        #expect(server.connectionCount == 1)
    }

    @Test("T2 after many answers that came soon, a late one, a cancellation and a second caller get theirs")
    func lateAfterSoon() async throws {
        let server = try await MockServer {
            $0.get("/").reply(.text("ok"))
            $0.get("/late").reply(.text("late").delayed(by: .milliseconds(20)))
        }
        let transport = try makeTransport()
        let url = server.url
        let get: @Sendable (String) async throws -> String = { path in
            let response = try await transport.send(HTTPRequest(url: HTTPURL("\(url.origin)\(path)")))
            return String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
        }
        for _ in 0..<10 {
            for _ in 0..<20 { #expect(try await get("/") == "ok") }
            #expect(try await get("/late") == "late")
            for _ in 0..<20 { #expect(try await get("/") == "ok") }
            let canceled = Task { try await get("/late") }
            canceled.cancel()
            let error = await #expect(throws: NetworkError.self) { try await canceled.value }
            #expect(error?.kind == .cancelled)
            for _ in 0..<20 { #expect(try await get("/") == "ok") }
            async let first = get("/late")
            async let second = get("/")
            #expect(try await [first, second] == ["late", "ok"])
        }
    }

    @Test("T2 T25 what arrives between the calls of a caller that is alone is not taken for its answer")
    func unaskedAfterSoon() async throws {
        let first = Watched<Listener.Connection?>(nil)
        let server = try Listener()
        server.serve { connection in
            connection.sendWithoutDelay()
            for _ in 0..<30 {
                guard connection.readHead() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            first.update { $0 = $0 ?? connection }
            connection.waitUntilPeerLeaves()
        }
        let transport = try makeTransport()
        for call in 0..<60 {
            if call == 30 {
                try await first.wait { $0 != nil }
                first.value?.write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
            }
            let response = try await transport.send(HTTPRequest(url: server.url))
            #expect(response.head.status == .ok)
        }
        #expect(server.connections == 2)
    }

    @Test("T1 T25 a call that is canceled before it starts sends nothing, also after calls that came alone")
    func canceledAfterSoon() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let transport = try makeTransport()
        for _ in 0..<20 {
            for _ in 0..<10 { _ = try await transport.send(HTTPRequest(url: server.url)) }
            let call = Task { [url = server.url] in
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await transport.send(HTTPRequest(url: url))
            }
            let error = await #expect(throws: NetworkError.self) { try await call.value }
            #expect(error?.kind == .cancelled)
        }
        // A request that was sent would have come before this one.
        _ = try await transport.send(HTTPRequest(url: server.url))
        #expect(server.requestCount == 201)
    }

    @Test("T2 the end of a kept connection is noticed")
    func endAfterSoon() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let transport = try makeTransport()
        for _ in 0..<40 { _ = try await transport.send(HTTPRequest(url: server.url)) }
        await server.stop()
        while await transport.connectionCounts()?.open != 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("T2 callers that wake a sleeping loop, cancellations and a shutdown meet without harm")
    func turnsOfManyCallers() async throws {
        let server = try await MockServer { _ in .text("ok") }
        for round in 0..<20 {
            let transport = try makeTransport()
            let outcomes = await withTaskGroup(of: String.self) { group in
                for number in 0..<40 {
                    group.addTask { [url = server.url] in
                        let call = Task { try await transport.send(HTTPRequest(url: url)) }
                        if number % 4 == 0 { call.cancel() }
                        guard case .failure(let error) = await call.result else { return "ok" }
                        return (error as? NetworkError)?.shortDescription ?? "\(error)"
                    }
                }
                if round % 2 == 0 { await transport.shutdown(.finishing) }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            await transport.shutdown(.finishing)
            #expect(outcomes.isSubset(of: ["ok", "cancelled", "shutdown"]), "\(outcomes)")
        }
    }

    @Test("T2 tasks that prefer the transport's executor run on its thread, and send from it")
    func executor() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let transport = try makeTransport()
        let loop = await onLoop(transport) { currentThread() }
        #expect(await onLoop(transport) { currentThread() } == loop)
        let thread = try await withTaskExecutorPreference(transport.taskExecutor) {
            for _ in 0..<50 {
                let response = try await transport.send(HTTPRequest(url: server.url, delivery: .streamed))
                for try await chunk in response.body { #expect(chunk == Data("ok".utf8)) }
                _ = try await transport.send(HTTPRequest(method: .post, url: server.url, body: "x"))
            }
            return currentThread()
        }
        #expect(thread == loop)
        #expect(server.connectionCount == 1)
    }

    @Test("T2 many tasks on the executor make progress concurrently")
    func executorConcurrency() async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok").delayed(by: .milliseconds(10))) }
        let transport = try makeTransport()
        let count = try await withTaskExecutorPreference(transport.taskExecutor) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask { [url = server.url] in
                        _ = try await transport.send(HTTPRequest(url: url))
                        return 1
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(count == 100)
    }

    @Test("T9 tasks that prefer the executor run also after its transport was shut down")
    func executorAfterShutdown() async throws {
        let transport = try makeTransport()
        let url = try HTTPURL("http://127.0.0.1:1/")
        let loop = await onLoop(transport) { currentThread() }
        let kind = await withTaskExecutorPreference(transport.taskExecutor) {
            await transport.shutdown(.cancelling)
            await Task.yield()
            return await transport.failure(of: HTTPRequest(url: url))?.kind
        }
        #expect(kind == .shutdown)
        #expect(await onLoop(transport) { currentThread() } != loop)
    }

    @Test("T9 canceled tasks on the executor are not lost")
    func executorCancellation() async throws {
        let server = try await MockServer { $0.any("*").reply(.hang) }
        let transport = try makeTransport()
        let tasks = (0..<20).map { _ in
            Task(executorPreference: transport.taskExecutor) { [url = server.url] in
                await transport.failure(of: HTTPRequest(url: url))?.kind
            }
        }
        while server.requestCount < 10 { try await Task.sleep(for: .milliseconds(2)) }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
        try await server.waitUntilConnectionsClose()
    }

    @Test("T2 a configuration without event loops is refused")
    func noLoops() throws {
        let error = #expect(throws: NetworkError.self) { try makeTransport { $0.eventLoops = 0 } }
        #expect(error?.shortDescription == "invalid_request")
        #expect(error?.description.contains("at least one event loop") == true)
    }
}

private func currentThread() -> pthread_t { pthread_self() }
