import Godwit
import GodwitTesting
import Testing

@Suite("X1 waits with a limit", .timeLimit(.minutes(15)))
struct WaitLimitTests {
    private let soon = Duration.milliseconds(5)

    private func text(_ operation: () async throws(WaitFailure) -> Void) async -> String {
        do throws(WaitFailure) {
            try await operation()
            return "no failure"
        } catch {
            return error.description
        }
    }

    @Test("X1 a wait that times out says which requests came")
    func requests() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(204)) }
        #expect(
            await text { () throws(WaitFailure) in try await mock.waitForRequests(within: soon) }
                == "waited 0.005 seconds for a request; none came")
        _ = try await mock.send(HTTPRequest(method: .get, url: HTTPURL("https://api.example.com/a?b=1")))
        #expect(
            await text { () throws(WaitFailure) in try await mock.waitForRequests(count: 2, within: soon) }
                == "waited 0.005 seconds for 2 requests; 1 came: GET /a?b=1 (complete)")
    }

    @Test("X3 a server's wait names a request whose body is incomplete")
    func serverRequests() async throws {
        let server = try await MockServer { $0.post("/a").reply(.status(204)) }
        let client = try RawClient(server.url)
        let head = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
        _ = await client.exchange(head, until: "\r\n\r\n")
        #expect(
            await text { () throws(WaitFailure) in try await server.waitForRequests(within: soon) }
                == "waited 0.005 seconds for a request; "
                + "1 came: POST /a (still being received, 0 bytes of the body so far)")
        #expect(
            await text { () throws(WaitFailure) in try await server.waitUntilConnectionsClose(within: soon) }
                == "waited 0.005 seconds for all connections to close; 1 of 1 are open")
        await server.stop()
    }

    @Test("X1 a wait for the end of exchanges names the open ones")
    func exchanges() async throws {
        let mock = MockTransport { $0.get("/slow").reply(.hang) }
        let task = Task { try await mock.send(HTTPRequest(method: .get, url: HTTPURL("https://api.example.com/slow"))) }
        try await mock.waitForRequests()
        #expect(
            await text { () throws(WaitFailure) in try await mock.waitUntilExchangesEnd(within: soon) }
                == "waited 0.005 seconds for all exchanges to end; 1 open: GET /slow")
        task.cancel()
        _ = await task.result
        try await mock.waitUntilExchangesEnd()
    }

    @Test("X5 a wait for sleepers reports the sleepers and the time")
    func sleepers() async throws {
        let clock = TestClock()
        #expect(
            await text { () throws(WaitFailure) in try await clock.nextSleep(within: soon) }
                == "waited 0.005 seconds for 1 task to sleep on the clock; none sleeps; the clock shows 0.0 seconds")
        let task = Task { try await clock.sleep(for: .seconds(60)) }
        try await clock.waitForSleepers()
        #expect(
            await text { () throws(WaitFailure) in try await clock.waitForSleepers(count: 2, within: soon) }
                == "waited 0.005 seconds for 2 tasks to sleep on the clock; "
                + "1 sleep until 60.0 seconds; the clock shows 0.0 seconds")
        task.cancel()
    }

    @Test("X1 a limit of zero or less ends immediately, unless the condition is met")
    func zero() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(204)) }
        _ = try await mock.send(HTTPRequest(method: .get, url: HTTPURL("https://api.example.com/a")))
        #expect(try await mock.waitForRequests(within: .seconds(-1)).count == 1)
        await #expect(throws: WaitFailure.self) { try await mock.waitForRequests(count: 2, within: .zero) }
    }

    @Test("X1 a canceled wait ends immediately and says why")
    func cancelled() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(204)) }
        let task = Task { try await mock.waitForRequests() }
        task.cancel()
        let failure = await #expect(throws: WaitFailure.self) { try await task.value }
        #expect(failure == .cancelled(reason: "canceled while waiting for a request; none came"))
    }
}
