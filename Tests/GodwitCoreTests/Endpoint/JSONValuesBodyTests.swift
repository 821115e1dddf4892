import GodwitCore
import Synchronization
import Testing

@Suite("J2 arrays and JSON lines as request bodies", .timeLimit(.minutes(15)))
struct JSONValuesBodyTests {
    private struct Record: Codable, Sendable, Hashable {
        var recordId: Int
        var score = 0.5
    }

    private func stream<Value: Sendable>(_ values: [Value]) -> AsyncStream<Value> {
        AsyncStream { stream in
            for value in values { stream.yield(value) }
            stream.finish()
        }
    }

    private func text(_ body: RequestBody, _ coding: JSONCoding = JSONCoding()) async throws -> String {
        try await body.encoded(with: coding).text()
    }

    @Test("J2 values of a sequence and of a stream are sent as one array, or as lines", arguments: 0..<4)
    func framing(count: Int) async throws {
        let values = Array(0..<count)
        let array = "[" + values.map { "\($0)" }.joined(separator: ",") + "]"
        let lines = values.map { "\($0)\n" }.joined()
        #expect(try await text(.jsonArray(values)) == array)
        #expect(try await text(.jsonArray { stream(values) }) == array)
        #expect(try await text(.jsonArray(once: stream(values))) == array)
        #expect(try await text(.jsonLines(values)) == lines)
        #expect(try await text(.jsonLines { stream(values) }) == lines)
        #expect(try await text(.jsonLines(once: stream(values))) == lines)
    }

    @Test("J2 values are encoded with the client's coding; a line has no line breaks even if the coding indents")
    func coding() async throws {
        let coding = JSONCoding(keys: .snakeCase, format: [.sortedKeys, .indented])
        let records = [Record(recordId: 1), Record(recordId: 2)]
        let array = try await text(.jsonArray(records), coding)
        #expect(
            try JSONDecoder().decode([[String: Double]].self, from: Data(array.utf8)).map { $0["record_id"] } == [1, 2])
        let lines = try await text(.jsonLines(records), coding).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(try lines.map { try coding.decode(Record.self, from: Data($0.utf8)) } == records)
    }

    @Test("J2 the Content-Type is set, and the body has no length")
    func fields() async throws {
        let transport = ScriptedTransport(204)
        try await articles(transport).send(Endpoint<Void>.post("import", body: .jsonArray([1])))
        try await articles(transport).send(Endpoint<Void>.post("import", body: .jsonLines([1])))
        #expect(transport.requests.map { $0.fields[.contentType] } == ["application/json", "application/x-ndjson"])
        #expect(transport.requests.allSatisfy { $0.body?.length == nil && $0.body?.isReplayable == true })
    }

    @Test("J2 a body can be sent again if its values can be made again")
    func replay() async throws {
        let calls = Atomic(0)
        let made = RequestBody.jsonArray {
            stream([calls.wrappingAdd(1, ordering: .relaxed).newValue])
        }
        for (body, expected) in [(RequestBody.jsonArray([7]), ["[7]", "[7]"]), (made, ["[1]", "[2]"])] {
            let body = try body.encoded(with: JSONCoding())
            #expect(body.isReplayable)
            #expect(try await [body.text(), body.text()] == expected)
        }
    }

    @Test("J2 values that can be read once are sent once: a second sending of the endpoint says so")
    func once() async throws {
        let body = RequestBody.jsonLines(once: stream([1, 2]))
        let first = try body.encoded(with: JSONCoding())
        #expect(!first.isReplayable)
        #expect(try await first.text() == "1\n2\n")
        for again in [first, try body.encoded(with: JSONCoding())] {
            let error = await #expect(throws: NetworkError.self) { try await again.text() }
            #expect(error?.kind == .transport(.cannotSendBody("the stream was read once already")))
        }
    }

    @Test("J2 a value that can't be encoded ends the body with .encoding and its number, after the values before it")
    func wrongValue() async throws {
        let values = [Record(recordId: 1), Record(recordId: 2, score: .infinity), Record(recordId: 3)]
        let body = try RequestBody.jsonArray { stream(values) }.encoded(with: JSONCoding())
        var chunks = body.makeAsyncIterator()
        #expect(try await chunks.next() == Data(#"[{"recordId":1,"score":0.5}"#.utf8))
        do throws(NetworkError) {
            _ = try await chunks.next()
            Issue.record("nothing was thrown")
        } catch {
            guard case .encoding(let reason) = error.kind else { throw error }
            #expect(reason.hasPrefix("field `score`: "))
            #expect(reason.hasSuffix(" (value 2)"))
            #expect(error.phase == .sending)
        }
        #expect(try await chunks.next() == nil)
    }

    @Test("J2 an error of the source ends the body")
    func wrongSource() async throws {
        let body = RequestBody.jsonArray {
            AsyncThrowingStream<Int, any Error> { stream in
                stream.yield(1)
                stream.finish(throwing: SourceFailure())
            }
        }
        let error = await #expect(throws: NetworkError.self) { try await self.text(body) }
        guard case .transport(.cannotSendBody)? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("J2 each value of a stream is sent as soon as it is available")
    func immediate() async throws {
        let (values, source) = AsyncStream.makeStream(of: Int.self)
        var chunks = try RequestBody.jsonArray(once: values).encoded(with: JSONCoding()).makeAsyncIterator()
        source.yield(1)
        #expect(try await chunks.next() == Data("[1".utf8))
        source.yield(2)
        #expect(try await chunks.next() == Data(",2".utf8))
        source.finish()
        #expect(try await chunks.next() == Data("]".utf8))
        #expect(try await chunks.next() == nil)
    }

    @Test("J2 64 MiB are encoded block by block: no value is taken before its block is asked for")
    func flat() async throws {
        let values = CountedValues(value: String(repeating: "a", count: 8 << 10), count: 8 << 10)
        let body = try RequestBody.jsonArray(values).encoded(with: JSONCoding())
        var sent = 0
        for try await chunk in body {
            sent += chunk.count
            #expect(chunk.count <= 24 << 10)
            #expect(values.taken.load(ordering: .relaxed) <= sent / (8 << 10))
        }
        #expect(sent == 64 << 20 + 3 * (8 << 10) + 1)
    }
}

private struct SourceFailure: Error {}

/// A text many times, counted as it is taken.
private final class CountedValues: Sequence, Sendable {
    let taken = Atomic(0)
    private let value: String
    private let count: Int

    init(value: String, count: Int) {
        self.value = value
        self.count = count
    }

    func makeIterator() -> AnyIterator<String> {
        var left = count
        return AnyIterator {
            guard left > 0 else { return nil }
            left -= 1
            self.taken.add(1, ordering: .relaxed)
            return self.value
        }
    }
}
