import Godwit
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

@Suite("B7 parallel ranges", .timeLimit(.minutes(15)))
struct ParallelRangeTests {
    private static let size = 4_300_000

    private let folder = TemporaryFolder()
    private let content = Content(Self.size)

    private func server(_ answer: @escaping @Sendable (MockRequest) async throws -> MockResponse) async throws
        -> MockServer
    {
        try await MockServer { $0.get("/a").reply(answer) }
    }

    private func download(
        _ server: MockServer, attempts: Int = 3, _ configure: (inout DownloadOptions) -> Void = { _ in }
    ) -> Download {
        APIClient.eager(server, attempts: attempts).download(Endpoint<Void>.get("a"), to: folder.path("a")) {
            $0.parallelRanges = 3
            $0.progressInterval = .zero
            configure(&$0)
        }
    }

    private func expectWhole(_ download: Download, _ content: Content? = nil) async throws {
        #expect(try await Data(contentsOf: download.file) == (content ?? self.content).data)
        #expect(try folder.names == ["a"])
    }

    private static func start(of request: MockRequest) -> Int? {
        request.fields[.range].flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) }
    }

    @Test("B7 ranges are fetched in parallel, each once and with the first response's validator")
    func parallel() async throws {
        let arrived = Watched(0)
        let server = try await server { [content] request in
            // Nothing but the first part comes before three others are asked for at once.
            if Self.start(of: request) != 0 {
                arrived.update { $0 += 1 }
                try await arrived.wait { $0 >= 3 }
            }
            return content.answer(request)
        }
        let digest = ContentDigest(sha256: SHA256.digest(content.data))
        try await expectWhole(download(server) { $0.digest = digest })
        #expect(content.bytesSent == Self.size)
        let ranges = server.requests.compactMap { $0.fields[.range] }
        #expect(ranges.count == 5 && Set(ranges).count == 5)
        #expect(server.requests.dropFirst().allSatisfy { $0.fields[.ifRange] == "\"v1\"" })
        #expect(server.requests.allSatisfy { $0.fields[.acceptEncoding] == "identity" })
    }

    @Test("B7 progress only grows, and ends at the total")
    func progress() async throws {
        let server = try await server { [content] in content.answer($0) }
        let download = download(server)
        var counts: [Int64] = []
        for await progress in download.progress {
            counts.append(progress.completed)
            #expect(progress.total == nil || progress.total == Int64(Self.size))
        }
        _ = try await download.file
        #expect(counts == counts.sorted() && counts.last == Int64(Self.size))
    }

    @Test("B7 an incomplete piece is saved once a second")
    func withinPiece() async throws {
        let (clock, gate, kept) = (TestClock(), Watched(false), Watched([AsyncStream<Data>.Continuation]()))
        let server = try await server { [content] request in
            let answer = content.answer(request)
            guard let start = Self.start(of: request), start > 0 else { return answer }
            let (chunks, source) = AsyncStream.makeStream(of: Data.self)
            // Else the stream would end.
            kept.update { $0.append(source) }
            source.yield(content.data[start..<(start + 100_000)])
            Task {
                try await gate.wait { $0 }
                source.yield(content.data[(start + 100_000)..<(start + 200_000)])
            }
            var held = MockResponse.stream(once: chunks, length: answer.content.length)
            (held.status, held.fields) = (answer.status, answer.fields)
            return held
        }
        let api = APIClient.eager(server) { $0.clock = clock }
        let download = api.download(Endpoint<Void>.get("a"), to: folder.path("a")) {
            $0.parallelRanges = 2
            $0.progressInterval = .zero
        }
        await download.reach(1_048_576 + 200_000)
        #expect(ticketOnDisk?.pieces == [])
        clock.advance(by: .seconds(1))
        gate.update { $0 = true }
        await download.reach(1_048_576 + 400_000)
        for _ in 0..<5000 where ticketOnDisk?.pieces == [] { try await Task.sleep(for: .milliseconds(1)) }
        #expect(ticketOnDisk?.pieces?.isEmpty == false)
        download.cancel()
        _ = await download.failure()
    }

    /// What the ticket beside the file says that is there.
    private struct Ticket: Decodable {
        let offset: Int
        /// Behind the first gap.
        let pieces: [[Int]]?

        var complete: Int { (pieces ?? []).reduce(offset) { $0 + $1[1] - $1[0] } }
    }

    private var ticketOnDisk: Ticket? {
        let data = try? Data(contentsOf: folder.path(".a.godwit-ticket"))
        return data.flatMap { try? JSONDecoder().decode(Ticket.self, from: $0) }
    }

    @Test("B7 small and empty content needs no extra requests")
    func small() async throws {
        let small = Content(5000)
        let server = try await MockServer { route in
            route.get("/a").reply { small.answer($0) }
            route.get("/empty").reply { MockResponse.ranged(Data(), for: $0, etag: "\"e\"") }
        }
        try await expectWhole(download(server), small)
        #expect(server.requestCount == 1)
        let empty = APIClient.eager(server).download(Endpoint<Void>.get("empty"), to: folder.path("empty")) {
            $0.parallelRanges = 3
        }
        #expect(try await Data(contentsOf: empty.file).isEmpty)
        #expect(server.requestCount <= 3)
    }

    /// What servers do that give no parts, or none that can be put together.
    enum Unfit: String, CaseIterable, Sendable {
        case ignoresRange, weakTag, noValidator, unknownTotal, otherStart, coded

        func answer(_ content: Content, _ request: MockRequest) -> MockResponse {
            let response = content.answer(request)
            guard response.status == .partialContent else { return response }
            return switch self {
            case .ignoresRange: .bytes(content.data).field(.etag, content.etag)
            case .weakTag: response.field(.etag, "W/\"v1\"")
            case .noValidator: response.field(.etag, "v1")
            case .unknownTotal: response.field(.contentRange, "bytes 0-1048575/*")
            case .otherStart: response.field(.contentRange, "bytes 1-1048576/\(ParallelRangeTests.size)")
            case .coded: response.field(.contentEncoding, "x-other")
            }
        }
    }

    @Test("B7 without usable ranges the content is fetched as one", arguments: Unfit.allCases)
    func fallback(_ unfit: Unfit) async throws {
        let server = try await server { [content] in unfit.answer(content, $0) }
        try await expectWhole(download(server))
        #expect(server.requests.last?.fields.contains(.range) == (unfit == .ignoresRange))
        #expect(server.requestCount == (unfit == .ignoresRange ? 1 : 2))
    }

    /// What may go wrong with one range.
    enum Fault: String, CaseIterable, Sendable {
        case whole, otherTag, otherRange, otherTotal, short, cut, refused, gone

        func answer(_ content: Content, _ request: MockRequest) -> MockResponse {
            let response = content.answer(request)
            return switch self {
            case .whole: .bytes(content.data).field(.etag, content.etag)
            case .otherTag: response.field(.etag, "\"v2\"")
            case .otherRange: response.field(.contentRange, "bytes 0-9/\(ParallelRangeTests.size)")
            case .otherTotal:
                response.field(
                    .contentRange, (response.fields[.contentRange] ?? "").split(separator: "/")[0] + "/7000000")
            case .short: response.dropped(after: .bytes(1000))
            case .cut: response.reset(after: .bytes(0))
            case .refused: .status(429)
            case .gone: .status(404)
            }
        }
    }

    @Test(
        "B7 a range that fails once costs little, and the content is complete",
        arguments: Fault.allCases)
    func faults(_ fault: Fault) async throws {
        let turn = Turn()
        let server = try await server { [content] request in
            // The third request: the second range.
            turn.next() == 2 ? fault.answer(content, request) : content.answer(request)
        }
        try await expectWhole(download(server, attempts: fault == .refused ? 1 : 3))
        let wasSingle = server.requests.last.map {
            ($0.fields[.range] ?? "").hasSuffix("-") || !$0.fields.contains(.range)
        }
        switch fault {
        case .short, .cut: #expect(wasSingle == false && server.requestCount == 6)
        case .refused, .gone: #expect(wasSingle == true && server.requests.last?.fields.contains(.range) == true)
        default: #expect(wasSingle == true && server.requests.last?.fields.contains(.range) == false)
        }
    }

    @Test("B7 content that changes midway is fetched again as one")
    func changed() async throws {
        let other = Content(Self.size - 1000, seed: 9, etag: "\"v2\"")
        let turn = Turn()
        let server = try await server { [content] request in
            turn.next() < 4 ? content.answer(request) : other.answer(request)
        }
        try await expectWhole(download(server), other)
    }

    @Test("B7 pieces that don't match the digest are fetched again as one")
    func digest() async throws {
        let other = Content(Self.size, seed: 9)
        let turn = Turn()
        let server = try await server { [content] request in
            turn.next() == 3 ? other.answer(request) : content.answer(request)
        }
        let digest = ContentDigest(sha256: SHA256.digest(content.data))
        try await expectWhole(download(server) { $0.digest = digest })
        #expect(server.requests.last?.fields.contains(.range) == false)
    }

    @Test("B7 the ticket of a paused download contains the gaps")
    func pause() async throws {
        let (requests, isSlow) = (Watched(0), Watched(true))
        var options = MockServer.Options()
        // By a clock that stands still: of each range but the first 100,000 bytes come, and no more.
        options.clock = TestClock()
        let server = try await MockServer(options) { [content] route in
            route.get("/a").reply { request in
                let answer = content.answer(request)
                let number = requests.update { count in
                    count += 1
                    return count
                }
                return number > 1 && isSlow.value ? answer.throttled(bytesPerSecond: 1_000_000) : answer
            }
        }
        let first = download(server)
        await first.reach(1_300_000)
        var ticket = try await first.pause()
        let begun = requests.value
        let second = APIClient.eager(server).resume(try travelled(ticket))
        try await requests.wait { $0 > begun }
        ticket = try await second.pause()
        isSlow.update { $0 = false }
        try await expectWhole(APIClient.eager(server).resume(try travelled(ticket)))
    }

    /// The ticket as another process reads it.
    private func travelled(_ ticket: DownloadTicket) throws -> DownloadTicket {
        let data = try JSONEncoder().encode(ticket)
        #expect(String(decoding: data, as: UTF8.self).contains(#""version":2"#))
        return try JSONDecoder().decode(DownloadTicket.self, from: data)
    }

    @Test("B7 the next run completes what a failed one has left, with or without parallel ranges", arguments: [1, 3])
    func leftover(connections: Int) async throws {
        let turn = Turn()
        let server = try await server { [content] request in
            let number = turn.next()
            // Parts come in part, and then nothing more.
            return number < 1
                ? content.answer(request) : number < 10 ? content.answer(request, cutAfter: 300_000) : .close
        }
        let failure = await download(server).failure()
        guard case .transport(.connectionLost) = failure?.kind else {
            Issue.record("not the error expected: \(String(describing: failure))")
            return
        }
        #expect(try folder.names == [".a.godwit-part", ".a.godwit-ticket"])
        // What was cut off on its way was lost; what came and was written down is not asked for again.
        let missing = try Self.size - #require(ticketOnDisk).complete
        #expect(missing < Self.size - 1_048_576)
        let sent = content.bytesSent
        let healthy = try await self.server { [content] in content.answer($0) }
        let partial = try Data(contentsOf: folder.path(".a.godwit-ticket"))
        // The ticket is for the first server's port.
        let moved = String(decoding: partial, as: UTF8.self).replacing(
            "127.0.0.1:\(server.url.origin.port)", with: "127.0.0.1:\(healthy.url.origin.port)")
        try Data(moved.utf8).write(to: folder.path(".a.godwit-ticket"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.path(".a.godwit-ticket").path)
        try await expectWhole(download(healthy) { $0.parallelRanges = connections })
        #expect(content.bytesSent - sent == missing)
        #expect(healthy.requests.allSatisfy { $0.fields[.ifRange] == "\"v1\"" })
    }

    @Test(
        "B7 a ticket with invalid pieces is damaged",
        arguments: [
            (#"[[5,9]]"#, "20"), ("[[12,15],[14,18]]", "20"), ("[[12,21]]", "20"), ("[[15,12]]", "20"),
            ("[[12]]", "20"),
            ("[]", nil),
        ] as [(String, String?)])
    func damaged(pieces: String, total: String?) throws {
        let totalMember = total.map { #""total":\#($0),"# } ?? ""
        let text = """
            {"version":2,"url":"http://127.0.0.1/a","destination":"/tmp/a","isFolder":false,"offset":10,\(totalMember)\
            "fields":[],"existingFile":"fail","synchronizesToDisk":false,"pieces":\(pieces)}
            """
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(DownloadTicket.self, from: Data(text.utf8))
        }
        #expect("\(String(describing: error))".contains("the download ticket cannot be used: it"))
    }
}
