import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: streams", .timeLimit(.minutes(15)))
struct StreamTests {
    @Test("R2 a reader that does not read holds the server back, and then gets everything", arguments: Subject.allCases)
    func backPressure(_ subject: Subject) async throws {
        let piece = Samples.data(100_003)
        let source = Source(piece, times: 500)
        let server = try await MockServer { $0.any("*").reply(.stream(once: source)) }
        let response = try await subject.make { $0.streamBuffer = 64 << 10 }.get(server.url, .streamed)
        let sent = try await source.record.bytesOncePaused()
        #expect(sent < 20 << 20)
        var offset = 0
        var isIntact = true
        for try await chunk in response.body {
            var rest = chunk[...]
            while !rest.isEmpty {
                let part = piece[offset..<min(offset + rest.count, piece.count)]
                isIntact = isIntact && rest.prefix(part.count) == part
                rest = rest.dropFirst(part.count)
                offset = (offset + part.count) % piece.count
            }
        }
        #expect(isIntact && offset == 0)
        #expect(source.record.value.bytes == 500 * piece.count)
    }

    @Test(
        "R2 readers of every pace get everything, in every framing and coding", arguments: Subject.allCases,
        [MockResponse.Framing.automatic, .chunked, .untilClose])
    func paces(_ subject: Subject, _ framing: MockResponse.Framing) async throws {
        let data = Samples.data(4_000_037)
        let coded = Codings.gzip(data)
        let server = try await MockServer {
            $0.get("/plain").reply(.bytes(data).framed(framing))
            $0.get("/coded").reply(.bytes(coded).framed(framing).field(.contentEncoding, "gzip"))
        }
        let transport = try subject.make { $0.streamBuffer = 50_000 }
        for path in ["/plain", "/coded"] {
            for pause in [0, 1, 7] {
                let response = try await transport.get(server.at(path), .streamed)
                var received = Data()
                var count = 0
                for try await chunk in response.body {
                    received.append(chunk)
                    count += 1
                    if pause > 0, count % pause == 0 { try await Task.sleep(for: .microseconds(300)) }
                }
                #expect(received == data)
            }
        }
    }

    @Test("R2 a body can be read once; a second reading says so", arguments: Subject.allCases)
    func singlePass(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("once")) }
        let response = try await subject.make().get(server.url, .streamed)
        #expect(!response.body.isReplayable)
        #expect(try await text(of: response) == "once")
        let error = await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 100) }
        #expect(error?.shortDescription == "invalid_request")
        #expect(error?.description.contains("only once") == true)
    }

    @Test("R2 chunks that came before a failure are read before it", arguments: Subject.allCases)
    func failureAfterChunks(_ subject: Subject) async throws {
        let data = Samples.data(300_000)
        let server = try await MockServer {
            $0.any("*").reply(.bytes(Samples.data(500_000)).dropped(after: .bytes(300_000)))
        }
        let response = try await subject.make().get(server.url, .streamed)
        var received = Data()
        do throws(NetworkError) {
            for try await chunk in response.body { received.append(chunk) }
            Issue.record("the body ended as if it were complete")
        } catch {
            #expect(error.shortDescription == "transport.connection_lost")
            #expect(error.response?.status == .ok)
            #expect(error.phase == .receiving)
        }
        #expect(received == data)
    }

    @Test("R2 no chunk is empty, and the length is known where it was declared", arguments: Subject.allCases)
    func chunks(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/known").reply(.bytes(Samples.data(200_000)))
            $0.get("/chunked").reply(.chunks([Data("a".utf8), Data("b".utf8)], every: .milliseconds(5)))
        }
        let transport = try subject.make()
        for (path, length) in [("/known", Int64?(200_000)), ("/chunked", nil)] {
            let response = try await transport.get(server.at(path), .streamed)
            #expect(response.body.length == length)
            for try await chunk in response.body { #expect(!chunk.isEmpty) }
        }
    }

    @Test("R2 many streams at once do not mix", arguments: Subject.allCases)
    func concurrent(_ subject: Subject) async throws {
        let server = try await MockServer { request in
            let seed = Int(request.queryValue("n") ?? "") ?? 0
            return .stream(once: Source(Data(repeating: UInt8(seed), count: 10_000 + seed), times: 50))
        }
        let transport = try subject.make { $0.streamBuffer = 32 << 10 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                let url = try server.at("/?n=\(number)")
                group.addTask {
                    let data = try await bytes(of: transport.get(url, .streamed))
                    #expect(data == Data(repeating: UInt8(number), count: (10_000 + number) * 50))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("R2 memory stays flat however long a stream is", arguments: Subject.allCases)
    func flat(_ subject: Subject) async throws {
        await #expect(processExitsWith: .success) { [subject] in
            let source = Source(Data(count: 1 << 20), times: 400)
            let server = try await MockServer { $0.any("*").reply { _ in .stream(once: source) } }
            let transport = try subject.make()
            _ = try await transport.get(server.url) { $0.method = .head }
            let before = Usage.now().memory
            var count = 0
            for try await chunk in try await transport.get(server.url, .streamed).body { count += chunk.count }
            #expect(count == 400 << 20)
            let growth = Usage.now().memory - before
            #expect(growth < 50 << 20, "\(growth)")
        }
    }
}

@Suite("Contract: streams over HTTP/2", .enabled(if: Nginx.isRunning, Nginx.hint), .timeLimit(.minutes(15)))
struct HTTP2StreamTests {
    @Test("R2 streams of one connection arrive intact side by side", arguments: Subject.allCases)
    func sideBySide(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting { $0.streamBuffer = 32 << 10 }
        let url = try Nginx.h2.at("/1m.bin")
        let expected = try await bytes(of: transport.get(url))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    let response = try await transport.get(url, .streamed)
                    #expect(response.metrics.protocolVersion == .http2)
                    #expect(try await bytes(of: response) == expected)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("R2 leaving one stream does not disturb the others, nor the connection", arguments: Subject.allCases)
    func leaving(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting { $0.streamBuffer = 32 << 10 }
        let url = try Nginx.h2.at("/1m.bin")
        let expected = try await bytes(of: transport.get(url))
        for _ in 0..<10 {
            let kept = try await transport.get(url, .streamed)
            let left = try await transport.get(url, .streamed)
            for try await _ in left.body { break }
            #expect(try await bytes(of: kept) == expected)
        }
        #expect(try await transport.get(Nginx.h2.at("/1k.json")).metrics.reusedConnection)
    }

    @Test("B1 uploads of every kind arrive whole", arguments: Subject.allCases)
    func uploads(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting()
        let data = Samples.data(3_000_001)
        let source = Source(Data(count: 10_007), times: 200)
        let folder = TemporaryFolder()
        let bodies: [(HTTPBody, Int)] = [
            (.bytes(data), data.count), (.file(at: try folder.file("a", data)), data.count),
            (.stream { source }, 2_001_400), (.stream(length: 2_001_400) { source }, 2_001_400), (.empty, 0),
        ]
        for (body, count) in bodies {
            let response = try await transport.send(.upload(body, to: Nginx.h2.at("/upload")))
            #expect(response.head.status == .noContent)
            #expect(response.head.fields["Received-Bytes"] == "\(count)")
            #expect(response.metrics.protocolVersion == .http2)
        }
    }

    // libcurl 7.88 goes on reading a connection for its other streams, and keeps what comes for the one that waits: up to
    // the 32 MiB of a stream's window, which it does not let us choose. Nothing is blocked, at the price of that memory.
    @Test("R2 an unread stream does not delay the others on its connection", arguments: Subject.allCases)
    func beside(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting { $0.streamBuffer = 32 << 10 }
        let url = try Nginx.h2.at("/1m.bin")
        let expected = try await bytes(of: transport.get(url))
        var waiting: [HTTPResponse] = []
        for _ in 0..<10 { waiting.append(try await transport.get(url, .streamed)) }
        for delivery in [Delivery.buffered, .streamed] {
            let beside = try await transport.get(url, delivery)
            #expect(beside.metrics.reusedConnection)
            #expect(try await bytes(of: beside) == expected)
        }
        for response in waiting.reversed() {
            #expect(response.metrics.reusedConnection)
            #expect(try await bytes(of: response) == expected)
        }
    }

    @Test("T1 1,000 requests cancelled at random leave the connection fit for the next", arguments: Subject.allCases)
    func random(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting { $0.streamBuffer = 32 << 10 }
        let large = try Nginx.h2.at("/1m.bin")
        let upload = try Nginx.h2.at("/upload")
        let requests: [HTTPRequest] = [
            .get(try Nginx.h2.at("/1k.json")), .get(large), .get(large, .streamed), .get(try Nginx.h2.at("/text.txt")),
            .upload(.bytes(Data(count: 300_000)), to: upload),
            .upload(.stream { Source(Data(count: 20_000), times: 10) }, to: upload),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<1000 {
                if index >= 24 { try await group.next() }
                group.addTask {
                    let task = Task { await transport.failure(of: requests[index % requests.count]) }
                    try await Task.sleep(for: .microseconds(UInt64.random(in: 0...5000)))
                    task.cancel()
                    let error = await task.value
                    #expect(error == nil || error?.kind == .cancelled, "\(String(describing: error))")
                }
            }
            try await group.waitForAll()
        }
        let response = try await transport.get(large)
        #expect(try await bytes(of: response).count == 1 << 20)
    }

    @Test("B1 a source that takes its time, and one that never ends, over HTTP/2", arguments: Subject.allCases)
    func slowSource(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting()
        let url = try Nginx.h2.at("/upload")
        let (chunks, feed) = AsyncStream<Data>.makeStream()
        async let response = transport.send(.upload(.stream(once: chunks), to: url))
        for _ in 0..<5 {
            try await Task.sleep(for: .milliseconds(30))
            feed.yield(Data(count: 1000))
        }
        feed.finish()
        #expect(try await response.head.fields["Received-Bytes"] == "5000")
        let source = Source(Data(count: 1000), times: 3, then: .wait)
        let upload = Task { await transport.failure(of: .upload(.stream { source }, to: url)) }
        try await source.record.wait { $0.bytes == 3000 }
        upload.cancel()
        #expect(await upload.value?.kind == .cancelled)
        try await source.record.wait { $0.isReleased }
        #expect(try await transport.get(Nginx.h2.at("/1k.json")).metrics.reusedConnection)
    }
}
