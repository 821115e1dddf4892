import GodwitCore
import Testing

@Suite("R1 streams", .timeLimit(.minutes(15)))
struct StreamingTests {
    private func body(_ chunks: [String]) -> HTTPBody {
        .stream { Chunks(chunks) }
    }

    private func collect<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
        var collected: [Elements.Element] = []
        for try await element in elements { collected.append(element) }
        return collected
    }

    /// A client whose transport streams these chunks.
    private func api(_ chunks: [String], status: Int = 200) -> (APIClient, ScriptedTransport) {
        let body = body(chunks)
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(head: .init(status: HTTPStatus(status) ?? .ok), body: body, request: request)
        }
        return (articles(transport), transport)
    }

    @Test("R1 bytes, across chunks")
    func bytes() async throws {
        #expect(try await collect(body(["ab", "", "c"]).bytes) == Array("abc".utf8))
        #expect(try await collect(body([]).bytes).isEmpty)
    }

    @Test("R1 characters, across chunks; an error of the chunks ends them")
    func characters() async throws {
        #expect(try await collect(body(["na", "i\u{308}", "ve\r", "", "\n"]).characters) == Array("nai\u{308}ve\r\n"))
        #expect(try await collect(body([]).characters).isEmpty)
        let (api, _) = api(["a", "b"])
        #expect(try await collect(api.stream(.export).characters) == ["a", "b"])
        let (refused, _) = self.api(["a"], status: 404)
        await #expect(throws: NetworkError.self) { try await collect(refused.stream(.export).characters) }
    }

    @Test(
        "R1 lines end in LF, CRLF or CR, wherever the chunks break",
        arguments: [
            (["a\nb\r\nc\rd"], ["a", "b", "c", "d"]), (["a\r", "\nb"], ["a", "b"]),
            (["a", "b\n", "\n", "c"], ["ab", "", "c"]),
            ([""], []), (["\n"], [""]),
        ])
    func lines(chunks: [String], lines: [String]) async throws {
        #expect(try await collect(body(chunks).lines) == lines)
    }

    @Test("R1 a character split between two chunks is decoded correctly")
    func splitCharacter() async throws {
        let bytes = Array("é\n".utf8)
        let halves = HTTPBody.stream { DataChunks([Data(bytes[..<1]), Data(bytes[1...])]) }
        #expect(try await collect(halves.lines) == ["é"])
    }

    @Test("R2 an endless line throws at the limit")
    func endless() async throws {
        let error = try await #require(throws: NetworkError.self) {
            try await self.collect(self.body(["short\n", "far too long"]).lines(limit: 8))
        }
        #expect(error.kind == .tooLarge(limit: 8))
    }

    @Test("R1 NDJSON is decoded value by value, and blank lines are skipped")
    func jsonLines() async throws {
        let (api, transport) = api(["{\"id\":1,\"title\":\"a\"}\n\n{\"id\":", "2,\"title\":\"b\"}"])
        let ids = try await collect(api.stream(.export).jsonLines(of: Article.self)).map(\.id)
        #expect(ids == [1, 2])
        guard case .streamed? = transport.requests.first?.delivery else {
            Issue.record("the response was not streamed")
            return
        }
    }

    @Test("R1 an invalid value throws with its number, after the values before it")
    func wrongValue() async throws {
        let (api, _) = api(["{\"id\":1,\"title\":\"a\"}\n{\"id\":\"x\",\"title\":\"b\"}\n"])
        var ids: [Int] = []
        do throws(NetworkError) {
            for try await article in api.stream(.export).jsonLines(of: Article.self) { ids.append(article.id) }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.description == #"field `id`: expected an integer, found "x" (value 2)"#)
        }
        #expect(ids == [1])
    }

    @Test("R2 each loop sends its own request, when it asks for the first element")
    func lazy() async throws {
        let (api, transport) = api(["a\nb"])
        let stream = api.stream(.export)
        #expect(transport.requests.isEmpty)
        #expect(try await collect(stream.lines) == ["a", "b"])
        #expect(try await collect(stream.lines) == ["a", "b"])
        #expect(transport.requests.count == 2)
    }

    @Test("R2 the status is checked before the first element, and the error has the body")
    func status() async throws {
        let (api, _) = api(["{\"message\":", "\"no\"}"], status: 404)
        let error = try await #require(throws: NetworkError.self) { try await self.collect(api.stream(.export)) }
        #expect(error.kind == .notFound)
        #expect(error.problem?.detail == "no")
        #expect(error.body == Data(#"{"message":"no"}"#.utf8))
    }

    @Test("R2 only the start of an endless error body is read")
    func endlessErrorBody() async throws {
        let arriving = ArrivingBody(capacity: .max)
        for _ in 0..<3 { arriving.send(String(repeating: "x", count: 40_000)) }
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(head: .init(status: .notImplemented), body: arriving.take(), request: request)
        }
        let api = articles(transport)
        let error = try await #require(throws: NetworkError.self) { try await self.collect(api.stream(.export)) }
        #expect(error.body?.count == 64 << 10)
        #expect(arriving.isAbandoned)
    }

    @Test("R2 leaving the loop ends the transfer")
    func leaving() async throws {
        let arriving = ArrivingBody()
        arriving.send("a\nb\nc\n")
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(head: .init(status: .ok), body: arriving.take(), request: request)
        }
        func firstLine() async throws(NetworkError) -> String? {
            for try await line in articles(transport).stream(.export).lines { return line }
            return nil
        }
        #expect(try await firstLine() == "a")
        #expect(arriving.isAbandoned)
        #expect(arriving.send("d") == .none)
    }

    @Test("R2 an error during the transfer comes after the elements before it")
    func brokenOff() async throws {
        let arriving = ArrivingBody()
        arriving.send("a\nb")
        arriving.finish(NetworkError(.transport(.connectionLost("gone")), phase: .receiving))
        var lines: [String] = []
        do throws(NetworkError) {
            for try await line in arriving.take().lines { lines.append(line) }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.kind == .transport(.connectionLost("gone")))
        }
        #expect(lines == ["a"])
    }

    @Test("R1 the head is available before the body is read")
    func response() async throws {
        let (api, transport) = api(["a\n", "b\n"])
        let response = try await api.stream(.export).response()
        #expect(response.head.status == .ok)
        #expect(try await collect(response.body.lines) == ["a", "b"])
        #expect(transport.requests.count == 1)
    }
}

/// Bytes as a sequence of chunks.
struct DataChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = Never

    private let chunks: [Data]

    init(_ chunks: [Data]) {
        self.chunks = chunks
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(chunks: chunks.makeIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: [Data].Iterator

        mutating func next() async -> Data? { chunks.next() }
    }
}
