import Godwit
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("B4 request compression", .timeLimit(.minutes(15)))
struct RequestCompressionTests {
    private static let text = String(repeating: "a bar-tailed godwit, ", count: 10_000)

    private let folder = TemporaryFolder()
    private let data = Data(Self.text.utf8)

    /// Sends back what it gets, as it is coded; so it arrives as it was only if it was coded well.
    private func server() async throws -> MockServer {
        try await MockServer { route in
            route.put("/echo").reply(Self.echo)
            route.put("/moved").reply(.redirect(to: "/echo", status: .temporaryRedirect))
            let turn = Turn()
            route.put("/busy").reply { turn.next() == 0 ? .status(503) : Self.echo($0) }
            route.put("/plain").reply { request in
                guard request.fields.contains(.contentEncoding) else { return Self.echo(request) }
                return .status(415).field(.acceptEncoding, "identity")
            }
            route.put("/picky").reply(.status(415).field(.acceptEncoding, "br, gzip;q=0.5"))
            route.put("/silent").reply(.status(415))
        }
    }

    @Sendable private static func echo(_ request: MockRequest) -> MockResponse {
        let response = MockResponse.bytes(request.body)
        return request.fields[.contentEncoding].map { response.field(.contentEncoding, $0) } ?? response
    }

    private func api(_ server: MockServer, compression: ContentCompression = .gzip) -> APIClient {
        .eager(server) { $0.compression = compression }
    }

    private func put(_ path: String, _ fields: HTTPFields = [:]) -> Endpoint<Data> {
        fields.reduce(.put("\(path)")) { $0.header($1.name, $1.value) }
    }

    enum Kind: String, CaseIterable, Sendable {
        case memory, largeMemory, file, stream, streamOnce, unknownLength
    }

    private func body(_ kind: Kind, of data: Data) throws -> RequestBody {
        let file = folder.path("f.txt")
        if kind == .file { try data.write(to: file) }
        let chunks: @Sendable () -> AsyncStream<Data> = {
            AsyncStream { stream in
                for start in Swift.stride(from: 0, to: data.count, by: 50_000) {
                    stream.yield(data[start..<min(data.count, start + 50_000)])
                }
                stream.finish()
            }
        }
        return switch kind {
        case .memory, .largeMemory: .data(data)
        case .file: .file(at: file)
        case .stream: .stream(.stream(length: Int64(data.count), chunks))
        case .streamOnce: .stream(.stream(once: chunks(), length: Int64(data.count)))
        case .unknownLength: .stream(.stream(length: nil, chunks))
        }
    }

    @Test(
        "B4 every kind of body arrives intact, is sent compressed, and progress counts uncompressed bytes",
        arguments: Kind.allCases)
    func kinds(kind: Kind) async throws {
        let server = try await server()
        // More than is compressed at once.
        let data = kind == .largeMemory ? Data((0..<6).flatMap { _ in self.data }) : data
        let seen = Mutex<[TransferProgress]>([])
        let upload = api(server).uploading(put("echo"), body: try body(kind, of: data)) { progress in
            seen.withLock { $0.append(progress) }
        }
        let answer = try await upload.value
        #expect(answer == data)
        let request = try #require(server.requests.first)
        #expect(request.fields[.contentEncoding] == "gzip")
        #expect(request.bodyByteCount < data.count / 50)
        #expect((request.fields[.contentLength] != nil) == (kind == .memory))
        let latest = seen.withLock(\.last)
        let last = try #require(latest)
        #expect(last.completed == data.count)
        #expect(last.total == (kind == .unknownLength ? nil : Int64(data.count)))
    }

    @Test("B4 the metrics count the bytes sent")
    func metrics() async throws {
        let server = try await server()
        let response = try await api(server).response(for: put("echo").body(.data(data)))
        #expect(response.metrics.bytesSent == server.requests[0].bodyByteCount)
        #expect(response.metrics.bytesSent < 5000)
    }

    @Test(
        "B4 bodies that are encoded, partial, already compressed or have a digest are sent unchanged",
        arguments: [
            [.contentEncoding: "br"], [.contentRange: "bytes 0-9/10"], ["Content-Digest": "sha-256=:AA==:"],
            ["Repr-Digest": "sha-256=:AA==:"], [.contentType: "image/jpeg"], [.contentType: "application/zip"],
        ] as [HTTPFields])
    func leftAlone(fields: HTTPFields) async throws {
        let server = try await server()
        _ = try? await api(server).send(put("echo", fields).body(.data(data)))
        let request = try #require(server.requests.first)
        #expect(request.body == data)
        #expect(request.fields[.contentEncoding] == fields[.contentEncoding])
    }

    @Test("B4 small, incompressible and empty bodies are sent unchanged")
    func notWorthIt() async throws {
        let server = try await server()
        let api = api(server)
        let noise = Content(5000).data
        for body in [Data("short".utf8), noise, Data()] {
            #expect(try await api.send(put("echo").body(.data(body))) == body)
        }
        _ = try await api.send(put("echo"))
        #expect(server.requests.allSatisfy { !$0.fields.contains(.contentEncoding) } && server.requestCount == 4)
        let all = Endpoint<Data>.put("echo").compression(.gzip(minimumSize: 0)).body(
            .text("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"))
        #expect(try await api.send(all).count == 36)
        #expect(server.requests.last?.fields[.contentEncoding] == "gzip")
    }

    @Test("B4 it is off by default; an endpoint can override its client")
    func choices() async throws {
        let server = try await server()
        let body = RequestBody.data(data)
        _ = try await api(server, compression: ClientConfiguration().compression).send(put("echo").body(body))
        _ = try await api(server, compression: .off).send(put("echo").body(body).compression(.gzip))
        _ = try await api(server).send(put("echo").body(body).compression(.off))
        #expect(server.requests.map { $0.fields[.contentEncoding] } == [nil, "gzip", nil])
    }

    @Test("B4 a retry and a redirect resend the body, compressed again", arguments: Kind.allCases)
    func replay(kind: Kind) async throws {
        let server = try await server()
        for path in ["busy", "moved"] {
            let endpoint = put(path).body(try body(kind, of: data))
            let result = await api(server).result(of: endpoint)
            guard kind != .streamOnce else {
                #expect(throws: NetworkError.self) { try result.get() }
                continue
            }
            #expect(try result.get() == data)
        }
        #expect(server.requests.allSatisfy { $0.fields[.contentEncoding] == "gzip" })
        #expect(server.requestCount == (kind == .streamOnce ? 2 : 4))
    }

    @Test("B4 after a 415 with other codings, one uncompressed request follows; it is remembered (RFC 7694)")
    func refused() async throws {
        let server = try await server()
        let api = api(server)
        for kind in [Kind.file, .memory] {
            #expect(try await api.send(put("plain").body(try body(kind, of: data))) == data)
        }
        #expect(server.requests.map { $0.fields[.contentEncoding] } == ["gzip", nil, nil])
    }

    @Test("B4 if the body can't be resent, the 415 is returned; the next body is uncompressed anyway")
    func refusedStream() async throws {
        let server = try await server()
        let api = api(server)
        for status in [415, nil] {
            let result = await api.result(of: put("plain").body(try body(.streamOnce, of: data)))
            if case .failure(let error) = result {
                #expect(error.kind == .client(status: status ?? 0))
            } else {
                #expect(status == nil)
            }
        }
        #expect(server.requests.map { $0.fields[.contentEncoding] } == ["gzip", nil])
    }

    @Test(
        "B4 a 415 without codings, or with gzip, has another cause", arguments: ["picky", "silent"])
    func otherRefusal(path: String) async throws {
        let server = try await server()
        let result = await api(server).result(of: put(path).body(.data(data)))
        #expect(throws: NetworkError.self) { try result.get() }
        #expect(server.requestCount == 1)
    }

    @Test("B4 an unreadable file throws the same error as without compression")
    func missingFile() async throws {
        let server = try await server()
        let result = await api(server).result(of: put("echo").body(.file(at: folder.path("none"))))
        guard case .failure(let error) = result, case .file = error.kind else {
            Issue.record("not the outcome expected: \(result)")
            return
        }
    }
}
