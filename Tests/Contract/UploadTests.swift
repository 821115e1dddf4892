import Glibc
import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: uploads", .timeLimit(.minutes(15)))
struct UploadTests {
    /// A body and what has to arrive of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let body: @Sendable (TemporaryFolder, Data) throws -> HTTPBody
        var part: Range<Int>?
        var isChunked = false

        var testDescription: String { name }

        static let all: [Case] = [
            Case(name: "bytes") { .bytes($1) },
            Case(name: "file") { .file(at: try $0.file("a", $1)) },
            Case(
                name: "file range", body: { .file(at: try $0.file("a", $1), range: 1000..<70_001) }, part: 1000..<70_001
            ),
            Case(name: "stream of known length") { _, data in
                .stream(length: Int64(data.count)) { Stream(Samples.chunks(data, of: 10_007)) }
            },
            Case(
                name: "stream of unknown length",
                body: { _, data in .stream { Stream(Samples.chunks(data, of: 10_007)) } }, isChunked: true),
            Case(
                name: "stream that can be read once",
                body: { _, data in .stream(once: Stream(Samples.chunks(data, of: 99_991))) }, isChunked: true),
        ]
    }

    /// Chunks that are there already.
    struct Stream: AsyncSequence, Sendable {
        typealias Element = Data
        let chunks: [Data]

        init(_ chunks: [Data]) {
            self.chunks = chunks
        }

        func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeIterator()) }

        struct Iterator: AsyncIteratorProtocol {
            var chunks: IndexingIterator<[Data]>
            mutating func next() async -> Data? { chunks.next() }
        }
    }

    @Test("B1 every kind of body arrives intact and framed", arguments: Subject.allCases, Case.all)
    func bodies(_ subject: Subject, _ example: Case) async throws {
        let folder = TemporaryFolder()
        let data = Samples.data(1_000_003)
        let server = try await MockServer { _ in .status(.noContent) }
        let transport = try subject.make()
        for method in [HTTPMethod.put, .post, .delete] {
            let body = try example.body(folder, data)
            _ = try await transport.send(.upload(body, to: server.url, method))
            let request = try #require(server.requests.last)
            let expected = example.part.map { data[$0] } ?? data
            #expect(request.body == expected)
            #expect(request.fields[.contentLength] == (example.isChunked ? nil : "\(expected.count)"))
            #expect(request.fields[.transferEncoding] == (example.isChunked ? "chunked" : nil))
        }
        #expect(server.connectionCount == 1)
    }

    @Test(
        "T2 B1 a pipe without a writer delays no other exchange, until the call is canceled",
        arguments: Subject.allCases)
    func pipeWithoutWriter(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        let pipe = folder.pipe()
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        let upload = Task { await transport.failure(of: .upload(.file(at: pipe), to: server.url)) }
        let writing = await Self.opened(pipe)
        #expect(try await transport.stillWorks(with: server))
        upload.cancel()
        #expect(await upload.value?.kind == .cancelled)
        close(writing)
    }

    @Test("T2 B1 a pipe is sent to its end, once", arguments: Subject.allCases)
    func pipe(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        let pipe = folder.pipe()
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        let body = HTTPBody.file(at: pipe)
        #expect(!body.isReplayable && body.length == nil)
        let upload = Task { try await transport.send(.upload(body, to: server.url)) }
        let writing = await Self.opened(pipe)
        #expect(write(writing, "some bytes", 10) == 10)
        close(writing)
        _ = try await upload.value
        #expect(server.requests.map(\.text) == ["some bytes"])
    }

    /// A pipe, open for writing as soon as it is open for reading.
    private static func opened(_ pipe: URL) async -> Int32 {
        while !Task.isCancelled {
            let writing = open(pipe.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if writing >= 0 { return writing }
            await Task.yield()
        }
        return -1
    }

    @Test("T2 B5 a pipe cannot be the file of a response, and delays no other exchange", arguments: Subject.allCases)
    func pipeAsDestination(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        let pipe = folder.pipe()
        let reading = open(pipe.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reading) }
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        let download = await transport.failure(of: .get(server.url, .file(pipe)))
        #expect(download?.description.contains("pipe is not a regular file") == true)
        #expect(try await transport.stillWorks(with: server))
    }

    #if os(Linux)
    @Test("T2 B1 a file whose size isn't known is sent whole, each time", arguments: Subject.allCases)
    func withoutSize(_ subject: Subject) async throws {
        let version = URL(filePath: "/proc/version")
        let content = try Data(contentsOf: version)
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        let body = HTTPBody.file(at: version)
        for _ in 0..<2 { _ = try await transport.send(.upload(body, to: server.url)) }
        #expect(server.requests.map(\.body) == [content, content])
        #expect(server.requests.map { $0.fields[.transferEncoding] } == ["chunked", "chunked"])
        #expect(try await HTTPBody.file(at: version).collect(upTo: 1 << 20) == content)
    }
    #endif

    @Test(
        "B1 an empty body of any kind is sent as nothing", arguments: Subject.allCases,
        Case.all.filter { $0.part == nil })
    func emptyBodies(_ subject: Subject, _ example: Case) async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        _ = try await transport.send(.upload(example.body(folder, Data()), to: server.url))
        let request = try #require(server.requests.last)
        #expect(request.arrival == .complete && request.bodyByteCount == 0)
        #expect(request.fields[.contentLength] == (example.isChunked ? nil : "0"))
        #expect(try await transport.stillWorks(with: server) == true)
    }

    @Test("B1 no Content-Type is invented, no Expect is sent, and a given type stays", arguments: Subject.allCases)
    func fields(_ subject: Subject) async throws {
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        let data = Samples.data(2_000_000)
        for method in [HTTPMethod.post, .put, .patch] {
            _ = try await transport.send(.upload(.bytes(data), to: server.url, method))
            _ = try await transport.send(
                .upload(.bytes(data), to: server.url, method) { $0.fields[.contentType] = "a/b" })
        }
        #expect(server.requests.map { $0.fields[.contentType] } == [nil, "a/b", nil, "a/b", nil, "a/b"])
        #expect(server.requests.allSatisfy { !$0.fields.contains("Expect") })
    }

    @Test(
        "B1 a file that is missing, or shorter than its range, is .file and nothing is sent",
        arguments: Subject.allCases)
    func badFile(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        let file = try folder.file("short.bin", Data(count: 10))
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        let bodies: [(HTTPBody, String)] = [
            (.file(at: folder.path("gone.bin")), "cannot open gone.bin: No such file"),
            (.file(at: folder.url), "is not a regular file"),
            (.file(at: file, range: 5..<11), "short.bin is shorter than the range"),
        ]
        for (body, words) in bodies {
            let error = await transport.failure(of: .upload(body, to: server.url))
            #expect(error?.shortDescription == "file")
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            #expect(error?.request?.method == .put)
        }
        #expect(server.requestCount == 0)
        #expect(try await transport.stillWorks(with: server))
    }

    @Test(
        "B1 a stream that gives another number of bytes than declared is refused", arguments: Subject.allCases,
        [[4], [5, 5, 4], [6], [5, 5, 1], [10, 5], [15], []])
    func wrongLength(_ subject: Subject, _ sizes: [Int]) async throws {
        let declared: Int64 = sizes == [4] || sizes == [6] ? 5 : sizes == [5, 5, 4] ? 15 : 10
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        let body = HTTPBody.stream(length: declared) { Stream(sizes.map { Data(count: $0) }) }
        let error = await transport.failure(of: .upload(body, to: server.url))
        #expect(error?.shortDescription == "transport.cannot_send_body")
        #expect(error?.phase == .sending)
        #expect(error?.description.contains("\(declared) bytes it declared") == true, "\(String(describing: error))")
        #expect(server.requests.allSatisfy { $0.arrival != .complete })
        #expect(try await transport.stillWorks(with: server))
    }

    @Test(
        "B1 a stream that throws ends the request with its error below", arguments: Subject.allCases, [nil, 2_000_000])
    func throwingStream(_ subject: Subject, _ length: Int64?) async throws {
        struct DiskOnFire: Error {}
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        let source = Source(Data(count: 100_000), times: 3, then: .error(DiskOnFire()))
        let error = await transport.failure(of: .upload(.stream(length: length) { source }, to: server.url))
        #expect(error?.shortDescription == "transport.cannot_send_body")
        #expect(error?.underlying is DiskOnFire)
        #expect(error?.description.contains("DiskOnFire") == true)
        // The server may be late to accept the connection, so that none is open isn't enough.
        #expect(try await server.waitForRequests().map(\.arrival) == [.aborted])
        #expect(try await transport.stillWorks(with: server))
    }

    @Test("B1 a slow server holds the source of an upload back", arguments: Subject.allCases)
    func backPressure(_ subject: Subject) async throws {
        var options = MockServer.Options()
        options.receiveBuffer = 32 << 10
        let server = try await MockServer(options) {
            $0.put("/").readBody(bytesPerSecond: 50_000).reply(.text("ok"))
        }
        let source = Source(Data(count: 64 << 10), times: 1024)
        let transport = try subject.make()
        let upload = Task { [url = server.url] in await transport.failure(of: .upload(.stream { source }, to: url)) }
        let pulled = try await source.record.bytesOncePaused()
        #expect(pulled < 16 << 20)
        #expect(!source.record.value.hasEnded)
        upload.cancel()
        #expect(await upload.value?.kind == .cancelled)
        try await source.record.wait { $0.isReleased }
        #expect(source.record.value.bytes <= pulled + 128 << 10)
    }

    @Test("B1 an early refusal is the answer, though the upload is not done", arguments: Subject.allCases)
    func earlyAnswer(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.put("/").early().reply(.text("too big", status: .contentTooLarge).closing())
            $0.get("/ok").reply(.text("ok"))
        }
        let transport = try subject.make()
        let source = Source(Samples.data(64 << 10), times: 256)
        let response = try await transport.send(.upload(.stream { source }, to: server.url))
        #expect(response.head.status == .contentTooLarge)
        #expect(try await text(of: response) == "too big")
        #expect(!source.record.value.hasEnded)
        try await source.record.wait { $0.isReleased }
        #expect(try await transport.stillWorks(with: server))
    }

    @Test("B1 a canceled upload releases a source that waits for its next chunk", arguments: Subject.allCases)
    func cancelledSource(_ subject: Subject) async throws {
        let server = try await MockServer { _ in .text("ok") }
        let source = Source(Data(count: 1000), times: 3, then: .wait)
        let transport = try subject.make()
        let upload = Task { [url = server.url] in await transport.failure(of: .upload(.stream { source }, to: url)) }
        try await source.record.wait { $0.bytes == 3000 }
        upload.cancel()
        #expect(await upload.value?.kind == .cancelled)
        try await source.record.wait { $0.isReleased }
        try await server.waitUntilConnectionsClose()
    }

    @Test("B1 a broken connection releases the source", arguments: Subject.allCases)
    func brokenUpload(_ subject: Subject) async throws {
        let server = try await MockServer { $0.put("/").early().reply(.reset) }
        let source = Source(Data(count: 64 << 10), times: 10_000)
        let error = await (try subject.make()).failure(of: .upload(.stream { source }, to: server.url))
        #expect(error?.shortDescription == "transport.connection_lost")
        try await source.record.wait { $0.isReleased }
        #expect(!source.record.value.hasEnded)
    }

    @Test("T1 progress is reported: sent and received bytes, then the end", arguments: Subject.allCases)
    func progress(_ subject: Subject) async throws {
        let events = Watched<[String]>([])
        let server = try await MockServer { _ in .text("thanks") }
        _ = try await subject.make().send(
            .upload(.bytes(Data(count: 300_000)), to: server.url) {
                $0.options.onEvent = { event in
                    events.update { $0.append(Self.name(of: event)) }
                }
            })
        let told = events.value
        #expect(told.contains("sent 300000 of 300000"))
        #expect(told.suffix(2) == ["received 6 of 6", "finished 300000 6"])
        #expect(told.filter { $0.hasPrefix("finished") }.count == 1)
    }

    private static func name(of event: TransferEvent) -> String {
        switch event {
        case .waitingForConnectivity: "waiting"
        case .interim(let head): "interim \(head.status.code)"
        case .sent(let count, let total): "sent \(count) of \(total ?? -1)"
        case .received(let count, let total): "received \(count) of \(total ?? -1)"
        case .finished(let metrics): "finished \(metrics.bytesSent) \(metrics.bytesReceived)"
        }
    }

    @Test("T1 a response passed on as a request's body arrives intact", arguments: Subject.allCases)
    func passedOn(_ subject: Subject) async throws {
        let data = Samples.data(3_000_017)
        let server = try await MockServer {
            $0.get("/from").reply(.bytes(data))
            $0.put("/to").reply(.text("ok"))
        }
        let transport = try subject.make()
        let download = try await transport.get(server.at("/from"), .streamed)
        _ = try await transport.send(.upload(download.body, to: server.at("/to")))
        let upload = try #require(server.requests.last)
        #expect(upload.body == data)
        #expect(upload.fields[.contentLength] == "3000017")
    }
}
