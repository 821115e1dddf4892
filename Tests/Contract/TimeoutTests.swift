import Glibc
import Godwit
import GodwitTesting
import PeerSupport
import Testing

// Real time: what must happen is waited for, and what must not has a wide margin.
@Suite("Contract: timeouts", .timeLimit(.minutes(15)))
struct TimeoutTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n"

    private func timeouts(inactivity: Duration = .seconds(30), total: Duration? = nil) -> Timeouts {
        var timeouts = Timeouts()
        timeouts.inactivity = inactivity
        timeouts.total = total
        return timeouts
    }

    @Test("T4 a server that falls silent is .timedOut(.inactivity)", arguments: Subject.allCases)
    func inactivity(_ subject: Subject) async throws {
        let silent = try Listener.answering { $0.waitUntilPeerLeaves() }
        let drip = try Listener.answering { connection in
            connection.write(Self.head + "ten bytes.")
            connection.waitUntilPeerLeaves()
        }
        let transport = try subject.make()
        for (peer, delivery) in [(silent, Delivery.buffered), (drip, .buffered), (drip, .streamed)] {
            let error = await transport.failure(
                of: .get(peer.url, delivery) { $0.options.timeouts = timeouts(inactivity: .milliseconds(300)) })
            #expect(error?.kind == .timedOut(.inactivity))
            #expect(error?.description.contains("no data was transferred") == true)
            #expect(error?.phase == (peer === drip ? .receiving : .sending))
        }
        let server = try await MockServer { $0.get("/ok").reply(.text("ok")) }
        #expect(try await transport.stillWorks(with: server))
    }

    @Test(
        "T4 an answer that stalls is .timedOut(.inactivity), also after the upload's source made everybody wait",
        arguments: Subject.allCases)
    func stalledAfterWaiting(_ subject: Subject) async throws {
        let server = try Listener.answering { connection in
            usleep(900_000)
            connection.write(Self.head + "ten bytes.")
            connection.waitUntilPeerLeaves()
        }
        let source = Source(Data(count: 10), times: 1, then: .wait)
        let error = await (try subject.make()).failure(
            of: .upload(.stream(once: source), to: server.url) {
                $0.options.timeouts = timeouts(inactivity: .milliseconds(300))
            })
        #expect(error?.kind == .timedOut(.inactivity))
        #expect(error?.phase == .receiving)
    }

    @Test(
        "T4 an answer that stalls is .timedOut(.inactivity), also while the upload's source makes everybody wait",
        arguments: Subject.allCases)
    func stalledWhileSourceWaits(_ subject: Subject) async throws {
        let server = try Listener.answering { connection in
            connection.write(Self.head + "ten bytes.")
            connection.waitUntilPeerLeaves()
        }
        let (chunks, feed) = AsyncStream<Data>.makeStream()
        let response = try await (try subject.make()).send(
            .upload(.stream(once: chunks), to: server.url) {
                $0.delivery = .streamed
                $0.options.timeouts = timeouts(inactivity: .milliseconds(300))
            })
        // Asked for more after the answer began, the source keeps everybody waiting once more.
        feed.yield(Data("one".utf8))
        let error = await #expect(throws: NetworkError.self) { try await bytes(of: response) }
        #expect(error?.kind == .timedOut(.inactivity))
        #expect(error?.phase == .receiving)
    }

    @Test("T4 a server that takes no more of an upload is .timedOut(.inactivity)", arguments: Subject.allCases)
    func stalledUpload(_ subject: Subject) async throws {
        let listener = try Listener()
        listener.serve { connection in
            _ = connection.readHead()
            connection.waitUntilPeerLeaves()
        }
        let error = await (try subject.make()).failure(
            of: .upload(.bytes(Data(count: 64 << 20)), to: listener.url) {
                $0.options.timeouts = timeouts(inactivity: .milliseconds(300))
            })
        #expect(error?.kind == .timedOut(.inactivity))
    }

    @Test(
        "T4 a steady slow answer passes, though it takes longer than the inactivity allowed",
        arguments: Subject.allCases)
    func steady(_ subject: Subject) async throws {
        let server = try Listener.answering { connection in
            connection.write(Self.head)
            for _ in 0..<4 {
                usleep(700_000)
                connection.write("ten bytes.")
            }
        }
        let transport = try subject.make()
        async let buffered = transport.get(server.url) {
            $0.options.timeouts = timeouts(inactivity: .milliseconds(1300))
        }
        async let streamed = transport.get(server.url, .streamed) {
            $0.options.timeouts = timeouts(inactivity: .milliseconds(1300))
        }
        #expect(try await bytes(of: streamed).count == 40)
        #expect(try await bytes(of: buffered).count == 40)
    }

    @Test("T4 an exchange that takes too long is .timedOut(.total), however busy it is", arguments: Subject.allCases)
    func total(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/ok").reply(.text("ok"))
            $0.get("/silent").reply(.hang)
            $0.get("/busy").reply(.endlessChunks(every: .milliseconds(20)))
        }
        let transport = try subject.make()
        for (path, delivery) in [("/silent", Delivery.buffered), ("/busy", .buffered), ("/busy", .streamed)] {
            let error = await transport.failure(
                of: .get(try server.at(path), delivery) { $0.options.timeouts = timeouts(total: .milliseconds(300)) })
            #expect(error?.kind == .timedOut(.total))
            #expect(error?.description.contains("the whole exchange") == true)
        }
        #expect(try await transport.stillWorks(with: server))
    }

    @Test("T4 time before the request does not count", arguments: Subject.allCases)
    func idleBefore(_ subject: Subject) async throws {
        let server = try Listener.answering { connection in
            for _ in 0..<2 {
                usleep(100_000)
                connection.write(Self.head + String(repeating: "ten bytes.", count: 4))
                _ = connection.readHead()
            }
        }
        let transport = try subject.make()
        for _ in 0..<2 {
            try await Task.sleep(for: .milliseconds(3200))
            let response = try await transport.get(server.url) {
                $0.options.timeouts = timeouts(inactivity: .seconds(3), total: .milliseconds(3100))
            }
            #expect(response.head.status == .ok)
        }
        #expect(server.connections == 1)
    }

    @Test("T4 a connection that does not come about is .timedOut(.connect)", arguments: Subject.allCases)
    func connect(_ subject: Subject) async throws {
        let full = try Listener.full()
        let error = await (try subject.make()).failure(
            of: .get(full.url) { $0.options.timeouts.connect = .milliseconds(200) })
        #expect(error?.kind == .timedOut(.connect))
        #expect(error?.phase == .connecting)
        #expect(error?.description.contains("connecting") == true)
    }

    @Test("T4 a TLS handshake that does not end is .timedOut(.connect)", arguments: Subject.allCases)
    func handshake(_ subject: Subject) async throws {
        let listener = try Listener()
        listener.serve { $0.waitUntilPeerLeaves() }
        let url = try HTTPURL("https://127.0.0.1:\(listener.url.port)")
        let error = await (try subject.make()).failure(
            of: .get(url) { $0.options.timeouts.connect = .milliseconds(200) })
        #expect(error?.kind == .timedOut(.connect))
    }

    @Test("T4 many requests to a host that does not answer all time out, together", arguments: Subject.allCases)
    func connectMany(_ subject: Subject) async throws {
        let full = try Listener.full()
        let transport = try subject.make()
        for scheme in ["http", "https"] {
            let url = try HTTPURL("\(scheme)://127.0.0.1:\(full.url.port)")
            var slowest = Duration.seconds(60)
            // One after the other would be four seconds for the last. A busy machine may be as slow, but not every time.
            for _ in 0..<5 where slowest >= .seconds(2) {
                slowest = try await slowestTimeout(of: 8, to: url, over: transport)
            }
            #expect(slowest < .seconds(2), "\(scheme)")
        }
    }

    /// Sends requests at once, each of which has to time out; how long the last one took.
    private func slowestTimeout(of count: Int, to url: HTTPURL, over transport: any HTTPTransport) async throws
        -> Duration
    {
        let times = Watched<[Duration]>([])
        let kinds = await withTaskGroup { group in
            for _ in 0..<count {
                let request = HTTPRequest.get(url) {
                    $0.options.timeouts.connect = .milliseconds(500)
                    $0.options.onEvent = { event in
                        if case .finished(let metrics) = event { times.update { $0.append(metrics.total ?? .zero) } }
                    }
                }
                group.addTask { await transport.failure(of: request)?.kind }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds.count == count && kinds.allSatisfy { $0 == .timedOut(.connect) }, "\(kinds)")
        #expect(times.value.count == count)
        return try #require(times.value.max())
    }

    @Test("T4 a slow reader does not count as inactivity", arguments: Subject.allCases)
    func pausedReader(_ subject: Subject) async throws {
        let data = Samples.data(30_000_000)
        let server = try await MockServer { $0.get("/").reply(.bytes(data)) }
        let response = try await subject.make { $0.streamBuffer = 64 << 10 }.get(server.url, .streamed) {
            $0.options.timeouts = timeouts(inactivity: .milliseconds(1000))
        }
        try await Task.sleep(for: .milliseconds(2500))
        #expect(try await bytes(of: response) == data)
    }

    @Test("T4 a slow source does not count as inactivity", arguments: Subject.allCases)
    func pausedSource(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let (chunks, feed) = AsyncStream<Data>.makeStream()
        feed.yield(Data("one".utf8))
        let transport = try subject.make()
        async let response = transport.send(
            .upload(.stream(once: chunks), to: server.url) {
                $0.options.timeouts = timeouts(inactivity: .milliseconds(1000))
            })
        try await Task.sleep(for: .milliseconds(2500))
        feed.yield(Data("two".utf8))
        feed.finish()
        #expect(try await response.head.status == .ok)
        #expect(server.requests.map(\.text) == ["onetwo"])
    }
}
